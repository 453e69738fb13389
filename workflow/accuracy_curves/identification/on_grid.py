"""Rates at many thresholds, read from a grid."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import expit, logit

from accuracy_curves.utils.arrays import Float64Array, IntArray

SMALLEST = 1e-12
REFINED = 16  # Steps of a line between two thresholds of a grid.


class RateGrid:
    """FPIR by monotone interpolation of its log odds, piecewise cubics, between some thresholds.

    Each size of a gallery is evaluated once on all thresholds; beyond them every rate is computed.

    Parameters
    ----------
    rate_at : callable
        FPIR at pairs of a gallery size and a threshold, (n,).
    thresholds : (m,) array of float
        Those of the grid.
    """

    def __init__(
        self, rate_at: Callable[[IntArray, Float64Array], Float64Array], thresholds: Float64Array
    ) -> None:
        self._rate_at, self._coarse = rate_at, np.unique(thresholds)
        last = len(self._coarse) - 1
        places = np.linspace(0, last, REFINED * last + 1)
        self._thresholds = np.interp(places, np.arange(last + 1), self._coarse)
        self._odds: dict[int, Float64Array] = {}

    def _read(
        self, k: IntArray, of_size: Callable[[npt.NDArray[np.bool_], Float64Array], Float64Array]
    ) -> Float64Array:
        """Read something from the log odds of each size, (n,)."""
        result, nodes = np.empty(len(k)), self._coarse
        if new := [size for size in np.unique(k) if size not in self._odds]:
            rates = self._rate_at(np.repeat(new, len(nodes)), np.tile(nodes, len(new)))
            odds = logit(rates.clip(SMALLEST, 1 - SMALLEST)).reshape(len(new), -1)
            curves = scipy.interpolate.PchipInterpolator(nodes, odds, axis=1)(self._thresholds)
            self._odds |= dict(zip(new, curves, strict=True))
        for size in np.unique(k):
            here = k == size
            result[here] = of_size(here, self._odds[size])
        return result

    def rates(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        inside = (oriented >= self._coarse[0]) & (oriented <= self._coarse[-1])
        at, result = oriented[inside], np.empty(len(k))
        odds = self._read(k[inside], lambda here, odds: np.interp(at[here], self._thresholds, odds))
        result[inside] = expit(odds)
        if not inside.all():
            result[~inside] = self._rate_at(k[~inside], oriented[~inside])
        return result

    def thresholds(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold of the grid, (n,), at which the rate is at most a given one."""
        wanted, at = -logit(fpir), self._thresholds
        return self._read(k, lambda here, odds: np.interp(wanted[here], -odds, at, right=np.inf))
