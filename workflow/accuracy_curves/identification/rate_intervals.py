"""Rates and thresholds with intervals for the draw of the identities, by fits to halves."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification import make_open_set_method
from accuracy_curves.identification.base import OpenSetMethod
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.intervals.variance import half_variance, moderated, quantile
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray, log_odds
from accuracy_curves.utils.progress import tracked
from accuracy_curves.utils.representation import Tabular
from accuracy_curves.utils.validation import LARGEST_CLASSES, Number, check

if TYPE_CHECKING:
    import pandas as pd

DEFAULT = "auto"


@dataclass(frozen=True, repr=False)
class Rate(Tabular):
    """A rate, or a threshold, with its interval for the draw of the identities; each (n,).

    `asked` is what they belong to: gallery_size, and threshold or target_fpir; each (n,).
    """

    value: Float64Array
    lower: Float64Array
    upper: Float64Array
    asked: Mapping[str, npt.NDArray[np.number]] = field(default_factory=dict)

    @classmethod
    def alone(cls, value: Float64Array, **asked: npt.NDArray[Any]) -> "Rate":
        """Give a rate that has no interval."""
        none = np.full(len(value), np.nan)
        return cls(value, none, none, asked)

    def to_frame(self) -> "pd.DataFrame":
        """Give a table of what was asked, then value, lower and upper, one row per gallery."""
        import pandas as pd

        ends = {"value": self.value, "lower": self.lower, "upper": self.upper}
        return pd.DataFrame({**self.asked, **ends})


class FittedRates:
    """A method, the `model`, fitted to the `sample`: the `searches` on the scale of the method.

    It is fitted to random halves of the identities, too, at the first call for an interval. See
    `Identification.fpir_interval`.
    """

    def __init__(
        self, searches: Searches, method: str, seed: int, splits: int, options: Mapping[str, Any]
    ) -> None:
        if searches.are_trials and method == DEFAULT:
            method = Binomial.name
        self.searches, self.method, self.seed = searches, method, seed
        self._splits, self._options = splits, options
        # Methods for accuracies are fitted to what is given, with thresholds among the scores.
        self.sample, self.model = searches, self.unfitted()
        if self.model.tail_scale or searches.sum_of_probabilities:
            self.sample = searches.for_tail()
        if searches.are_trials and not self.model.takes_trials:
            raise InputError(
                f"{method} needs the scores of each search for all: of trials take {Binomial.name}"
            )
        self.model.fit(self.sample)

    def unfitted(self) -> OpenSetMethod:
        """Make the method anew, with its options."""
        return make_open_set_method(self.method, seed=self.seed, **self._options)

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
    def _halves(self) -> list[OpenSetMethod]:
        halves = self.sample.halves(self._splits, self.seed)
        every = tracked(halves, "halves of the identities", 2 * self._splits)
        return [self.unfitted().fit(half).on_grid() for half in every]

    @cached_property
    def _quick(self) -> OpenSetMethod:
        return self.model.on_grid()

    @cached_property
    def _others(self) -> list[OpenSetMethod]:
        return [other.on_grid() for other in self.model.with_other_shapes()]

    def of_threshold(self, k: IntArray, fpir: Float64Array, level: float) -> Rate:
        """Find thresholds of target rates, with the intervals of `threshold_interval`."""
        check("level", level, Number(0.5, 0.999))
        asked: dict[str, Any] = {"gallery_size": k, "target_fpir": fpir}
        as_given = self.searches.as_threshold
        value = as_given(self.model.threshold(k, fpir))
        if self.missing:
            return Rate.alone(value, **asked)
        found, of_halves, beside = self._errors(
            lambda part: np.minimum(part.threshold(k, fpir), part.largest)
        )
        width, largest = quantile(level) * np.sqrt(of_halves + beside), self.model.largest
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

        model, as_given = self.model, self.searches.as_given
        found = model.find_threshold(upper, k, fpir, 1e-6)
        return self.searches.as_threshold(np.where(found > model.largest, np.inf, found))

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
        each = given["target_fpir"] if targets else self.searches.oriented(given["threshold"])

        def predict(part: OpenSetMethod, sizes: IntArray, at: Float64Array) -> Float64Array:
            if rank is None:
                return part.fpir(sizes, at)
            return (part.fnir_at_fpir if targets else part.fnir)(sizes, at, rank)

        value = predict(self.model, k, each)
        if self.missing:
            return Rate.alone(value, **asked)
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
        return Rate(value, np.minimum(lower, value), np.maximum(upper, value), asked)

    def _errors(
        self, predict: Callable[[OpenSetMethod], Float64Array]
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
