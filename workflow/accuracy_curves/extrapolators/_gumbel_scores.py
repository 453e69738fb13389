"""Scores by their place among all incorrect scores, on the Gumbel scale: only their order counts.

The share G(s) of the incorrect scores of all points that are better than s gives every score
matrix the same scale, v = -log(-log(1 - G)), which is minus log(-log C) of a point that has s for
its correct score where all points share one law of incorrect scores. v then has a Gumbel law:
beyond any high anchor its excesses are exponential with mean 1. For distances G(r) ~ r^d near
zero, so that v is -d log r up to a constant, the Hill estimator's scale.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray

# The most incorrect scores that are read; from a larger matrix every so many.
MOST_POOLED = 2**21
# In a cell of more values the place is searched for.
MOST_IN_A_CELL = 8
# Correct scores that are better than all M pooled ones lie beyond log(M / 0.7).
END_COUNT = 0.7
# Their hazard is that of the correct scores over the last 2 units before this end. A prior of 3
# points is for the hazard of incorrect scores there, which is 1.
WINDOW, PRIOR = 2.0, 3.0


class PlacedScores:
    """Incorrect scores, and the place of other scores among them.

    Parameters
    ----------
    scores : (M,) array of float
    """

    def __init__(self, scores: FloatArray) -> None:
        self.size = len(scores)
        scores = np.sort(scores)
        first_of_value = np.flatnonzero(np.append(True, scores[1:] > scores[:-1]))
        values = scores[first_of_value]
        # No score is above infinity, so that each has a value that is not below it.
        self._values = np.append(values, values.dtype.type(np.inf))
        self._below = np.append(first_of_value, self.size).astype(np.int32)
        first, last = _ordinal(values[[0, -1]])
        self._first, span = first, int(last - first)
        self._shift = max(0, span.bit_length() - len(values).bit_length() - 1)
        self._start = np.cumsum(np.bincount(self._cells(values) + 1), dtype=np.int32)

    def _cells(self, scores: FloatArray) -> IntArray:
        """Find which cell each score is in, of an even partition of the float32 of these scores."""
        ordinal = _ordinal(np.clip(scores, self._values[0], self._values[-2]))
        return ((ordinal - self._first) >> self._shift).astype(np.int64)

    def _place(self, scores: FloatArray) -> IntArray:
        """Count the values below each score, (n,): those of lower cells, then one by one."""
        place = self._start[self._cells(scores)].astype(np.int64)
        left = np.flatnonzero(self._values[place] < scores)
        for _ in range(MOST_IN_A_CELL):
            place[left] += 1
            left = left[self._values[place[left]] < scores[left]]
        place[left] = np.searchsorted(self._values, scores[left])
        return place

    def gumbel(self, scores: FloatArray) -> Float64Array:
        """Place scores on the Gumbel scale.

        With b of M pooled scores better than s, of which ties count half, it is
        -log(-log(1 - (b + 1/2) / (M + 1))).

        Parameters
        ----------
        scores : array of float

        Returns
        -------
        array of float
            As many as `scores`.
        """
        flat = scores.ravel()
        place = self._place(flat)
        tied = self._values[place] == flat
        below = (self._below[place] + self._below[place + tied]) / 2
        return -np.log(-np.log((below + 0.5) / (self.size + 1))).reshape(scores.shape)


def _ordinal(scores: FloatArray) -> npt.NDArray[np.uint32]:
    """Count the float32 below the one next to each score: it never falls as the score rises."""
    # Zero has one sign.
    bits = (scores.astype(np.float32) + np.float32(0)).view(np.int32)
    # Those below zero ascend as their sizes fall.
    bits ^= (bits >> 31) & np.int32(2**31 - 1)
    return bits.view(np.uint32) ^ np.uint32(2**31)


@dataclass(frozen=True, eq=False, kw_only=True)
class GumbelScores(ScoreMatrix):
    """A score matrix of Gumbel scores; higher is better.

    Attributes
    ----------
    source : ScoreMatrix
        The scores as they came.
    incorrect : PlacedScores
        Incorrect scores; higher is better.
    correct : (N,) array of float
        Gumbel scores of the correct classes.
    """

    source: ScoreMatrix
    incorrect: PlacedScores
    correct: Float64Array

    def __post_init__(self) -> None:
        """Check nothing: the source was checked."""

    def outscored_and_tied(self) -> tuple[IntArray, IntArray]:
        """Count the incorrect classes below each point's correct score, and at it; both (N,)."""
        return self.source.outscored_and_tied()

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the rows block by block, on the Gumbel scale.

        Yields
        ------
        rows : slice
        scores : (rows, K) array of float
        """
        for rows, block in self.source.blocks():
            gumbel = self.incorrect.gumbel(block)
            gumbel[np.arange(len(block)), self.labels[rows]] = self.correct[rows]
            yield rows, gumbel


def gumbel_scores(sample: ScoreMatrix) -> GumbelScores:
    """Place the scores of a sample among all its incorrect scores.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.

    Returns
    -------
    GumbelScores
        The same for every increasing transformation of the scores, up to rounding that ties them.
    """
    incorrect, correct = _pooled(sample)
    gumbel = _continued(incorrect.gumbel(correct), correct, sample.weights, incorrect.size)
    return GumbelScores(
        scores=sample.scores,
        labels=sample.labels,
        source=sample,
        incorrect=incorrect,
        correct=gumbel,
    ).weighing_points(sample.points_alike)


def _pooled(sample: ScoreMatrix) -> tuple[PlacedScores, FloatArray]:
    """Incorrect scores, and correct ones, (N,)."""
    step = -(-sample.n_points * (sample.n_classes - 1) // MOST_POOLED)
    # No column is left out: the step has no divisor in common with their number.
    while gcd(step, sample.n_classes) > 1:
        step += 1
    correct = np.empty(sample.n_points, dtype=sample.scores.dtype)
    parts = []
    for rows, block in sample.blocks():
        own = np.arange(len(block)), sample.labels[rows]
        correct[rows] = block[own]
        incorrect = np.ones(block.shape, dtype=bool)
        incorrect[own] = False
        parts.append(block.ravel()[::step][incorrect.ravel()[::step]])
    return PlacedScores(np.concatenate(parts)), correct


def _continued(
    gumbel: Float64Array, correct: FloatArray, weights: Float64Array, pooled: int
) -> Float64Array:
    """Place the correct scores that are better than every pooled one.

    The incorrect scores say only that these are beyond their end, and in which order. The hazard of
    the correct scores goes on as it was before the end, so that their distances from it have an
    exponential law. Where few are lost before the end the law is nearly flat, and the accuracy
    falls nearly linearly in log k.
    """
    end = np.log(pooled / END_COUNT)
    beyond = gumbel > end
    if not beyond.any():
        return gumbel
    scaled = weights * len(weights)
    seen = gumbel > end - WINDOW
    ended = scaled[seen & ~beyond].sum()
    exposure = (scaled[seen] * np.minimum(gumbel[seen] - end + WINDOW, WINDOW)).sum()
    hazard = (ended + PRIOR) / (exposure + PRIOR)
    values, place = np.unique(-correct[beyond], return_inverse=True)
    weight = np.bincount(place, weights=scaled[beyond], minlength=len(values))
    better = (np.cumsum(weight) - weight / 2) / weight.sum()
    continued = gumbel.copy()
    continued[beyond] = end - np.log(better[place]) / hazard
    return continued
