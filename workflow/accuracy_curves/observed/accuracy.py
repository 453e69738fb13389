"""Ranks and average accuracy of an observed score matrix."""

import logging
from bisect import bisect_left
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.observed.measures import ACCURACY, Measure, Top, credits_of
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import (
    ArrayLike,
    Float64Array,
    FloatArray,
    IntArray,
    blocks,
    exponential,
    geometric_rule,
)
from accuracy_curves.utils.validation import Whole, check, check_classes

# Of more classes the logarithms of all factorials are not kept: .8 GB of 10^8.
MOST_FACTORIALS = 2**17


def log_factorials(n_classes: int) -> Callable[[IntArray], Float64Array]:
    """Make the function that gives log n!, of whole numbers up to n_classes."""
    if n_classes > MOST_FACTORIALS:
        return lambda n: np.asarray(scipy.special.gammaln(n + 1.0))
    table = scipy.special.gammaln(np.arange(n_classes + 1) + 1.0)
    return lambda n: table[n]


def average_earned(
    outscored: IntArray, n_classes: int, k: IntArray, earned: FloatArray
) -> Float64Array:
    """Average what ranks earn over all subsets of k of the K observed classes, (n,).

    K - 1 - R_x classes outscore the correct one; how many of them are among k - 1 of the K - 1 is
    hypergeometric:

        A_k = sum_x sum_{j < t} e_xj binom(K - 1 - R_x, j) binom(R_x, k - 1 - j)
                                        / binom(K - 1, k - 1)

    `outscored` are the distinct values of R_x, and `earned`, (t, values), what those of each value
    earn where j classes outscore them: of the top-t accuracy their weight.
    """
    log_factorial, others = log_factorials(n_classes), n_classes - 1
    result = np.empty(len(k))
    for here in blocks(len(k), len(outscored)):
        drawn = k[here, None] - 1
        earn = np.zeros((len(drawn), len(outscored)))
        every = log_factorial(np.array(others)) - log_factorial(others - drawn)
        for j in range(min(len(earned), int(drawn.max()) + 1)):
            left, beaten = outscored - (drawn - j), np.maximum(others - outscored - j, 0)
            inside = (left >= 0) & (others - outscored >= j) & (drawn >= j)
            # The (k - 1)! of the subset cancels, but for the classes that outscore the correct one.
            log_chance = log_factorial(outscored) - log_factorial(np.where(inside, left, 0)) - every
            log_chance += log_factorial(drawn) - log_factorial(np.maximum(drawn - j, 0))
            log_chance += log_factorial(others - outscored) - log_factorial(beaten)
            log_chance -= log_factorial(np.array(j))
            earn += exponential(np.where(inside, np.minimum(log_chance, 0.0), -np.inf)) * earned[j]
        # Not `@`: the sums of a threaded BLAS depend on the number of cores.
        result[here] = earn.sum(axis=1)
    return np.clip(result, 0.0, 1.0)


# Bounds of an accuracy that differ by less are the accuracy.
TOLERANCE = 0.001
# Of sums of weights that are 1 together.
ROUNDING = 1e-14
# A curve is fitted to lists at so many k.
FITTED = 200

log = logging.getLogger(__name__)


def ranks(matrix: Sample, seed: int = 0) -> IntArray:
    """Count the incorrect classes that each point's correct class outscores.

    Ties are broken at random, as in the theory: among t incorrect classes with exactly the
    correct score, the number outscored is uniform on 0..t.

    Parameters
    ----------
    matrix : ScoreMatrix or Ranks
        N points, K classes; read in blocks, so it may be memory-mapped.
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    (N,) array of int
        R_x, from 0 to K - 1 (ICLR 2021, Section 5).

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.ScoreMatrix([[3.0, 1.0, 2.0], [1.0, 2.0, 5.0]], labels=[0, 1])
    >>> ac.ranks(matrix)
    array([2, 1])
    """
    outscored, tied = as_sample(matrix).outscored_and_tied()
    ties = np.flatnonzero(tied)
    if len(ties):
        log.info("%d of %d points tie with an incorrect class", len(ties), matrix.n_points)
        rng = np.random.default_rng(seed)
        outscored[ties] += rng.integers(0, tied[ties], endpoint=True)
    return outscored


def average_accuracy(
    matrix: Sample, k: ArrayLike, seed: int = 0, *, top: Top = 1, measure: str | None = None
) -> Float64Array:
    """Average the accuracy over all subsets of k of the matrix's classes.

    The accuracy on a subset weighs its classes equally (ICLR 2021, Eq. 1), and the average over
    the subsets of size k is unbiased for the expected accuracy at k classes:

        A_k = sum_x w_x binom(R_x, k - 1) / binom(K - 1, k - 1)

    (Zheng et al. 2018; ICLR 2021, Section 5, where every class has r points and w_x = 1 / (r K)).
    If classes without points exist, the average is over all pairs of a subset and one of its
    classes that has points.

    Parameters
    ----------
    matrix : ScoreMatrix or Ranks
        N points, K classes.
    k : int or (n,) array of int
        Numbers of classes, 2 <= k <= K.
    seed : int
        Seed of the tie-breaking.
    top : int
        t: a point counts where fewer than t incorrect classes outscore its own.
    measure : str, optional
        Another measure of the ranks, such as ``"ndcg@10"``
        (`accuracy_curves.observed.measures.Measure`).

    Returns
    -------
    (n,) array of float
        Average accuracies in [0, 1].

    Raises
    ------
    InputError
        If a k or `top` is out of range.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[3.0, 1, 2], [2, 1, 3], [1, 2, 3]])
    >>> ac.average_accuracy(ac.ScoreMatrix(scores, np.array([0, 1, 2])), [2, 3]).round(4)
    array([0.6667, 0.6667])
    """
    wanted, outscored = Measure.of(top, measure), ranks(matrix, seed)
    if wanted.top > 1:
        matrix.check_lengths(wanted.top, growth=None)
    return average_measure(matrix, matrix.design.columns_of(check_classes(k)), outscored, wanted)


def average_measure(
    sample: Sample, k: ArrayLike, outscored: IntArray, measure: Measure = ACCURACY
) -> Float64Array:
    """Average a measure over all subsets of k of the sample's columns, (n,), given its ranks."""
    if measure.is_hit and sample.design.rivals is None:
        of_points = outscored, sample.n_classes, k, sample.weights
        return average_accuracy_of_ranks(*of_points, top=measure.top)
    credits = credits_of(sample, measure)
    if len(credits.credit) < sample.n_points:
        values, place = np.unique(outscored, return_inverse=True)
        earned = credits.spread(place, len(values))
    else:
        values, earned = outscored, credits.points
    columns = check_columns(k, sample.n_classes)
    return credits.largest * average_earned(values, sample.n_classes, columns, earned)


def expected_accuracy(matrix: Sample, k: ArrayLike, *, top: Top = 1) -> Float64Array:
    """Average as `average_accuracy`; the top-t accuracy over all ways to break ties too, (n,)."""
    outscored, tied = as_sample(matrix).outscored_and_tied()
    measure = Measure.of(top)
    if not tied.any() or matrix.design.rivals is not None or not measure.is_hit:
        return average_accuracy(matrix, k, top=measure)
    values, weights = _over_ties(outscored, tied, matrix.weights)
    return average_accuracy_of_ranks(values, matrix.n_classes, k, weights, top=measure.top)


def _over_ties(
    outscored: IntArray, tied: IntArray, weights: Float64Array
) -> tuple[IntArray, Float64Array]:
    """Spread weights over all ways to break ties: the ranks that occur, and the weight of each."""
    # Of t ties as much of a point's weight is at each of the t + 1 ranks.
    share = weights / (tied + 1)
    steps, place = np.unique(np.append(outscored, outscored + tied + 1), return_inverse=True)
    height = np.cumsum(np.bincount(place, np.append(share, -share)))
    # What rounding leaves is no weight.
    sizes = np.diff(steps, append=steps[-1]) * (height > ROUNDING)
    values = np.arange(sizes.sum()) + np.repeat(steps - np.cumsum(sizes) + sizes, sizes)
    return values, np.repeat(height, sizes)


def average_accuracy_of_ranks(
    outscored: IntArray, n_classes: int, k: ArrayLike, weights: FloatArray, *, top: int = 1
) -> Float64Array:
    """Average the accuracy over all subsets of k classes, given only the ranks R_x, (N,).

    Weights of the points sum to 1. `InputError` if a k or `top` is out
    of range, see `average_accuracy`.
    """
    check("top", top, Whole(1))
    classes = check_columns(check_classes(k), n_classes)
    values, position = np.unique(outscored, return_inverse=True)
    weight = np.asarray(np.bincount(position, weights=weights), dtype=np.float64)
    return average_earned(values, n_classes, classes, np.broadcast_to(weight, (top, len(weight))))


def check_columns(k: ArrayLike, n_classes: int) -> IntArray:
    """Take numbers of columns; `InputError` where there are not so many."""
    classes = np.asarray(k, dtype=np.int64)
    if classes.size and classes.max() > n_classes:
        raise InputError(
            f"the average accuracy of {classes.max()} classes cannot be observed on {n_classes}: "
            "an extrapolation method is needed"
        )
    return classes


def accuracy_bounds(
    sample: Sample, k: ArrayLike, seed: int = 0, *, top: Top = 1
) -> tuple[Float64Array, Float64Array]:
    """Bound the average accuracy at k classes, both (n,): they differ for lists of candidates.

    A correct class that is not above the end of its list is outscored by all others, or ties with
    the last that is listed. Of a matrix both are the `expected_accuracy`.
    """
    if not sample.is_listed:
        seen = expected_accuracy(sample, k, top=top)
        return seen, seen
    measure, (most, tied) = Measure.of(top), sample.counts_at_end
    most, tied = np.where(sample.censored, most, ranks(sample, seed)), sample.censored * tied
    columns = sample.design.columns_of(check_classes(k))
    upper = _at_best(sample, columns, most, tied, measure)
    return average_accuracy(sample, k, seed, top=measure), upper


def _at_best(
    sample: Sample, k: ArrayLike, most: IntArray, tied: IntArray, measure: Measure = ACCURACY
) -> Float64Array:
    """Average a measure of ranks at their best: over ways to break ties where that is exact."""
    if sample.design.rivals is not None or not measure.is_hit:
        return average_measure(sample, k, most + tied, measure)
    values, weights = _over_ties(most, tied, sample.weights)
    return average_accuracy_of_ranks(values, sample.n_classes, k, weights, top=measure.top)


def first_known_k(sample: Sample) -> int:
    """Find the least k at which the accuracy is known: its two bounds agree to a thousandth.

    They near each other as k rises. K + 1 if they agree nowhere.
    """
    if not sample.censored.any():
        return 2
    # The bounds differ by what the points may be right whose rank is unknown.
    most, tied = (counts * sample.censored for counts in sample.counts_at_end)

    def agree(k: int) -> bool:
        return bool(_at_best(sample, [k], most, tied)[0] <= TOLERANCE)

    return 2 + bisect_left(range(2, sample.n_classes + 1), True, key=agree)


def curve_to_fit(
    sample: Sample, seed: int = 0, *, every_k: bool = False
) -> tuple[IntArray, Float64Array, Float64Array | None]:
    """Average the accuracies to which a curve is fitted: their k, and how much each weighs.

    k = 2..k1, which weigh the same (None). Lists show them from `first_known_k` on. At most 200 k
    of lists are taken, even in log k, each with half of the gap on either side, but all if
    `every_k`. `FitError` if fewer than three are known.
    """
    if every_k or not as_sample(sample).is_listed:
        k = np.arange(2, sample.n_classes + 1)
        return k, average_measure(sample, k, ranks(sample, seed)), None
    least = first_known_k(sample)
    if sample.n_classes - least < 2:
        raise FitError(
            "the lists are too short for an accuracy curve: give longer ones", reason="no_curve"
        )
    k, weights = geometric_rule(least, sample.n_classes, FITTED)
    return k, average_measure(sample, k, ranks(sample, seed)), weights / weights.mean()


def class_means(
    sample: Sample,
    values: npt.NDArray[np.bool_ | np.int64 | np.float64],
    weights: FloatArray | None = None,
) -> Float64Array:
    """Average numbers of the points, (N,), over those of each class that has any."""
    points = np.bincount(sample.sources, weights)
    values = values if weights is None else values * weights
    return (np.bincount(sample.sources, values) / np.where(points > 0, points, 1))[points > 0]


def losses(sample: Sample, seed: int, top: Top) -> tuple[Float64Array, Float64Array]:
    """Say what each point loses, of 1, to drawn rivals and to fixed ones; both (N,)."""
    credits, outscored = credits_of(sample, Measure.of(top)), ranks(sample, seed)
    # A difference of what is earned: exactly 0 where no drawn rival beats the point.
    most = credits.values(np.zeros_like(outscored))
    return most - credits.values(sample.n_classes - 1 - outscored), 1 - most


def effective_classes(sample: Sample, seed: int = 0, top: Top = 1) -> float:
    """Count, effectively, the classes that errors come from.

    (sum_c l_c)^2 / sum_c l_c^2, from 0 to k1: the participation ratio of what the classes lose. The
    loss l_c is the share of the points of a class that are not among the t best of all k1, or what
    they miss of another measure.
    """
    drawn, fixed = losses(sample, seed, top)
    return _sources(sample, drawn + fixed, Measure.of(top))


def _sources(sample: Sample, lost: Float64Array, measure: Measure) -> float:
    shares = None if sample.design.rivals is None else measure.shares(sample.design.rivals)
    return _effective(class_means(sample, lost, shares))


def informative_classes(sample: Sample, seed: int = 0, top: Top = 1) -> float:
    """Effective number of the classes that errors come from, or go to, whichever is less.

    No sampled class attracts what is lost to fixed rivals. With f the share of these losses, the
    number is 1 / (f / m_f + (1 - f) / m). These losses come from m_f classes, and m is the lesser
    number of the other losses.
    """
    measure = Measure.of(top)
    drawn, fixed = losses(sample, seed, measure)
    lost = [float((credits_of(sample, measure).weights * loss).sum()) for loss in (drawn, fixed)]
    fewer = min(_sources(sample, drawn, measure), attracting_classes(sample, seed, measure))
    if not lost[1]:
        return fewer
    counts = [fewer, _sources(sample, fixed, measure)]
    return sum(lost) / sum(loss / count for loss, count in zip(lost, counts, strict=True) if loss)


def attracting_classes(sample: Sample, seed: int = 0, top: Top = 1) -> float:
    """Count, effectively, the classes that errors go to.

    As `effective_classes`, of other shares: the weight of a point that errs is divided equally
    among the incorrect classes that outscore its own. One that ties counts half.
    """
    measure = Measure.of(top)
    lost, _ = losses(sample, seed, measure)
    wrong = np.flatnonzero(lost)
    weights = (credits_of(sample, measure).weights * lost)[wrong]
    if sample.design.own_rivals:
        return _effective(weights)
    shares = np.zeros(sample.n_classes)
    for here, own, scores, classes in sample.incorrect(wrong):
        value = 2.0 * (scores > own) + (scores == own)
        # An empty list has none.
        value *= (weights[here] / np.maximum(value.sum(axis=1), 1.0))[:, None]
        shares += np.bincount(classes.ravel(), value.ravel(), sample.n_classes)
    return _effective(shares)


def _effective(share: Float64Array) -> float:
    """Take the participation ratio of shares: how many they are where all are equal."""
    squares = float(np.square(share).sum())
    return float(share.sum()) ** 2 / squares if squares else 0.0
