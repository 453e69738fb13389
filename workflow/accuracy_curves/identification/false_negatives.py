"""Models of the false negatives of searches in a gallery of any size."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import Extrapolator, FavorabilityExtrapolator
from accuracy_curves.observed.top_accuracy import expected_top_accuracy
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

    That is log C_x and log(1 - C_x) of each mated search; or a method for accuracies, fitted anew
    to the accepted searches of each threshold: the rate is 1 minus their share times their expected
    accuracy at k classes. Thresholds are on the scale of `Searches.oriented`.
    """

    def __init__(self, searches: Searches, ranked_by: Extrapolator | Sequence[Float64Array]):
        self._genuine, self._weights = searches.genuine, searches.mated.weights
        if not isinstance(ranked_by, Extrapolator):
            self._of_each = ranked_by
            return
        self._of_each, self._matrix, self._model = (), searches.mated, ranked_by
        if isinstance(ranked_by, FavorabilityExtrapolator) and ranked_by.needs == "scores":
            # That of each search alone: `auto` has curves beside, which are for all.
            model = copy.copy(ranked_by)
            model._check(searches.mated)
            FavorabilityExtrapolator._fit(model, searches.mated)
            *of_each, _ = FavorabilityExtrapolator._favorabilities(model)
            if len(of_each[0]) == searches.mated.n_points:
                self._of_each = of_each
                del self._matrix

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
        weights = self._weights[accepted] / self._weights[accepted].sum()
        if self._of_each:
            log_favorability, log_loss = (each[accepted] for each in self._of_each)
            return expected_top_accuracy(log_favorability, log_loss, weights, k, rank)
        matrix = self._matrix
        kept = matrix.scores[accepted], matrix.labels[accepted], matrix.higher_is_better
        sample = unchecked(_Accepted, *kept, None, weights)
        return copy.copy(self._model).fit(sample).predict(k, top=rank).clip(0.0, 1.0)
