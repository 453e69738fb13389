"""How much a prediction varies and errs, from fits to halves of the classes."""

import copy
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_variance import (
    Spread,
    angle_of,
    log_odds,
    spread_of,
    variance_of_draw,
)
from accuracy_curves.observed.accuracy import average_accuracy, erring_classes
from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.ranks import as_ranked
from accuracy_curves.scores.score_matrix import MINIMUM_CLASSES, ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.processes import in_processes
from accuracy_curves.utils.progress import tracked
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import check_whole

LEAST_SPLITS = 3

# By how much a curve errs in log odds with each doubling, however many classes it was fitted to:
# the root mean square over the populations of benchmarks/populations.py, for the method `auto`.
CURVE_ERROR = 0.035

# What can be divided into halves: ranks alone cannot.
Sample = ScoreMatrix | DistanceMatrix


def random_halves(n_classes: int, n: int, seed: int = 0) -> Iterator[IntArray]:
    """Split k1 classes, at least 6, into two halves at random, n times.

    Yields the classes of both disjoint halves of a split, ascending, then those of the next: k1 //
    2 classes each, of an odd number one class is left out.
    """
    half = n_classes // 2
    rng = np.random.default_rng(derive_seed(seed, "intervals", "splits"))
    for _ in range(n):
        order = rng.permutation(n_classes)
        yield np.sort(order[:half])
        yield np.sort(order[half : 2 * half])


def fit_halves(
    sample: Sample,
    methods: Sequence[Extrapolator],
    splits: Sequence[int],
    seed: int = 0,
    *,
    jobs: int = 1,
) -> "list[HalfFits]":
    """Fit methods to a sample and to random halves of its classes; `splits` of each method.

    The halves are the same for all methods. One half is in memory at a time, or one in each of
    `jobs` processes, and what the methods ask of it is found once. The methods themselves are not
    changed. `InputError` if half of the classes are too few for a method, none of a half's classes
    has a point, or the sample cannot be divided; `FitError` if a method cannot be fitted.
    """
    if not isinstance(as_ranked(sample), Sample):
        raise InputError(
            f"intervals need a ScoreMatrix or a DistanceMatrix, whose classes can be divided into "
            f"halves, not {type(sample).__name__}"
        )
    half = sample.n_classes // 2
    for method, n in zip(methods, splits, strict=True):
        check_whole("splits", n, LEAST_SPLITS)
        needed = max(MINIMUM_CLASSES, method.minimum_classes)
        if half < needed:
            raise InputError(
                f"an interval of {method.name} needs at least {2 * needed} classes, as the method "
                f"is fitted to halves of them: the sample has {sample.n_classes}; add "
                "classes, or take a method that needs fewer, such as regression"
            )
    halves = random_halves(sample.n_classes, max(splits), seed)
    # All classes first: where the fits are spread, the longest one is not the last.
    parts = [(-1, None), *enumerate(halves)]
    fits = in_processes(_fit_part, parts, sample, methods, splits, seed, jobs=jobs)
    whole, *found = tracked(fits, "fits to halves", len(parts))
    observed = [accuracy for accuracy, _ in found]
    return [
        HalfFits(
            sample,
            whole[1][place],
            [models[place] for _, models in found[: 2 * most]],
            observed[: 2 * most],
            seed,
        )
        for place, most in enumerate(splits)
    ]


def _fit_part(
    sample: Sample,
    methods: Sequence[Extrapolator],
    splits: Sequence[int],
    seed: int,
    part: tuple[int, IntArray | None],
) -> tuple[float, dict[int, Extrapolator]]:
    """Fit to some of the classes: the accuracy observed on them, and the methods by their places.

    `part` is the number of the half and its classes, or -1 and None for all. A method is fitted to
    the halves of its own splits.
    """
    number, classes = part
    chosen = sample if classes is None else sample.select_classes(classes)
    accuracy = float(average_accuracy(chosen, chosen.n_classes, seed)[0])
    return accuracy, {
        place: copy.copy(method).fit(chosen)
        for place, (method, most) in enumerate(zip(methods, splits, strict=True))
        if number < 2 * most
    }


# So many, with which the degrees of freedom were measured.
SPLITS = 30


def least_share(n_classes: int) -> float:
    """Lower bound of the variance from halves of k1 classes, see `HalfFits`."""
    return min(1.0, 0.5 + 8 / n_classes)


def degrees_of_freedom(n_classes: int, splits: int) -> float:
    """Degrees of freedom of an interval from so many splits of k1 classes, see `HalfFits`."""
    of_classes = min(15.0, max(4.0, n_classes / 4))
    return 1 / (1 / of_classes + max(0.0, 1 / splits - 1 / SPLITS))


class HalfFits:
    """A method fitted to k1 classes and to random halves of them, and the variances that follow.

    How they differ tells the variance of the draw of classes on the scale theta = log(A / (1 - A))
    (`class_variance`). As that is noisy, it is bounded below by a share of the mean square of
    (theta_A - theta_B) / 2, theta_A and theta_B from the halves of one split: by half of it, and
    with few classes more (`least_share`), since fits to halves of few classes also vary for other
    reasons, which would wrongly be taken off. With 30 splits and 60 or more classes its coefficient
    of variation was about 0.37 in simulations, that of chi-squared over its 2 / 0.37^2 = 15 degrees
    of freedom; with fewer classes it is larger, and with fewer splits too: a mean of n squares has
    the squared coefficient of variation 2 / n. The intervals are theta +- t times its root, t
    Student's with `degrees_of_freedom`,

        1 / (1 / min(15, max(4, k1 / 4)) + max(0, 1 / splits - 1 / 30)).

    From few errors the halves cannot tell the variance: without any they agree that there are none.
    So it is also bounded below by 1 / (m + 1/2)^2, with m the number of classes that errors come
    from (`erring_classes`), (sum_c l_c)^2 / sum_c l_c^2, l_c the share of class c's points that are
    not recognised among all k1.

    Log odds suit a share near 1: its few errors decide both the accuracy and its variance, so that
    a sample that is too good by chance also looks too certain, and the interval must reach further
    down than up.

    A method is biased besides, and its fits to halves tell: they extrapolate to k1 classes, where
    the accuracy was `observed`. Let b be the mean of their theta at k1, minus that observed. Every
    doubling of the classes beyond k1 is taken to add an error of this size, each by itself. Where
    halves err as all classes do, b tells nothing; and V falls with the number of classes, which no
    curve's own error does. So every doubling adds 0.035 as well, and all of them in one direction:
    that is the error in populations of known accuracy (`CURVE_ERROR`), and the only constant of the
    bias that comes from data. With d = log2(k / k1), b^2 d + (0.035 d)^2 is added to the variance.
    `backtest` is the same error as a difference of accuracies. `misfit` is by how much the fits to
    halves miss the accuracy of those same halves, on average, and `misfit_error` its standard error
    for the draw of classes, from how the two halves of a split differ.

    The accuracy on one set of k classes varies about its expectation with variance D / k on the
    scale of arcsin sqrt A, where D / (k1 / 2) is half the mean squared difference of the accuracies
    observed on two halves, and D (`set_variance`) is at least 1 / (4 r) with r points a class, that
    of independent points. Its prediction interval adds this to the interval, in squares on that
    scale.

    `fitted` is the fit to all classes, `halves` the fits to both halves of a split, then to those
    of the next, and `observed` the accuracies of the same halves; `seed` breaks ties.
    """

    def __init__(
        self,
        sample: Sample,
        fitted: Extrapolator,
        halves: Sequence[Extrapolator],
        observed: Sequence[float],
        seed: int = 0,
    ) -> None:
        self.n_classes, self.fitted, self.halves = sample.n_classes, fitted, list(halves)
        half, splits = sample.n_classes // 2, len(self.halves) // 2
        self._sample, self._seed = sample, seed
        self._bias_of_top: dict[int, float] = {}
        at_k1 = np.mean([part.predict(self.n_classes)[0] for part in self.halves])
        self.observed = float(average_accuracy(sample, self.n_classes, seed)[0])
        self.backtest = float(at_k1 - self.observed)
        own_fit = np.array([part.predict(half)[0] for part in self.halves]).clip(0.0, 1.0)
        missed = (own_fit - np.array(observed)).reshape(-1, 2)
        self.misfit = float(missed.mean())
        self.misfit_error = float(np.sqrt(np.square(missed[:, 0] - missed[:, 1]).mean()) / 2)
        first, second = angle_of(np.array(observed)).reshape(-1, 2).T
        own = len(np.unique(sample.labels))
        self.set_variance = max(
            float(np.square(first - second).mean() / 2) * half, own / (4 * sample.n_points)
        )
        self.erring_classes = erring_classes(sample, seed)
        self.least_share = least_share(sample.n_classes)
        self.degrees_of_freedom = degrees_of_freedom(sample.n_classes, splits)

    def variance(
        self, k: npt.ArrayLike, top: int = 1, *, sample_classes: float | None = None
    ) -> Float64Array:
        """Estimate the variance of the log odds of the predicted accuracy, for the draw of classes.

        Its part V_1 falls with 1 / n and its part V_2 with 1 / n^2, where n classes are sampled:
        the k1 that were, or `sample_classes`.
        """
        return self.variance_of(self.spread(k, top), sample_classes)

    def spread(self, k: npt.ArrayLike, top: int = 1) -> Spread:
        """Find how much the fits to halves differ in the log odds of what they predict."""
        return spread_of([log_odds(part.predict(k, top)) for part in self.halves])

    def variance_of(self, spread: Spread, sample_classes: float | None = None) -> Float64Array:
        """Estimate the variance from a spread, as `variance`."""
        ratio = self.n_classes / (sample_classes or self.n_classes)
        found = variance_of_draw(spread, self.least_share, ratio)
        least = 1.0 / (self.erring_classes / ratio + 0.5) ** 2
        return found.clip(min=least)

    def squared_bias(
        self, k: npt.ArrayLike, top: int = 1, *, sample_classes: float | None = None
    ) -> Float64Array:
        """Estimate the squared bias of the log odds of the predicted accuracy, (n,).

        b^2 d + (0.035 d)^2 with d = log2(k / n) above n classes, 0 up to there; with
        `sample_classes` b^2 falls with 1 / n.
        """
        sampled = sample_classes or self.n_classes
        doublings = np.log2(np.asarray(k, dtype=np.float64) / sampled).clip(min=0.0)
        of_sample = self.bias(top) ** 2 * self.n_classes / sampled
        return of_sample * doublings + np.square(CURVE_ERROR * doublings)

    def bias(self, top: int = 1) -> float:
        """Find b, how far the fits to halves miss the log odds of the accuracy observed at k1.

        Half a point that is not recognised is the least that is told from none.
        """
        # Counted once: a search for a target asks for hundreds of intervals.
        if top not in self._bias_of_top:
            least = 0.5 / self._sample.n_points
            seen = average_accuracy(self._sample, self.n_classes, self._seed, top=top)[0]
            found = [part.predict(self.n_classes, top)[0] for part in self.halves]
            at_k1 = log_odds(np.clip([seen, *found], least, 1 - least))
            self._bias_of_top[top] = float(at_k1[1:].mean() - at_k1[0])
        return self._bias_of_top[top]
