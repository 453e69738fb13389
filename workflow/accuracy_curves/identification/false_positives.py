"""Models of the false positives of searches in a gallery of any size."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from scipy.optimize import elementwise
from scipy.special import logit

from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray

DOUBLINGS = 60
# Where a method is fitted anew for each threshold, a search for one takes so few steps.
STEPS = 3
# Of the range of the scores, how far beyond the largest the search looks in one step.
BEYOND = 0.02
SMALLEST = 1e-12


class FalsePositives(ABC):
    """Base of the models of FPIR(k, T) = 1 - E_x[F_x(T)^k], F_x(T) = P(score < T).

    A subclass implements `fpir`, and sets `label` and `color`, those of figures, where it is a
    method of its own. Thresholds are on the scale of `Searches.oriented`.
    """

    label: ClassVar[str]
    color: ClassVar[str]
    # Largest gallery over K for which the coverage of the intervals was measured to be at most 5
    # points below nominal (`benchmarks/identification.py reach`); 2 where it was not measured.
    reach: ClassVar[int] = 2

    _low: float
    _high: float

    @abstractmethod
    def fit(self, searches: Searches) -> Self:
        """Fit the impostor scores; set `_low` and `_high`, the least and the largest of them."""

    @abstractmethod
    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold, (n,), at which the rate is at most the given one, in (0, 1).

        The root of the difference of log odds, which is nearly straight (Chandrupatla 1997).
        """

        def excess(at: Float64Array, sizes: IntArray, wanted: Float64Array) -> Float64Array:
            rate = self.fpir(sizes, at).clip(SMALLEST, 1 - SMALLEST)
            return np.asarray(logit(rate) - wanted)

        step = max(self._high - self._low, 1e-9 * max(1.0, abs(self._high)))
        low, high = np.full(len(k), self._low), np.full(len(k), self._high + 1e-3 * step)
        # A rate that is the target counts as below it.
        given, least = (k, logit(fpir) + 1e-12), 1e-9 * step
        for _ in range(DOUBLINGS):
            above = excess(high, *given) > 0
            if not above.any():
                break
            low = np.where(above, high, low)
            high = np.where(above, high + step, high)
            step *= 2
        found = elementwise.find_root(
            excess, (low, high), args=given, tolerances={"xatol": least, "xrtol": 1e-12}
        )
        # At the least score the rate may be low enough.
        return np.where(excess(low, *given) > 0, found.bracket[1], low)


class Binomial(FalsePositives):
    """Pooled scores: FPIR(k, T) = 1 - (1 - FMR(T))^k (Grother and Phillips 2004).

    FMR(T) is the share of all impostor scores that are at or above T, whichever search they come
    from. Searches differ, so that the rate is predicted too high in large galleries; and beyond
    the largest score it is 0.
    """

    label = "binomial, ROC to CMC"
    color = "#777777"

    def fit(self, searches: Searches) -> Self:
        """Pool the scores."""
        self._low, self._high = ends(searches)
        weights = np.broadcast_to(
            searches.impostor_weights[:, None] / searches.impostor.shape[1],
            searches.impostor.shape,
        )
        order = np.argsort(searches.impostor, axis=None)
        self._scores = searches.impostor.ravel()[order]
        self._above = np.append(np.cumsum(weights.ravel()[order][::-1])[::-1], 0.0)
        return self

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        share = self._above[np.searchsorted(self._scores, oriented, side="left")]
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(k * np.log1p(-np.minimum(share, 1.0))))


class FittedAnew(FalsePositives):
    """Base of the models that are fitted anew for each threshold, which takes time.

    A subclass implements `_fitted_at`.
    """

    def fit(self, searches: Searches) -> Self:
        """Keep the searches."""
        self._searches = searches
        self._low, self._high = ends(searches)
        self._fits = dict[float, Callable[[IntArray], Float64Array]]()
        return self

    @abstractmethod
    def _fitted_at(self, oriented: float) -> Callable[[IntArray], Float64Array]:
        """Fit a threshold; give the function that predicts the rate at gallery sizes, (n,)."""

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        for threshold in map(float, np.unique(oriented)):
            if threshold not in self._fits:
                self._fits[threshold] = self._fitted_at(threshold)
            here = oriented == threshold
            result[here] = self._fits[threshold](k[here])
        return result.clip(0.0, 1.0)

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the threshold at which the rate is the given one, (n,).

        A fit takes time, so that all targets share the fits at a few scores; between those the log
        odds of the rate are interpolated, and fitted anew where the interpolation says. The rate
        there is the target to about a hundredth of it, or to a fifth where few scores are left and
        it falls in steps.
        """
        at = self._scores_of_search
        result = np.empty(len(k))
        for place, (size, target) in enumerate(zip(k, fpir, strict=True)):
            size_of_all, wanted = np.array([size]), float(logit(target))

            def odds(threshold: float, size: IntArray = size_of_all) -> float:
                rate = self.fpir(size, np.array([threshold]))[0]
                return float(logit(np.clip(rate, SMALLEST, 1 - 1e-9)))

            # Ascending thresholds have falling rates; the last that is above the target counts.
            low = high = len(at) - 1
            while low > 0 and odds(at[low]) <= wanted:
                low, high = low - 1, low
            one, other = float(at[low]), float(at[high])
            if low == high:
                result[place] = self._beyond(odds, wanted, one)
                continue
            result[place] = _falling_root(odds, wanted, one, other)
        return result

    @cached_property
    def _scores_of_search(self) -> Float64Array:
        """Scores that 1, 2, 4.. of all impostor scores reach, ascending, and one beyond all."""
        pooled = np.sort(self._searches.impostor, axis=None)[::-1]
        places = 2 ** np.arange(int(np.log2(len(pooled))) + 1) - 1
        step = max(self._high - self._low, 1e-9 * max(1.0, abs(self._high)))
        reached = pooled[places]
        beyond = self._high + BEYOND * step * np.array([4.0, 1.0, 1e-3])
        return np.unique(np.concatenate([reached, beyond]))

    def _beyond(self, odds: Callable[[float], float], wanted: float, start: float) -> float:
        """Search past the largest threshold tried, in steps that double."""
        step = start - float(self._scores_of_search[-2])
        low, high = start, start + step
        for _ in range(DOUBLINGS):
            if odds(high) <= wanted:
                return _falling_root(odds, wanted, low, high)
            step *= 2
            low, high = high, high + step
        return high


class AtEachThreshold(FittedAnew):
    """A method for accuracies, fitted anew to the replaced score matrix of each threshold.

    FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the score matrix whose correct
    scores are replaced by T.
    """

    def __init__(self, method: str, seed: int = 0, **options: object) -> None:
        self._model = make_extrapolator(method, seed=seed, **options)

    def _fitted_at(self, oriented: float) -> Callable[[IntArray], Float64Array]:
        model = copy.copy(self._model).fit(self._searches.with_threshold(oriented))
        return lambda k: 1 - model.predict(k + 1)


def ends(searches: Searches) -> tuple[float, float]:
    """Find the least and the largest impostor score."""
    return float(searches.impostor[:, 0].min()), float(searches.impostor[:, -1].max())


def _falling_root(odds: Callable[[float], float], wanted: float, low: float, high: float) -> float:
    """Find where falling log odds are the wanted ones, between thresholds on both sides of it."""
    above, below = odds(low) - wanted, odds(high) - wanted
    for _ in range(STEPS):
        if above - below <= 0:
            break
        # Interpolation, but not so near to an end that the other would never move.
        share = float(np.clip(above / (above - below), 0.05, 0.95))
        middle = low + share * (high - low)
        found = odds(middle) - wanted
        if found > 0:
            low, above = middle, found
        else:
            high, below = middle, found
    share = above / (above - below) if above > below else 1.0
    return low + float(np.clip(share, 0.0, 1.0)) * (high - low)
