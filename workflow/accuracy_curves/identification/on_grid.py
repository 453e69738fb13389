"""Rates that are read from a grid of thresholds."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import scipy
from scipy.special import expit, logit

from accuracy_curves.identification.base import SMALLEST, OpenSetMethod, Rates
from accuracy_curves.utils.arrays import Float64Array, IntArray

REFINED = 16  # Steps of a line between two thresholds of a grid.


class OnGrid(Rates):
    """Rates of a fitted method; FPIR is read from a grid of thresholds by monotone interpolation.

    Log odds, by piecewise cubics. Each size of a gallery is evaluated once on all thresholds;
    beyond them the method itself is asked.
    """

    def __init__(self, method: OpenSetMethod, thresholds: Float64Array) -> None:
        self._method, self._coarse = method, np.unique(thresholds)
        self.largest = method.largest
        last = len(self._coarse) - 1
        places = np.linspace(0, last, REFINED * last + 1)
        self._thresholds = np.interp(places, np.arange(last + 1), self._coarse)
        self._odds: dict[int, Float64Array] = {}

    def _of_sizes(self, k: IntArray) -> Iterator[tuple[npt.NDArray[np.bool_], Float64Array]]:
        """Yield where a size is asked, and its log odds on the grid."""
        sizes, nodes = np.unique(k), self._coarse
        if new := [size for size in sizes if size not in self._odds]:
            rates = self._method.fpir(np.repeat(new, len(nodes)), np.tile(nodes, len(new)))
            odds = logit(rates.clip(SMALLEST, 1 - SMALLEST)).reshape(len(new), -1)
            curves = scipy.interpolate.PchipInterpolator(nodes, odds, axis=1)(self._thresholds)
            self._odds |= dict(zip(new, curves, strict=True))
        for size in sizes:
            yield k == size, self._odds[size]

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        beyond = (oriented < self._coarse[0]) | (oriented > self._coarse[-1])
        for here, odds in self._of_sizes(k[~beyond]):
            result[np.flatnonzero(~beyond)[here]] = expit(
                np.interp(oriented[~beyond][here], self._thresholds, odds)
            )
        if beyond.any():
            result[beyond] = self._method.fpir(k[beyond], oriented[beyond])
        return result

    def fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the rate as the method does: it takes little time."""
        return self._method.fnir(k, oriented, rank)

    def _root(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold of the grid, (n,), at which the rate is at most a given one."""
        result = np.empty(len(k))
        for here, odds in self._of_sizes(k):
            wanted = -logit(fpir[here])
            result[here] = np.interp(wanted, -odds, self._thresholds, right=np.inf)
        return result
