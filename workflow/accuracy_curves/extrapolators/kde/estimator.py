"""KDE: a kernel density estimate of each point's incorrect scores gives its favorability.

Bandwidths are those of R's selectors bcv, ucv and SJ, of Silverman's rule, or of the
pseudo-likelihood.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import scipy

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.extrapolators.kde.r_bridge import call_r
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import BoolArray, Float64Array, blocks
from accuracy_curves.utils.numerics import minimise_on_grid
from accuracy_curves.utils.validation import Choice

OF_R = ("bcv", "ucv", "SJ")
RULES = (*OF_R, "nrd0", "mlcv")
R_FILE = Path(__file__).with_name("bandwidths.R")
POINTS_A_CALL = 500
# Of the logarithm of a bandwidth by the pseudo-likelihood.
TOLERANCE = 1e-4
# R then numbers bins of range / 990 beyond 2^31.
FAR = 2e6
# Fewer scores than this are compared pair by pair; more are put into bins.
FEWEST_BINNED = 200
BINS, STEPS_PER_OCTAVE = 512, 4
# A binned bandwidth of fewer bins, or with a score so many bandwidths from all others, is inexact.
FEWEST_BINS, FARTHEST = 3, 7


def find_bandwidths(incorrect: Float64Array, rule: str) -> tuple[Float64Array, BoolArray, str]:
    """Find the bandwidths of ascending incorrect scores, (N, K - 1), by a rule.

    Gives the bandwidth of each point, (N,), 0 where its scores are constant; where nrd0 stands in
    for the rule; and the first error of the rule. `MissingDependencyError` if it is R's, and R is
    missing or rpy2 cannot load.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        constant = (incorrect.std(axis=1, ddof=1) == 0) | (incorrect[:, 0] == incorrect[:, -1])
        width, why, varied = np.zeros(len(incorrect)), "", ~constant
        if rule == "nrd0":
            width[varied] = silverman(incorrect[varied])
        elif rule == "mlcv":
            width[varied] = _pseudo_likelihood(incorrect[varied])
            why = "every score is tied"
        elif varied.any():
            parts, errors = zip(*_by_r(_near_zero(incorrect[varied]), rule), strict=True)
            width[varied], why = np.concatenate(parts), next(filter(None, errors), "")
        fallback = varied & ~(width > 0)
        width[fallback] = silverman(incorrect[fallback])
    return width, fallback, why


def _by_r(incorrect: Float64Array, rule: str) -> Iterator[tuple[Float64Array, str]]:
    """Yield the bandwidths of some points, as R computes them, and the first error."""
    for rows in blocks(len(incorrect), 1, POINTS_A_CALL):
        width, errors = call_r(R_FILE, incorrect[rows], rule)
        yield np.where(np.isfinite(width), width, np.nan), str(errors[0])


def _near_zero(incorrect: Float64Array) -> Float64Array:
    """Shift points whose scores are far from 0 by the smallest: R numbers bins in an integer."""
    least, most = incorrect.min(axis=1), incorrect.max(axis=1)
    far = np.maximum(np.abs(least), np.abs(most)) > FAR * (most - least)
    return np.where(far[:, None], incorrect - least[:, None], incorrect)


def silverman(scores: Float64Array) -> Float64Array:
    """Bandwidths of R's ``bw.nrd0``, Silverman's rule of thumb (1986, Eq. 3.31), of each row."""
    spread = scores.std(axis=1, ddof=1)
    quarters = np.quantile(scores, [0.25, 0.75], axis=1)
    low = np.minimum(spread, (quarters[1] - quarters[0]) / 1.34)
    for other in (spread, np.abs(scores[:, 0]), np.ones(len(scores))):
        low = np.where(low == 0, other, low)
    return 0.9 * low * scores.shape[1] ** -0.2


def _pseudo_likelihood(incorrect: Float64Array) -> Float64Array:
    """Bandwidths of the leave-one-out pseudo-likelihood, (N,), of ascending scores, (N, n).

    Of a Gaussian kernel (Cao, Cuevas and Gonzalez Manteiga 1994): the h that maximises
    sum_i log f_{-i}(x_i). NaN where every score is tied. Many scores are put into bins, but for
    points whose bandwidth is too small for the bins.
    """
    n = incorrect.shape[1]
    if n < FEWEST_BINNED:
        return np.array([_by_pairs(scores) for scores in incorrect])
    width = np.concatenate([_by_bins(incorrect[rows]) for rows in blocks(len(incorrect), BINS)])
    gaps = np.pad(np.diff(incorrect), ((0, 0), (1, 1)), constant_values=np.inf)
    loneliest = np.minimum(gaps[:, 1:], gaps[:, :-1]).max(axis=1)
    smallest = FEWEST_BINS * np.ptp(incorrect, axis=1) / (BINS - 1)
    inexact = (width < smallest) | (loneliest > FARTHEST * width) | (loneliest == 0)
    for point in np.flatnonzero(inexact):
        width[point] = _by_pairs(incorrect[point])
    return width


def _by_bins(incorrect: Float64Array) -> Float64Array:
    """Maximise the pseudo-likelihood of scores that are split between the two nearest of 512 bins.

    The sum of kernels at every bin is a product with one matrix for all points. It is interpolated
    at each score, whose own share is subtracted. A quartic through five steps has the maximum.
    Where the derivative is 0, h^2 is at most the mean squared distance of pairs.
    """
    # Only needed here: importing it takes a while.
    from scipy.linalg import toeplitz
    from scipy.sparse import csr_array

    points, n = incorrect.shape
    bin_width = np.ptp(incorrect, axis=1) / (BINS - 1)
    position = (incorrect - incorrect[:, :1]) / bin_width[:, None]
    lower = np.minimum(position.astype(np.int64), BINS - 2)
    right = position - lower
    lower += BINS * np.arange(points)[:, None]
    pairs = [np.stack(pair, axis=-1).ravel() for pair in ((1 - right, right), (lower, lower + 1))]
    shares = csr_array(
        (*pairs, np.arange(0, 2 * points * n + 1, 2)), shape=(points * n, points * BINS)
    )
    counts = (shares.T @ np.ones(points * n)).reshape(points, BINS)
    between = 2 * (right * (1 - right)).ravel()
    largest = np.log2(np.sqrt(2) * incorrect.std(axis=1, ddof=1) / bin_width).max()
    log_h = np.log(2) * np.arange(1, largest + 3 / STEPS_PER_OCTAVE, 1 / STEPS_PER_OCTAVE)
    loss = np.empty((len(log_h), points))
    for step, at in enumerate(log_h):
        kernel = np.exp(-0.5 * np.square(np.arange(BINS) * np.exp(-at)))
        others = shares @ (counts @ toeplitz(kernel)).ravel()
        others -= 1 - between * (1 - kernel[1])
        likelihood = np.log(np.maximum(others, np.finfo(np.float64).eps)).reshape(points, n)
        loss[step] = n * at - likelihood.sum(axis=1)
    best = np.clip(loss.argmin(axis=0), 2, len(log_h) - 3)
    steps = np.arange(-2.0, 3.0)
    values = np.take_along_axis(loss, best + steps.astype(int)[:, None], axis=0)
    offsets = np.linspace(-1, 1, 401)
    quartic = np.vander(offsets, 5) @ np.linalg.solve(np.vander(steps), values)
    offset = offsets[quartic.argmin(axis=0)] * np.log(2) / STEPS_PER_OCTAVE
    return np.asarray(bin_width * np.exp(log_h[best] + offset))


def _by_pairs(scores: Float64Array) -> float:
    """Maximise the pseudo-likelihood of a point's ascending scores by the distances of all pairs.

    Where its derivative is 0, h^2 is a weighted mean of the squared distances of pairs, at least
    the mean squared distance to the nearest neighbour and at most the squared range: that is the
    interval. There may be several local maxima: steps of a factor 2 find the one to refine.
    """
    n, gaps = len(scores), np.diff(scores)
    nearest = np.square(np.minimum(np.append(np.inf, gaps), np.append(gaps, np.inf)))
    if not nearest.any():
        return np.nan
    lower, upper = np.log(nearest.mean()) / 2, np.log(scores[-1] - scores[0])
    if upper - lower < TOLERANCE:
        return float(np.exp(upper))
    # Less the nearest distance, so that no sum of exponentials underflows to 0.
    beyond = np.square(scores[:, None] - scores) - nearest[:, None]
    np.fill_diagonal(beyond, np.inf)

    def loss(log_h: float) -> float:
        slope = -0.5 * np.exp(-2.0 * log_h)
        likelihood = np.log(np.exp(slope * beyond).sum(axis=1)).sum() + slope * nearest.sum()
        return float(n * log_h - likelihood)

    grid = np.linspace(lower, upper, 1 + int(np.ceil((upper - lower) / np.log(2))))
    return float(np.exp(minimise_on_grid(loss, grid, TOLERANCE)))


log = logging.getLogger(__name__)


class KDE(FavorabilityExtrapolator):
    """Kernel density estimates of the incorrect scores (Kay et al. 2008; Zheng et al. 2018).

    The favorability of a point x with the incorrect scores s_1..s_{k1 - 1} is the distribution
    function of their Gaussian kernel density estimate, at the correct score:

        C_x = 1 / (k1 - 1) * sum_j Phi((s_correct - s_j) / h_x)

    The bandwidth h_x is what ``density(incorrect, bw = ...)`` of R's stats package computes: by R
    itself, through rpy2 (extra `kde`), but for nrd0 and mlcv, which R has not.
    Points are taken in blocks, so that a memory-mapped matrix of scores needs little memory.

    If the incorrect scores of a point are constant the bandwidth is 0, and C_x is 1, 1/2 or 0
    as the correct score is above, equal or below. If the rule fails for another reason (such
    as "sample is too sparse to find TD" of SJ), R's default rule nrd0 stands in. Both are counted
    and logged.

    Parameters
    ----------
    bandwidth : {"bcv", "ucv", "SJ", "nrd0", "mlcv"}
        R's biased or unbiased cross-validation, Sheather and Jones' solve-the-equation,
        Silverman's rule of thumb, or pseudo-likelihood cross-validation (Cao, Cuevas and
        Gonzalez Manteiga 1994). From 200 incorrect scores on the last one uses 512 bins.
    transformation : {"none", "square_root", "log"}
        Function of the scores, applied first; "square_root" needs scores of at least 0, "log"
        scores above 0. It changes no rank, and so no observed accuracy, but the curve: the
        kernels have one width on another scale.
    seed : int
        Not used: nothing is random.

    Attributes
    ----------
    favorability_ : (N,) array of float
        Estimates of C_x in [0, 1].
    weights_ : (N,) array of float
        Weights of the points, summing to 1.
    bandwidth_ : (N,) array of float
        Bandwidths h_x, in units of the scores.
    n_constant_ : int
        Number of points with constant incorrect scores.
    n_fallback_ : int
        Number of points whose bandwidth is nrd0's because the chosen rule failed.

    Raises
    ------
    MissingDependencyError
        By `fit` with bcv, ucv or SJ, if R is missing or rpy2 cannot load.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=50, points_per_class=2)
    >>> model = ac.KDE(bandwidth="ucv").fit(matrix)
    >>> model.favorability_.shape, model.predict([50, 500]).shape
    ((100,), (2,))
    """

    name = "kde"
    label = "KDE"
    color = "#CC79A7"
    reach = 0  # Its curve misses the accuracy at k1 itself (benchmarks/studies/reach.py).
    splits = 10  # There is a bandwidth for every point of every half.

    bandwidth: Annotated[str, Choice(*RULES)] = "bcv"
    transformation: Annotated[str, Choice("none", "square_root", "log")] = "none"

    def __post_init__(self) -> None:
        super().__post_init__()
        self.extra = "kde" if self.bandwidth in OF_R else None

    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        favorability, width = np.empty((2, sample.n_points))
        self.n_fallback_, failure = 0, ""
        for rows, own, others, _ in sample.incorrect(np.arange(sample.n_points)):
            correct, incorrect = (
                transformed(part.astype(np.float64), self.transformation, sample.higher_is_better)
                for part in (own[:, 0], np.sort(others, axis=1)[:, :-1])
            )
            width[rows], fallback, why = find_bandwidths(incorrect, self.bandwidth)
            favorability[rows] = _kernel_cdf(correct, incorrect, width[rows])
            self.n_fallback_ += int(np.count_nonzero(fallback))
            failure = failure or why
        self.bandwidth_, self.n_constant_ = width, int(np.count_nonzero(width == 0))
        if self.n_constant_:
            text = "%d of %d points have constant incorrect scores: their bandwidth is 0"
            log.warning(text, self.n_constant_, len(width))
        if self.n_fallback_:
            text = "the %s bandwidth failed for %d of %d points, nrd0 stands in: %s"
            log.warning(text, self.bandwidth, self.n_fallback_, len(width), failure)
        return favorability


def transformed(scores: Float64Array, how: str, higher_is_better: bool = True) -> Float64Array:
    """Transform scores by a rising function; `scores` are negated if lower ones were better."""
    if how == "none":
        return scores
    sign = 1.0 if higher_is_better else -1.0
    original = sign * scores
    least = float(original.min())
    if least < 0 or (how == "log" and least == 0):
        raise FitError(
            f"kde cannot take the {how.replace('_', ' ')} of the score {least:g}: it needs scores "
            f"{'above' if how == 'log' else 'of at least'} 0"
        )
    function = np.log if how == "log" else np.sqrt
    return np.asarray(sign * function(original))


def _kernel_cdf(
    correct: Float64Array, incorrect: Float64Array, width: Float64Array
) -> Float64Array:
    """Mean of Phi((correct - incorrect) / width) of every point; a step where the width is 0."""
    result = np.empty(len(correct))
    for block in blocks(*incorrect.shape):
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            above = correct[block, None] - incorrect[block]
            values = scipy.special.ndtr(above / width[block, None])
        step = width[block] == 0
        values[step] = 0.5 + 0.5 * np.sign(above[step])
        result[block] = values.mean(axis=1)
    return result
