"""Models of the false positives of searches in a gallery of any size."""

import copy
from abc import ABC, abstractmethod
from typing import Self

import numpy as np

from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray

BISECTIONS = 40
DOUBLINGS = 60


class FalsePositives(ABC):
    """Base of the models of FPIR(k, T) = 1 - E_x[F_x(T)^k], F_x(T) = P(score < T).

    A subclass implements `fpir`. Thresholds are on the scale of `Searches.oriented`.
    """

    def fit(self, searches: Searches) -> Self:
        """Keep the searches, and where the search for a threshold starts."""
        self._searches = searches
        self._low, self._high = (float(end(searches.impostor)) for end in (np.min, np.max))
        return self

    @abstractmethod
    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold, (n,), at which the rate is at most the given one, in (0, 1)."""
        step = max(self._high - self._low, 1e-9 * max(1.0, abs(self._high)))
        low = np.full(len(k), self._low)
        high = np.full(len(k), self._high + 1e-3 * step)
        for _ in range(DOUBLINGS):
            above = self.fpir(k, high) > fpir
            if not above.any():
                break
            low = np.where(above, high, low)
            high = np.where(above, high + step, high)
            step *= 2
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            above = self.fpir(k, middle) > fpir
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return high


class Binomial(FalsePositives):
    """Pooled scores: FPIR(k, T) = 1 - (1 - FMR(T))^k (Grother and Phillips 2004).

    FMR(T) is the share of all impostor scores that are at or above T, whichever search they come
    from. Searches differ, so that the rate is predicted too high in large galleries; and beyond
    the largest score it is 0.
    """

    def fit(self, searches: Searches) -> Self:
        """Pool the scores."""
        super().fit(searches)
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


class AtEachThreshold(FalsePositives):
    """A method for accuracies, fitted anew to the replaced score matrix of each threshold.

    FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the score matrix whose correct
    scores are replaced by T.
    """

    def __init__(self, method: str, seed: int = 0, **options: object) -> None:
        self._model = make_extrapolator(method, seed=seed, **options)

    def fit(self, searches: Searches) -> Self:
        """Keep the searches."""
        self._fitted = dict[float, Extrapolator]()
        return super().fit(searches)

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        for threshold in np.unique(oriented):
            if threshold not in self._fitted:
                replaced = self._searches.with_threshold(threshold)
                self._fitted[threshold] = copy.copy(self._model).fit(replaced)
            here = oriented == threshold
            result[here] = 1 - self._fitted[threshold].predict(k[here] + 1)
        return result.clip(0.0, 1.0)
