"""Rates of open-set identification in a gallery of any size, with intervals."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from accuracy_curves.cautions import sort_cautions
from accuracy_curves.exceptions import AccuracyWarning, InputError
from accuracy_curves.extrapolators.wrong_names import WrongNames, look_for_wrong_names
from accuracy_curves.identification import make_open_set_method, observed_rates
from accuracy_curves.identification.base import OpenSetMethod, Rate
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.identification.rate_cautions import cautions_of_rates
from accuracy_curves.intervals.half_fits import LEAST_SPLITS, LEVEL
from accuracy_curves.intervals.variance import half_variance, moderated, quantile
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import ArrayLike, BoolArray, Float64Array, IntArray, log_odds
from accuracy_curves.utils.processes import tracked
from accuracy_curves.utils.representation import Described
from accuracy_curves.utils.validation import LARGEST_CLASSES, Number, Whole, check, check_classes

DEFAULT = "auto"


class Identification(Described):
    """Open-set identification: one threshold for all, a gallery of any size.

    Let S_xy be the score of search x for identity y, and s_x that for its mate. With
    F_x(T) = P(S_xy < T) and C_x = P(S_xy < s_x) the rates in a gallery of k identities at the
    threshold T are

        FPIR(k, T) = 1 - E_x[F_x(T)^k]
        FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)]

    (ISO/IEC 19795-1; with a rank R the power of C_x becomes the chance that fewer than R others
    outscore the mate). The first is 1 minus the expected accuracy at k + 1 classes of the score
    matrix whose correct scores are replaced by T. A score that equals T is accepted.

    Sizes, thresholds and rates are numbers or (n,) arrays, and are broadcast against each other.
    Thresholds are scores: a distance is accepted where it is at most T.

    Parameters
    ----------
    searches : ScoreMatrix or Searches
        Scores of searches for the K enrolled identities. A `Searches` may have some without a
        mate; FPIR is then that of those. Of verification trials the method is that of `Binomial`,
        there are no intervals, and only galleries of one are observed.
    method : str
        A key of `accuracy_curves.identification.OPEN_SET_METHODS`; by default the one to take when
        in doubt. A key of `EXTRAPOLATORS` is fitted anew for each threshold: to the score matrix
        with the threshold in place of the correct scores, and to the searches whose mate
        reaches it.
    seed : int
        Seed of every random draw.
    splits : int
        Splits into halves that give the intervals, at least 3. They are fitted for the first
        interval. Where half of the enrolled are too few for the method there is no
        interval, and its ends are not numbers.
    **options
        The method's options.

    Raises
    ------
    InputError
        If there is no such method or option.
    FitError
        If the method cannot be fitted.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(size=(100, 100)) + 4 * np.eye(100)
    >>> found = ac.Identification(ac.ScoreMatrix(scores, np.arange(100)))
    >>> found.observed_fpir([10, 99], 3.0).round(3)
    array([0.01, 0.09])
    >>> found.fpir(10_000, 5.0).shape
    (1,)
    """

    def __init__(
        self,
        searches: ScoreMatrix | Searches,
        method: str = DEFAULT,
        *,
        seed: int = 0,
        splits: int = 30,
        **options: object,
    ) -> None:
        check("splits", splits, Whole(LEAST_SPLITS))
        self.searches = Searches.of(searches)
        if self.searches.are_trials and method == DEFAULT:
            method = Binomial.name
        self.method, self.n_classes = method, self.searches.n_classes
        self._seed, self._splits, self._options = seed, splits, dict[str, Any](options)
        # Methods for accuracies are fitted to what is given, with thresholds among the scores.
        self.sample, self.model = self.searches, self._unfitted()
        if self.model.tail_scale or self.searches.sum_of_probabilities:
            self.sample = self.searches.for_tail()
        if self.searches.are_trials and not self.model.takes_trials:
            raise InputError(
                f"{method} needs all scores of each search: for trials take {Binomial.name}"
            )
        self.model.fit(self.sample)
        # Of trials there is no limit.
        self.farthest = np.inf if self.searches.are_trials else self.model.reach * self.n_classes

    def _unfitted(self) -> OpenSetMethod:
        """Make the method anew, with its options."""
        return make_open_set_method(self.method, seed=self._seed, **self._options)

    def _facts(self) -> list[str]:
        return [self.method, *self.searches._facts()]

    def _oriented(
        self, k: ArrayLike, threshold: ArrayLike, rank: int = 1
    ) -> tuple[IntArray, Float64Array]:
        """Check gallery sizes and thresholds; put these on the scale of the fit."""
        sizes, thresholds = _pairs(k, threshold, rank)
        return sizes, self.searches.oriented(thresholds)

    def too_far(self, k: ArrayLike) -> BoolArray:
        """Whether a gallery is beyond those for which the intervals were measured, (n,)."""
        sizes, _ = _pairs(k, 0.0)
        return np.asarray(sizes > self.farthest)

    def cautions(self, k: ArrayLike = (), fpir: ArrayLike = ()) -> list[AccuracyWarning]:
        """Say what makes the rates in galleries of these sizes doubtful; an empty list if nothing.

        At the thresholds of these targets. The reasons in the scores are those of
        `accuracy_curves.extrapolate`. Others are

        - ``"fpir_misfit"``: the fitted threshold of a target, or of .1, lets another share of the
          sample's own searches through, by more than 2.5 standard errors
          (`observed_rates.alarm_errors`);
        - ``"no_threshold"``: no score meets a target;
        - ``"too_far"``: a gallery is larger than the intervals were measured for;
        - ``"no_interval"``, and ``"trials"``: what a list of trials cannot show.
        """
        largest = int(_pairs(k, 0.0)[0].max(initial=1))
        rates = np.unique(_targets(1, fpir)[1])
        return sort_cautions(cautions_of_rates(self, largest, rates, self.wrong_names()))

    def wrong_names(self) -> WrongNames | None:
        """Look for wrong names among the searches with a mate; of trials there are none."""
        return None if self.searches.are_trials else look_for_wrong_names(self.searches.mated)

    def observed_fpir(self, k: ArrayLike, threshold: ArrayLike) -> Float64Array:
        """Average FPIR over all galleries of k of the enrolled identities, (n,).

        Exact and unbiased: see `observed_rates.observed_fpir`. k is at most K where some searches
        have no mate, else K - 1.
        """
        return observed_rates.observed_fpir(self.sample, *self._oriented(k, threshold))

    def observed_fnir(self, k: ArrayLike, threshold: ArrayLike, rank: int = 1) -> Float64Array:
        """Average FNIR over all galleries of k of the enrolled identities, (n,); k at most K."""
        sizes, at = self._oriented(k, threshold, rank)
        return observed_rates.observed_fnir(self.sample, sizes, at, rank, self._seed)

    def observed_threshold(self, fpir: ArrayLike) -> Float64Array:
        """Find the threshold at which FPIR in the largest observed gallery is at most a target."""
        found = observed_rates.observed_threshold(self.sample, _targets(1, fpir)[1])
        return self.searches.as_given(found)

    def least_fpir(self, k: ArrayLike) -> Float64Array:
        """Give the least FPIR but 0 that can be measured in a gallery of k, (n,).

        Of n impostor trials it is 1 - (1 - 1 / n)^k. Lower rates are not numbers, and targets have
        no threshold. Of other searches it is 0, as a tail is fitted to their scores.
        """
        return self.model.least_fpir(_pairs(k, 0.0)[0])

    def fpir(self, k: ArrayLike, threshold: ArrayLike) -> Float64Array:
        """Predict the false positive identification rate in a gallery of k, (n,)."""
        return self.model.fpir(*self._oriented(k, threshold))

    def fnir(self, k: ArrayLike, threshold: ArrayLike, rank: int = 1) -> Float64Array:
        """Predict the false negative identification rate in a gallery of k, (n,)."""
        return self.model.fnir(*self._oriented(k, threshold, rank), rank)

    def threshold(self, k: ArrayLike, fpir: ArrayLike) -> Float64Array:
        """Find the loosest threshold at which FPIR in a gallery of k is at most a target, (n,).

        Of few levels it is one. Infinite, of the sign that accepts nobody, where it would lie
        beyond every score of the sample, those of the mates included.
        """
        return self.searches.as_threshold(self.model.threshold(*_targets(k, fpir)))

    def fnir_at_fpir(self, k: ArrayLike, fpir: ArrayLike, rank: int = 1) -> Float64Array:
        """Predict FNIR in a gallery of k at the threshold of a target FPIR, (n,).

        Over a range of targets this is the DET curve at k.
        """
        return self.model.fnir_at_fpir(*_targets(k, fpir, rank), rank)

    def fpir_interval(self, k: ArrayLike, threshold: ArrayLike, level: float = LEVEL) -> Rate:
        """Predict FPIR with its interval at a nominal coverage from 0.5 to 0.999.

        On log odds it is theta +- t sqrt(V), as of `ClassIntervals`, with 9 degrees of freedom and

            V = (6 s_0^2 + 3 s^2) / 9 + b^2 + B

        s^2 is from how halves of the identities differ. s_0 is 0, as what is expected of them is
        in B. b is what theta of the halves differs by, on average, from that of all. Of auto B is
        what no data show, (theta_1 - theta_2)^2 / 4 + (theta_0 - theta)^2. Here theta_1 and theta_2
        have the shape of the tail one posterior standard deviation above and below. In theta_0
        searches differ more in larger galleries, by 0.3 in place of 0.1. The rate rises with
        k, so that a lower end is at least that in the largest gallery seen, in one ten times as
        large, and so on up to k.
        """
        sizes, thresholds = _pairs(k, threshold)
        return self._of_rate(sizes, level, threshold=thresholds)

    def fnir_interval(
        self, k: ArrayLike, threshold: ArrayLike, rank: int = 1, level: float = LEVEL
    ) -> Rate:
        """Predict FNIR with its interval, as `fpir_interval`.

        s_0^2 is the variance of as many independent mates, 1 / (n p (1 - p)). Where all or none of
        the mates are accepted, halves of them do not differ: half of a mate is added to the
        accepted and to the missed.
        """
        sizes, thresholds = _pairs(k, threshold, rank)
        return self._of_rate(sizes, level, rank, threshold=thresholds)

    def fnir_at_fpir_interval(
        self, k: ArrayLike, fpir: ArrayLike, rank: int = 1, level: float = LEVEL
    ) -> Rate:
        """Predict FNIR at the threshold of a target FPIR, with its interval, as `fnir_interval`.

        Each half has a threshold of its own, so that its error counts as well.
        """
        sizes, rates = _targets(k, fpir, rank)
        return self._of_rate(sizes, level, rank, target_fpir=rates)

    def threshold_interval(self, k: ArrayLike, fpir: ArrayLike, level: float = LEVEL) -> Rate:
        """Find the threshold of a target FPIR, with an interval for the draw of the identities.

        As `fpir_interval`, but V = s^2 + b^2 + B, on the scale of the scores, of probabilities on
        that of their log odds. An end beyond every score of the sample is infinite.
        """
        check("level", level, Number(0.5, 0.999))
        sizes, rates = _targets(k, fpir)
        question: dict[str, Any] = {"gallery_size": sizes, "target_fpir": rates}
        as_given = self.searches.as_threshold
        value = as_given(self.model.threshold(sizes, rates))
        if self.missing:
            return Rate.alone(value, **question)
        found, of_halves, beside = self._errors(
            lambda part: np.minimum(part.threshold(sizes, rates), part.largest)
        )
        width, largest = quantile(level) * np.sqrt(of_halves + beside), self.model.largest
        one, other = (
            as_given(np.where(end > largest, np.inf, end)) for end in (found - width, found + width)
        )
        return Rate(value, np.minimum(one, other), np.maximum(one, other), question)

    @property
    def missing(self) -> str:
        """Why there is no interval; empty where there is."""
        searches, needed = self.searches, 2 * self.model.minimum_classes
        if searches.are_trials:
            return "trials do not say which scores are of one person"
        if (people := len(np.unique(searches.mated.labels))) < needed:
            return f"its halves need at least {needed} enrolled people with searches, not {people}"
        return ""

    @cached_property
    def _parts(self) -> tuple[OpenSetMethod, list[OpenSetMethod], list[OpenSetMethod]]:
        """The fit to all, those to halves, and those that assume other things."""
        halves = self.sample.halves(self._splits, self._seed)
        every = tracked(halves, "halves of the identities", 2 * self._splits)
        of_halves = [self._unfitted().fit(half).on_grid() for half in every]
        others = [other.on_grid() for other in self.model.with_other_shapes()]
        return self.model.on_grid(), of_halves, others

    def _of_rate(
        self, k: IntArray, level: float, rank: int | None = None, **given: Float64Array
    ) -> Rate:
        """Find the interval of a rate, which rises with the size of the gallery.

        FPIR, or FNIR where a rank is given. What is `given` are thresholds, or targets, whose
        thresholds are roots, which take long.
        """
        from scipy.special import expit

        check("level", level, Number(0.5, 0.999))
        question: dict[str, Any] = {"gallery_size": k, **given}
        targets = "target_fpir" in given
        each = given["target_fpir"] if targets else self.searches.oriented(given["threshold"])

        def predict(part: OpenSetMethod, sizes: IntArray, at: Float64Array) -> Float64Array:
            if rank is None:
                return part.fpir(sizes, at)
            return (part.fnir_at_fpir if targets else part.fnir)(sizes, at, rank)

        value = predict(self.model, k, each)
        if self.missing:
            return Rate.alone(value, **question)
        # Smaller galleries, whose lower ends bound those of larger ones: the one seen, and so on.
        seen = self.searches.impostor.shape[1]
        smaller = seen * 10.0 ** np.arange(len(str(LARGEST_CLASSES)))
        smaller = smaller[smaller <= k.max(initial=0)].astype(np.int64)
        once, which = np.unique(each, return_inverse=True)
        sizes = np.append(k, np.tile(smaller, len(once)))
        at = np.append(each, np.repeat(once, len(smaller)))
        mates = self.model.n_mates

        def theta_of(part: OpenSetMethod) -> Float64Array:
            rates = predict(part, sizes, at)
            return log_odds(rates if rank is None else (rates * mates + 0.5) / (mates + 1))

        theta, of_halves, beside = self._errors(theta_of)
        drawn = rank is not None
        alone = drawn / (expit(theta) * expit(-theta) * mates)
        width = quantile(level) * np.sqrt(moderated(of_halves, alone) + beside)
        lower, upper = expit(theta - width), expit(theta + width)[: len(k)]
        before = lower[len(k) :].reshape(len(once), len(smaller))[which]
        before = np.where(smaller <= k[:, None], before, 0.0).max(axis=1, initial=0.0)
        lower = np.maximum(lower[: len(k)], before)
        return Rate(value, np.minimum(lower, value), np.maximum(upper, value), question)

    def _errors(
        self, predict: Callable[[OpenSetMethod], Float64Array]
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Predict by the fit to all, by fits to halves, and by fits that assume other things.

        Give the prediction, the variance from the halves, and the squares of the bias from the
        halves and of what the method assumes, each (n,).
        """
        whole, halves, others = self._parts
        found, of_halves = predict(whole), [predict(half) for half in halves]
        beside = np.square(np.mean(of_halves, axis=0) - found)
        if others:
            lower, higher, differing = map(predict, others)
            beside += np.square(higher - lower) / 4 + np.square(differing - found)
        return found, half_variance(of_halves), np.asarray(beside)


def _pairs(k: ArrayLike, other: ArrayLike, rank: int = 1) -> tuple[IntArray, Float64Array]:
    """Check gallery sizes and broadcast them against thresholds or rates, both (n,)."""
    sizes = check_classes(k, 1, "a gallery size")
    try:
        first, second = np.broadcast_arrays(sizes, np.atleast_1d(np.asarray(other, np.float64)))
    except (TypeError, ValueError) as error:
        raise InputError(
            f"gallery sizes {k!r} and {other!r} do not fit together: give one, or as many of both"
        ) from error
    if np.isnan(second).any():
        raise InputError("a threshold or a rate is not a number")
    check("rank", rank, Whole(1))
    return first, second


def _targets(k: ArrayLike, fpir: ArrayLike, rank: int = 1) -> tuple[IntArray, Float64Array]:
    """Check gallery sizes and target rates."""
    sizes, rates = _pairs(k, fpir, rank)
    wrong = rates[(rates <= 0) | (rates >= 1)]
    if wrong.size:
        raise InputError(f"a target FPIR is {wrong[0]:g}: it must be above 0 and below 1")
    return sizes, rates
