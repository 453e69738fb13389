"""False negatives: mates that are not accepted, or not among the best."""

import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.scores.score_matrix import ScoreMatrix, unchecked
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


@dataclass(frozen=True, eq=False, repr=False)
class _Accepted(ScoreMatrix):
    """Searches that weigh as they do among all, and not each identity the same."""

    among_all: Float64Array | None = None

    @property
    def weights(self) -> Float64Array:
        """Weight of each search, (N,), summing to 1."""
        assert self.among_all is not None
        return self.among_all


class FalseNegatives:
    """FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)], from what tells the ranks of the mates.

    That is the favorability C_x of each mated search, given or valued by a method for accuracies.
    One that values no point is fitted anew to the accepted searches of each threshold: the rate is
    1 minus their share times their expected accuracy at k classes. Thresholds are on the scale of
    `Searches.oriented`.
    """

    def __init__(self, searches: Searches, ranked_by: Favorabilities | Extrapolator) -> None:
        self._genuine, self._weights = searches.genuine, searches.mated.weights
        if isinstance(ranked_by, Extrapolator):
            ranked_by = ranked_by.value_points(searches.mated) or ranked_by
        self._ranked_by = ranked_by
        if isinstance(ranked_by, Extrapolator):
            self._matrix = searches.mated

    def fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        for threshold in np.unique(oriented):
            here = oriented == threshold
            accepted = self._genuine >= threshold
            share = float(self._weights[accepted].sum())
            sizes, found = k[here], np.full(np.count_nonzero(here), share)
            ranked = sizes > rank
            if ranked.any() and accepted.any():
                found[ranked] = share * self._found(sizes[ranked], accepted, rank)
            result[here] = 1 - found
        return result.clip(0.0, 1.0)

    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        """Predict which share of the accepted searches, (N,), has its mate in rank, (n,)."""
        if isinstance(self._ranked_by, Favorabilities):
            return self._ranked_by.select(accepted).accuracy(k, rank)
        matrix, weights = self._matrix, self._weights[accepted] / self._weights[accepted].sum()
        kept = matrix.scores[accepted], matrix.labels[accepted], matrix.higher_is_better
        sample = unchecked(_Accepted, *kept, None, weights)
        return copy.copy(self._ranked_by).fit(sample).predict(k, top=rank).clip(0.0, 1.0)
