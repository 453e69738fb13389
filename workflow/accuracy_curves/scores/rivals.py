"""Rivals that are not drawn: what stays of a point, whatever the number of classes."""

from dataclasses import dataclass, replace

import numpy as np

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray

# A score that beats nobody is so much of a row's spread below its worst.
BELOW = 1e-3


@dataclass(frozen=True, eq=False)
class Standing:
    """What stays of each point at every number of classes.

    Parameters
    ----------
    above : (N,) array of int
        Fixed rivals that beat the point.
    place : (N,) array of int
        Its place among the right answers of its query, 0 for the best. The better ones are fixed
        rivals, too, and are counted in `above`.
    right : (N,) array of int
        Number of right answers of its query.
    jumps : (L,) array of float, optional
        Chance that a drawn group that beats a point has 1, 2, ... classes that do; of all points.
    """

    above: IntArray
    place: IntArray
    right: IntArray
    jumps: Float64Array | None = None

    @classmethod
    def of(cls, above: IntArray, jumps: Float64Array | None = None) -> "Standing":
        """Take rivals of points of which each is the one right answer."""
        return cls(above, np.zeros_like(above), np.ones_like(above), jumps)

    def plus(self, above: IntArray) -> "Standing":
        """Add fixed rivals, (N,)."""
        return replace(self, above=self.above + above)

    def select(self, rows: IntArray | None) -> "Standing":
        """Keep some points; None for all."""
        if rows is None:
            return self
        kept = {name: getattr(self, name)[rows] for name in ("above", "place", "right")}
        return replace(self, **kept)

    def sums(self, top: int) -> Float64Array:
        """Chance that m groups that beat a point have s classes that do, both below t, (t, t)."""
        if self.jumps is None:
            return np.eye(top)
        one = np.zeros(top)
        one[1 : len(self.jumps) + 1] = self.jumps[: top - 1]
        found = np.zeros((top, top))
        found[0, 0] = 1.0
        for m in range(1, top):
            found[m] = np.convolve(found[m - 1], one)[:top]
        return found


def beaten_by(scores: FloatArray, own: FloatArray) -> FloatArray:
    """Find a score for each row that its own one beats and that is like the others, (n,).

    Their median, or, where the own one is no better, less than all. Higher is better.
    """
    middle, worst = np.median(scores, axis=1), scores.min(axis=1)
    found = np.where(middle < own, middle, worst - BELOW * np.ptp(scores, axis=1))
    return found.astype(scores.dtype)
