"""How much a prediction varies and errs, from fits to halves of the classes: see `variance`."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, cast

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.fitted import Prepared
from accuracy_curves.intervals.variance import expected_variance, half_variance, moderated
from accuracy_curves.observed.accuracy import average_accuracy, informative_classes
from accuracy_curves.observed.measures import Measure, Top, credits_of
from accuracy_curves.scores.parts import random_halves
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray, log_odds
from accuracy_curves.utils.processes import in_processes, tracked
from accuracy_curves.utils.validation import Whole, check

LEAST_SPLITS = 3
# Nominal coverage, unless another is given.
LEVEL = 0.9
# Of `HalfFits.variance_of_parts`: so much of how the parts of a method disagree, and of the bias of
# each. The halves do not show a bias whose square is well below 3 / m.
DISAGREEMENT, PART_BIAS, UNSEEN_BIAS = 0.75, 0.3, 3.0
# Of log odds at each doubling, of classes that are learned anew (benchmarks/studies/trained.py).
TRAINING_ERROR = 0.1


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
    changed. Without splits a method is fitted to all classes alone. `InputError` if half of the
    classes are too few for a method, none of a half's classes has a point, or the sample cannot be
    divided; `FitError` if a method cannot be fitted.
    """
    if any(splits) and not as_sample(sample).is_divisible:
        raise InputError(
            f"intervals need a ScoreMatrix or a DistanceMatrix, whose classes can be divided into "
            f"halves, not {type(sample).__name__}"
        )
    sample.check_lengths()
    if sample.design.newcomers is not None:
        from accuracy_curves.intervals.newcomers import fit_joined

        return fit_joined(cast(ScoreMatrix, sample), methods, splits, seed, jobs)
    for method, n in zip(methods, splits, strict=True):
        if not n:
            continue
        check("splits", n, Whole(LEAST_SPLITS))
        needed = method.classes_for_halves
        if sample.n_classes < needed:
            raise InputError(
                f"an interval of {method.name} needs at least {needed} classes, as the method "
                f"is fitted to halves of them: the sample has {sample.n_classes}; add "
                "classes, or take a method that needs fewer, such as regression"
            )
    # A column of every point's own score stays in each half.
    n_drawn = sample.n_classes - (sample.design.owners is not None)
    halves = (classes for classes, _ in random_halves(n_drawn, max(splits), seed))
    # Once, and not in each process.
    prepared = [method.prepare(sample) for method in methods]
    # All classes first: where the fits are spread, the longest one is not the last.
    parts = [(-1, None), *enumerate(halves)]
    fits = in_processes(_fit_part, parts, prepared, methods, splits, seed, jobs=jobs)
    whole, *of_halves = tracked(fits, "fits to halves", len(parts))
    return [
        HalfFits(
            prepared[place].sample.reduced,
            whole[place].model,
            [half[place] for half in of_halves[: 2 * most]],
            seed,
        )
        for place, most in enumerate(splits)
    ]


class PartFit(NamedTuple):
    """A fit to some of the classes: the accuracy seen on them, and the method."""

    accuracy: float
    model: Extrapolator


def _fit_part(
    prepared: Sequence[Prepared],
    methods: Sequence[Extrapolator],
    splits: Sequence[int],
    seed: int,
    part: tuple[int, IntArray | None],
) -> dict[int, PartFit]:
    """Fit each method to some of the classes of what it prepared; by the methods' places.

    `part` is the number of the half and its classes, or -1 and None for all. A method is fitted to
    the halves of its own splits.
    """
    number, classes = part

    @cache
    def of_half(whole: Sample) -> Sample:
        return whole if classes is None else whole.select_classes(classes)

    part_fits = {}
    for place, (whole, method, most) in enumerate(zip(prepared, methods, splits, strict=True)):
        if number < 2 * most:
            chosen = of_half(whole.sample.reduced)
            accuracy = float(average_accuracy(chosen, chosen.counted_classes, seed)[0])
            half = Prepared(of_half(whole.sample), whole.shared)
            part_fits[place] = PartFit(accuracy, method.fit_part(half))
    return part_fits


class _AtK1(NamedTuple):
    """What was `seen` at k1: the accuracy, how many classes show its errors, and the biases.

    These are b of the method, then of each of its parts.
    """

    seen: float
    erring: float
    biases: Float64Array


class HalfFits:
    """A method fitted to k1 classes and to random halves of them, and the variance that follows.

    The squared error of the log odds of the predicted accuracy at k classes is that of the halves,

        s^2 = mean of (theta_A - theta_B)^2 / 4 + b^2 log2(k / k1),

    and moderated by what is expected (`moderated`). The first term is the variance
    of the draw of the classes: theta_A and theta_B are log odds at k of the fits to both halves of
    a split. The second is the method's bias: the fits to halves extrapolate to k1 classes, where
    the accuracy was observed. b is the mean of their log odds at k1, minus those observed. Every
    doubling of the classes beyond k1 adds an error of this size, each by itself. No log odds
    are beyond those of half a point that errs (`log_odds`), as N points show no more.
    Of a method that mixes several parts the second term is another one, `variance_of_parts`, which
    is added to the moderated variance.

    `misfit_error` is the standard error of the curve at k1 less the observed accuracy, from how
    this differs between the halves of a split.

    The accuracy on one set of k classes varies about its expectation with variance D / k on the
    scale of arcsin sqrt A. D / (k1 / 2) is half the mean squared difference of the accuracies
    observed on two halves. D (`set_variance`) is at least that of independent points, 1 / (4 r)
    with r points a class. Its prediction interval adds this to the interval, in squares on that
    scale.

    `fitted` is the fit to all classes, `parts` are those to both halves of a split, then to those
    of the next; `seed` breaks ties. Without halves `misfit_error` and `set_variance` are NaN.
    """

    def __init__(
        self, sample: Sample, fitted: Extrapolator, parts: Sequence[PartFit], seed: int = 0
    ) -> None:
        self.n_classes, self.fitted = sample.counted_classes, fitted
        self.part_fits, half = parts, self.n_classes // 2
        self.halves = [part.model for part in parts]
        self._sample, self._seed, self._least = sample, seed, 0.5 / sample.n_points
        # Found once: a search for a target needs hundreds of intervals.
        self._at_k1_of_measure: dict[Measure, _AtK1] = {}
        self._of_halves: dict[tuple[Measure, bytes], tuple[Float64Array, Float64Array | None]] = {}
        self.set_variance = self.misfit_error = np.nan
        if not self.halves:
            return
        first, second = angle_of([part.accuracy for part in parts]).reshape(-1, 2).T
        missed = [part.model.predict(half) - part.accuracy for part in parts]
        self.misfit_error = float(np.sqrt(half_variance(missed)[0]))
        own = len(np.unique(sample.sources)) * sample.design.group_size
        self.set_variance = max(
            float(np.square(first - second).mean() / 2) * half, own / (4 * sample.n_points)
        )

    def variance(
        self,
        k: ArrayLike,
        top: Top = 1,
        *,
        sample_classes: int | None = None,
    ) -> Float64Array:
        """Estimate the squared error of the log odds of the predicted accuracy, (n,).

        It falls with the number n of classes that are sampled: the k1 that were, or
        `sample_classes`. As the error rate e rises with n, more of these classes err, and the
        variance falls like 1 / (n e(n)), with the predicted e. How parts disagree stays.
        """
        question = Measure.of(top), np.asarray(k).tobytes()
        if question not in self._of_halves:
            thetas = [self.log_odds(part.predict(k, top), top) for part in self.halves]
            self._of_halves[question] = half_variance(thetas), self.variance_of_parts(k, top)
        of_halves, of_parts = self._of_halves[question]
        sampled = sample_classes or self.n_classes
        seen, erring, (bias, *_) = self._at_k1(top)
        doublings = np.log2(np.asarray(k, dtype=np.float64) / sampled).clip(min=0.0)
        ratio = 1.0
        if sampled != self.n_classes:
            predicted = self.fitted.predict([self.n_classes, sampled], top) / self.largest(top)
            now, then = predicted.clip(self._least, 1 - self._least)
            ratio = self.n_classes * (1 - now) / (sampled * (1 - then))
            seen *= then / now
        of_sample = ratio * (of_halves + (bias**2 * doublings if of_parts is None else 0.0))
        expected = self._expected(k, top, erring / ratio, seen, doublings)
        moderate = moderated(of_sample, expected)
        moderate += self._variance_of_training(k)
        return moderate if of_parts is None else moderate + of_parts

    def _expected(
        self, k: ArrayLike, top: Top, erring: float, seen: float, doublings: Float64Array
    ) -> Float64Array:
        """Expect the squared error of the log odds, (n,), before any fit to halves."""
        return expected_variance(erring, seen, doublings)

    def _variance_of_training(self, k: ArrayLike) -> Float64Array:
        """Expect the squared error of the log odds by the training on more classes, (n,)."""
        return np.square(TRAINING_ERROR * self._sample.design.doublings(k))

    def variance_of_parts(self, k: ArrayLike, top: Top = 1) -> Float64Array | None:
        """Find how much the parts of a method disagree, and what their bias adds up to, (n,).

            0.75 sum_i w_i (theta_i - theta)^2 + 0.3 D^2 sum_i w_i b_i^4 / (b_i^2 + 3 / m)

        w_i are the weights of the parts, theta_i their log odds at k, theta the mean of these. b_i
        is what their fits to halves miss at k1, as b, and D = log2(k / k1). A bias that is seen
        adds up with every doubling. Of two parts the first sum is w_1 w_2 (theta_1 - theta_2)^2.
        None of a method without parts.
        """
        parts = self.fitted.parts
        if len(parts) == 1:
            return None
        doublings = np.log2(np.asarray(k, dtype=np.float64) / self.n_classes).clip(min=0.0)
        weights = np.array([weight for weight, _ in parts])
        shares = self.fitted.predict_parts(k, top)[1:] / self.largest(top)
        theta = log_odds(shares.clip(self._least, 1 - self._least))
        apart = np.average(np.square(theta - np.average(theta, 0, weights)), 0, weights)
        _, erring, biases = self._at_k1(top)
        squares = np.square(biases[1:])
        bias = np.average(squares**2 / (squares + UNSEEN_BIAS / (erring + 0.2)), weights=weights)
        return np.asarray(DISAGREEMENT * apart + PART_BIAS * bias * np.square(doublings))

    def variance_of_difference(self, other: "HalfFits", k: ArrayLike, top: Top = 1) -> Float64Array:
        """Estimate the squared error of the difference of two systems' log odds, (n,).

        As `variance` of one system, of fits to the same halves. The halves show

            s^2 = mean of (delta_A - delta_B)^2 / 4 + (b_2 - b_1)^2 log2(k / k1)

        with delta_A and delta_B the differences of both systems on the halves of a split; and what
        is expected, e_1 + e_2 - 2 rho sqrt(e_1 e_2), with rho the correlation, over the splits, of
        how much the halves of each system differ. `variance_of_parts` of both is taken together
        likewise, in place of the last term of s^2.
        """
        doublings = np.log2(np.asarray(k, dtype=np.float64) / self.n_classes).clip(min=0.0)
        systems = self, other
        thetas = [[s.log_odds(half.predict(k, top), top) for half in s.halves] for s in systems]
        (seen, erring, biases), (seen_2, erring_2, biases_2) = (s._at_k1(top) for s in systems)
        one, two = np.array(thetas)[:, 0::2] - np.array(thetas)[:, 1::2]
        of_halves = np.square(two - one).mean(axis=0) / 4
        spread = np.sqrt(np.square(one).sum(axis=0) * np.square(two).sum(axis=0))
        rho = (one * two).sum(axis=0) / np.where(spread > 0, spread, np.inf)

        def of_both(a: Float64Array, b: Float64Array) -> Float64Array:
            return np.maximum(a + b - 2 * rho * np.sqrt(a * b), 0.0)

        e_1 = expected_variance(erring, seen, doublings)
        e_2 = expected_variance(erring_2, seen_2, doublings)
        parts, parts_2 = (s.variance_of_parts(k, top) for s in systems)
        variance = sum(s._variance_of_training(k) for s in systems)
        if parts is None or parts_2 is None:
            of_halves += (biases_2[0] - biases[0]) ** 2 * doublings
        else:
            variance += of_both(parts, parts_2)
        return variance + moderated(of_halves, of_both(e_1, e_2))

    def largest(self, top: Top = 1) -> float:
        """Find the largest value of a measure, below 1 of precision alone."""
        measure = Measure.of(top)
        return credits_of(self._sample, measure).largest if measure.name == "precision" else 1.0

    def log_odds(self, accuracy: ArrayLike, top: Top = 1) -> Float64Array:
        """Scale of the intervals: log odds, at most those of half a point that errs."""
        share = np.asarray(accuracy) / self.largest(top)
        return log_odds(np.minimum(share, 1 - self._least))

    def effective_classes(self, top: Top = 1) -> float:
        """Effective number of the classes that errors come from, or go to, whichever is less.

        See `observed.accuracy`: the accuracy varies with the sample of either.
        """
        return self._at_k1(top).erring

    def seen(self, top: Top = 1) -> float:
        """Share of the best of a measure that was observed on all classes."""
        observed = average_accuracy(self._sample, self.n_classes, self._seed, top=Measure.of(top))
        return max(float(observed[0]) / self.largest(top), self._least)

    def _at_k1(self, top: Top) -> _AtK1:
        """Find the accuracy observed at k1, the number of classes that show errors, and biases."""
        measure = Measure.of(top)
        if measure not in self._at_k1_of_measure:
            least, largest = self._least, self.largest(measure)
            k1, seen = self.n_classes, self.seen(measure)
            shares = np.array([part.predict_parts(k1, measure)[:, 0] for part in self.halves])
            theta = log_odds((shares / largest).clip(least, 1 - least))
            biases = theta.mean(axis=0) - log_odds(min(seen, 1 - least))
            erring = informative_classes(self._sample, self._seed, measure)
            self._at_k1_of_measure[measure] = _AtK1(seen, erring, biases)
        return self._at_k1_of_measure[measure]


def angle_of(accuracy: ArrayLike) -> Float64Array:
    """Scale on which the variance of a share of independent points does not depend on it."""
    return np.asarray(np.arcsin(np.sqrt(np.asarray(accuracy, dtype=np.float64))))


def accuracy_of_angle(angle: Float64Array) -> Float64Array:
    """Back from the scale of `angle_of`, cut to [0, 1]."""
    return np.asarray(np.square(np.sin(np.clip(angle, 0.0, np.pi / 2))))
