"""Scores by their place among all incorrect scores, on the Gumbel scale: only their order counts.

Let G(s) be the share of the incorrect scores of all points that are better than s. Then
v = -log(-log(1 - G)) is one scale for every score matrix. Where all points share one law of
incorrect scores, v is minus log(-log C) of a point whose correct score is s. v then has a Gumbel
law: beyond any high anchor its excesses are exponential with mean 1. For distances G(r) ~ r^d near
zero, so that v is -d log r up to a constant, the Hill estimator's scale.
"""

from math import gcd
from typing import Self, cast

import numpy as np

from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators.pooled_tail import INSTEAD, NO_TAIL, Scale
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.sample import Index
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.seeds import uniform_of

# The most incorrect scores that are read; from a larger matrix every so many.
MOST_POOLED = 2**21
# Of lists of more scores those of every so many searches are read.
MOST_LISTED = 2**18
# Correct scores that are better than all M pooled ones lie beyond log(M / 0.7).
END_COUNT = 0.7
# Their hazard is that of the correct scores over the last 2 units before this end. A prior of 3
# points is for the hazard of incorrect scores there, which is 1.
WINDOW, PRIOR = 2.0, 3.0


class PlacedScores:
    """Incorrect scores, and the place of other scores among them.

    Parameters
    ----------
    values : (n,) array of float
        The distinct scores, negated and ascending.
    tied : (n,) array of int
        How many scores have each value.
    left : (n + 1,) array of float
        How many of all scores are at most the first value, the second, ...; and less than the last.
    """

    def __init__(self, values: FloatArray, tied: IntArray, left: Float64Array) -> None:
        self.values, self.tied, self.left = values, tied, left

    @classmethod
    def of(cls, scores: FloatArray) -> Self:
        """Take scores that are known, (M,)."""
        values, tied = np.unique(-scores, return_counts=True)
        return cls(values, tied, len(scores) - np.append(0.0, np.cumsum(tied)))

    @classmethod
    def of_lists(cls, sample: CandidateLists) -> Self:
        """Take scores as far as lists show them, by Kaplan and Meier's estimator.

        Downwards over the distinct scores u_i that are listed: above the end of its list all
        incorrect classes of a search are seen, and below it they are censored.

            b(u_i) = M (1 - prod_(j <= i) (1 - d_j / n_j)),    M = N (K - 1)

        of all M incorrect scores are at least u_i. d_j are the scores u_j of the searches whose
        lists end below it, and n_j all their incorrect scores that are at most u_j.
        """
        every = slice(None, None, -(-sample.scores.size // MOST_LISTED))
        scores, ends, incorrect = sample.scores[every], sample.ends[every], sample.n_classes - 1
        seen = scores > ends[:, None]
        if not seen.any():
            raise FitError(
                f"{NO_TAIL}, as all scores of each list are equal: {INSTEAD}", reason="no_tail"
            )
        values, tied = np.unique(-scores[seen], return_counts=True)
        above = np.cumsum(tied) - tied
        # Searches whose lists have ended at or above a value, and what they listed.
        order = np.argsort(-ends)
        ended = np.searchsorted(-ends[order], values, side="right")
        listed = np.append(0, np.cumsum(np.count_nonzero(seen, axis=1)[order]))[ended]
        at_risk = (len(ends) - ended) * incorrect - (above - listed)
        with np.errstate(divide="ignore"):
            left = np.exp(np.append(0.0, np.cumsum(np.log1p(-tied / at_risk))))
        return cls(values, tied, len(ends) * incorrect * left)

    def gumbel(self, scores: FloatArray, *, order: Float64Array | None = None) -> Float64Array:
        """Place scores on the Gumbel scale.

        With b of M scores better than s, of which ties count half, it is
        -log(-log(1 - (b + 1/2) / (M + 1))).

        Parameters
        ----------
        scores : array of float
        order : array of float, optional
            For each score, from [0, 1): which share of several that equal it are below it.

        Returns
        -------
        array of float
            As many as `scores`.
        """
        flat, place = -scores.ravel(), np.empty(scores.size, np.int64)
        # Ascending, one search is near the last.
        ascending = np.argsort(flat)
        place[ascending] = np.searchsorted(self.values, flat[ascending])
        at = place.clip(max=len(self.values) - 1)
        tied = self.values[at] == flat
        step = tied * (self.left[at] - self.left[at + 1])
        below = self.left[place] - step / 2
        if order is not None:
            below += (order.ravel() - 0.5) * step * (1 - 1 / self.tied[at])
        return -np.log(-np.log((below + 0.5) / (self.left[0] + 1))).reshape(scores.shape)


def gumbel_scale(sample: ScoreMatrix | CandidateLists, seed: int = 0) -> Scale:
    """Make the scale that places scores among all incorrect scores of a sample.

    The same for every increasing transformation of the scores, up to rounding that ties them.
    Equal scores of a row are in random order.
    """
    listed = cast(CandidateLists, sample)
    pool = pool_incorrect(sample.whole) if sample.whole else PlacedScores.of_lists(listed)
    points, columns = sample.tie_keys()

    def ordered(scores: FloatArray, rows: Index, classes: Index) -> Float64Array:
        order = uniform_of(seed, points[rows][:, None], columns[classes])
        return pool.gumbel(scores, order=order)

    correct, (_, tied) = sample.correct, sample.outscored_and_tied()
    placed, ties = pool.gumbel(correct), np.flatnonzero(tied)
    placed[ties] = ordered(correct[ties, None], ties, sample.labels[ties, None])[:, 0]
    placed = _continued(placed, correct, sample.weights, pool.left[0])
    losses = count_losses(sample, seed)
    return Scale(pool.gumbel, placed, losses, exponential=True, ordered=ordered)


def count_losses(sample: ScoreMatrix | CandidateLists, seed: int = 0) -> IntArray:
    """Count the classes that outscore the correct one of each point, equal scores in their order.

    Of the classes beyond a list the expected number counts.
    """
    outscored, tied = sample.outscored_and_tied()
    losses = sample.n_classes - 1 - outscored - tied
    points, columns = sample.tie_keys()
    own = uniform_of(seed, points, columns[sample.labels])
    for rows, classes in sample.tied_with_correct():
        tied -= np.bincount(rows, minlength=len(tied))
        before = uniform_of(seed, points[rows], columns[classes]) > own[rows]
        losses += np.bincount(rows[before], minlength=len(tied))
    return losses + np.rint((1 - own) * tied).astype(np.int64)


def pool_incorrect(sample: ScoreMatrix) -> PlacedScores:
    """Pool the incorrect scores, or some of every class."""
    step = -(-sample.n_points * (sample.n_classes - 1) // MOST_POOLED)
    # No column is left out: the step has no divisor in common with their number.
    while gcd(step, sample.n_classes) > 1:
        step += 1
    parts = []
    for rows, block in sample.blocks():
        incorrect = np.ones(block.shape, dtype=bool)
        incorrect[np.arange(len(block)), sample.labels[rows]] = False
        parts.append(block.ravel()[::step][incorrect.ravel()[::step]])
    return PlacedScores.of(np.concatenate(parts))


def _continued(
    gumbel: Float64Array, correct: FloatArray, weights: Float64Array, pooled: float
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
