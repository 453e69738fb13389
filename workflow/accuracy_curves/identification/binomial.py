"""Binomial: 1:1 rates of pooled scores, as if all searches were of one law."""

import numpy as np

from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.identification.base import OpenSetMethod
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class Binomial(OpenSetMethod):
    """Pooled scores: FPIR(k, T) = 1 - (1 - FMR(T))^k (Grother and Phillips 2004).

    FMR(T) is the share of all impostor scores that are at or above T, whichever search they come
    from. Searches differ, so that the rate is predicted too high in large galleries; and beyond
    the largest score it is 0. Every mate meets these impostor scores too: the share of the mates
    that are among the best r of k is E[ROC(U)], U ~ Beta(r, k - r) (Bolle et al. 2005, DeCann and
    Ross 2013). Trials have few scores: a rate below the least that they show is not a number.
    """

    name = "binomial"
    label = "binomial, ROC to CMC"
    color = "#777777"
    takes_trials = True

    def _fit(self, searches: Searches) -> None:
        weights = np.broadcast_to(
            searches.impostor_weights[:, None] / searches.impostor.shape[1], searches.impostor.shape
        )
        order = np.argsort(searches.impostor, axis=None)
        self._scores = searches.impostor.ravel()[order]
        self._above = np.append(np.cumsum(weights.ravel()[order][::-1])[::-1], 0.0)
        self._trials = len(self._scores) if searches.are_trials else np.inf

    def least_fpir(self, k: IntArray) -> Float64Array:
        """Find the least rate but 0 that trials show, (n,); of other scores 0."""
        return np.asarray(-np.expm1(k * np.log1p(-1 / self._trials)))

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        found = super().fpir(k, oriented)
        known = (found >= self.least_fpir(k) / 2) | (oriented == np.inf)
        return np.where(known, found, np.nan)

    def _fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        share = self._above[np.searchsorted(self._scores, oriented, side="left")]
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(k * np.log1p(-np.minimum(share, 1.0))))

    def _rank_mates(self, searches: Searches) -> Favorabilities:
        share = self._fpir(np.ones(1, dtype=np.int64), searches.genuine)
        return Favorabilities.of_losses(share, searches.mated.weights)
