"""Intervals of rates and thresholds for the draw of the identities, from fits to halves of them."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import expit

from accuracy_curves.identification.base import Rates
from accuracy_curves.identification.fitted_rates import FittedRates
from accuracy_curves.identification.rate import Rate
from accuracy_curves.intervals.variance import half_variance, moderated, quantile
from accuracy_curves.utils.arrays import Float64Array, IntArray, log_odds
from accuracy_curves.utils.progress import tracked
from accuracy_curves.utils.validation import LARGEST_CLASSES, Number, check


class RateIntervals:
    """Fits to random halves of the identities, and the intervals that follow.

    They are fitted for the first interval. See `Identification.fpir_interval`.
    """

    def __init__(self, fit: FittedRates, splits: int) -> None:
        self._fit, self._splits = fit, splits

    @property
    def missing(self) -> str:
        """Why there is no interval; empty where there is."""
        searches, needed = self._fit.searches, 2 * self._fit.model.minimum_classes
        if searches.are_trials:
            return "trials do not say which scores are of one person"
        if (people := len(np.unique(searches.mated.labels))) < needed:
            return f"its halves need at least {needed} enrolled people with searches, not {people}"
        return ""

    @cached_property
    def _halves(self) -> list[Rates]:
        halves = self._fit.sample.halves(self._splits, self._fit.seed)
        every = tracked(halves, "halves of the identities", 2 * self._splits)
        return [self._fit.unfitted().fit(half).on_grid() for half in every]

    @cached_property
    def _quick(self) -> Rates:
        return self._fit.model.on_grid()

    @cached_property
    def _others(self) -> list[Rates]:
        return [other.on_grid() for other in self._fit.model.with_other_shapes()]

    def of_threshold(self, k: IntArray, fpir: Float64Array, level: float) -> Rate:
        """Find thresholds of target rates, with the intervals of `threshold_interval`."""
        check("level", level, Number(0.5, 0.999))
        asked: dict[str, Any] = {"gallery_size": k, "target_fpir": fpir}
        as_given = self._fit.searches.as_threshold
        value = as_given(self._fit.model.threshold(k, fpir))
        if self.missing:
            return Rate.alone(value, **asked)
        found, of_halves, beside = self._errors(
            lambda part: np.minimum(part.threshold(k, fpir), part.largest)
        )
        width, largest = quantile(level) * np.sqrt(of_halves + beside), self._fit.model.largest
        one, other = (
            as_given(np.where(end > largest, np.inf, end)) for end in (found - width, found + width)
        )
        return Rate(value, np.minimum(one, other), np.maximum(one, other), asked)

    def safe_threshold(self, k: IntArray, fpir: Float64Array, confidence: float) -> Float64Array:
        """Find the loosest threshold at which the one-sided upper end of FPIR is at most a target.

        Not a number where there is no interval.
        """
        check("confidence", confidence, Number(0.75, 0.999))
        if self.missing:
            return np.full(len(k), np.nan)

        def upper(sizes: IntArray, oriented: Float64Array) -> Float64Array:
            return self.of_rate(sizes, 2 * confidence - 1, threshold=as_given(oriented)).upper

        model, as_given = self._fit.model, self._fit.searches.as_given
        found = model.find_threshold(upper, k, fpir, 1e-6)
        return self._fit.searches.as_threshold(np.where(found > model.largest, np.inf, found))

    def of_rate(
        self, k: IntArray, level: float, rank: int | None = None, **given: Float64Array
    ) -> Rate:
        """Find the interval of a rate, which rises with the size of the gallery.

        FPIR, or FNIR where a rank is given. What is `given` are thresholds, or targets, whose
        thresholds are roots, which take long.
        """
        check("level", level, Number(0.5, 0.999))
        asked: dict[str, Any] = {"gallery_size": k, **given}
        targets = "target_fpir" in given
        each = given["target_fpir"] if targets else self._fit.searches.oriented(given["threshold"])

        def predict(part: Rates, sizes: IntArray, at: Float64Array) -> Float64Array:
            if rank is None:
                return part.fpir(sizes, at)
            return (part.fnir_at_fpir if targets else part.fnir)(sizes, at, rank)

        value = predict(self._fit.model, k, each)
        if self.missing:
            return Rate.alone(value, **asked)
        # Smaller galleries, whose lower ends bound those of larger ones: the one seen, and so on.
        seen = self._fit.searches.impostor.shape[1]
        smaller = seen * 10.0 ** np.arange(len(str(LARGEST_CLASSES)))
        smaller = smaller[smaller <= k.max(initial=0)].astype(np.int64)
        once, which = np.unique(each, return_inverse=True)
        sizes = np.append(k, np.tile(smaller, len(once)))
        at = np.append(each, np.repeat(once, len(smaller)))
        mates = self._fit.model.n_mates

        def theta_of(part: Rates) -> Float64Array:
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
        return Rate(value, np.minimum(lower, value), np.maximum(upper, value), asked)

    def _errors(
        self, predict: Callable[[Rates], Float64Array]
    ) -> tuple[Float64Array, Float64Array, Float64Array]:
        """Predict by the fit to all, by fits to halves, and by fits that assume other things.

        Give the prediction, the variance from the halves, and the squares of the bias from the
        halves and of what the method assumes, each (n,).
        """
        found, of_halves = predict(self._quick), [predict(half) for half in self._halves]
        beside = np.square(np.mean(of_halves, axis=0) - found)
        others = [predict(other) for other in self._others]
        if others:
            lower, higher, differing = others
            beside += np.square(higher - lower) / 4 + np.square(differing - found)
        return found, half_variance(of_halves), np.asarray(beside)
