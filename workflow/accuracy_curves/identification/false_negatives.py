"""False negatives: mates that are not accepted, or not among the best."""

import copy

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.scores.ranks import unchecked
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class FalseNegatives:
    """FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)], from what tells the ranks of the mates.

    That is the favorability C_x of each mated search, given or valued by a method for accuracies.
    One that values no point is fitted anew to the accepted searches of each threshold: the rate is
    1 minus their share times their expected accuracy at k classes. Thresholds are on the scale of
    `Searches.oriented`.

    A search that failed, all of whose scores are equal, has no part in this: where it is accepted
    its mate is one of all that tie.
    """

    def __init__(self, searches: Searches, ranked_by: Favorabilities | Extrapolator) -> None:
        others, *_ = searches.set_aside_failures()
        failed = searches.mated.failed & (others is not searches)
        self._failed = searches.genuine[failed]
        self._failed_weights = searches.mated.weights[failed]
        self._genuine, self._weights = others.genuine, others.mated.weights
        if isinstance(ranked_by, Extrapolator):
            ranked_by = ranked_by.value_points(ranked_by.fitted_to(others.mated)) or ranked_by
        self._ranked_by = ranked_by
        if isinstance(ranked_by, Extrapolator):
            self._matrix = others.mated

    def fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        missed = self._fnir(k, oriented, rank)
        if not self._failed.size:
            return missed
        accepted = (self._failed >= oriented[:, None]) @ self._failed_weights
        share = self._failed_weights.sum()
        return np.asarray((1 - share) * missed + share - accepted * np.minimum(rank / k, 1.0))

    def _fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the rate of the searches that did not fail, (n,)."""
        if isinstance(self._ranked_by, Favorabilities):
            return self._counted(self._ranked_by, k, oriented, rank)
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

    def _counted(
        self, ranked_by: Favorabilities, k: IntArray, oriented: Float64Array, rank: int
    ) -> Float64Array:
        """Sum over the searches in the order of their mates' scores: all thresholds at once."""
        order = np.argsort(-self._genuine)
        accepted = np.searchsorted(-self._genuine[order], -oriented, side="right")
        result = np.empty(len(k))
        for size in np.unique(k):
            found = np.ones(len(order))
            if size > rank:
                (found,) = ranked_by.chances(np.array([size]), rank)
            share = np.append(0.0, np.cumsum((self._weights * found)[order]))
            here = k == size
            result[here] = 1 - share[accepted[here]]
        return result.clip(0.0, 1.0)

    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        """Predict which share of the accepted searches, (N,), has its mate in rank, (n,)."""
        matrix, weights = self._matrix, self._weights[accepted] / self._weights[accepted].sum()
        kept = {"scores": matrix.scores[accepted], "labels": matrix.labels[accepted]}
        sample = unchecked(ScoreMatrix, **kept, higher_is_better=matrix.higher_is_better)
        # They weigh as they do among all, and not each identity the same.
        vars(sample)["weights"] = weights
        assert isinstance(self._ranked_by, Extrapolator)
        return copy.copy(self._ranked_by).fit(sample).predict(k, top=rank).clip(0.0, 1.0)
