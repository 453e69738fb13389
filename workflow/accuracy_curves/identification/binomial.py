"""Binomial: 1:1 rates of pooled scores, as if all searches were alike."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.identification.base import OpenSetMethod
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import Whole, check


class Binomial(OpenSetMethod):
    """Pooled scores: FPIR(k, T) = 1 - (1 - FMR(T))^k (Grother and Phillips 2004).

    FMR(T) is the share of all impostor scores that are at or above T, whichever search they come
    from. Searches differ, so that the rate is predicted too high in large galleries; and beyond
    the largest score it is 0. Every mate meets these impostor scores too: the share of the mates
    that are among the best r of k is E[ROC(U)], U ~ Beta(r, k - r) (Bolle et al. 2005, DeCann and
    Ross 2013). Trials have few scores: a rate below the least that they tell is not a number.
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
        """Find the least rate but 0 that trials tell, (n,); of other scores 0."""
        return np.asarray(-np.expm1(k * np.log1p(-1 / self._trials)))

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        found = super().fpir(k, oriented)
        told = (found >= self.least_fpir(k) / 2) | (oriented == np.inf)
        return np.where(told, found, np.nan)

    def _fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        share = self._above[np.searchsorted(self._scores, oriented, side="left")]
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(k * np.log1p(-np.minimum(share, 1.0))))

    def _rank_mates(self, searches: Searches) -> Favorabilities:
        share = self._fpir(np.ones(1, dtype=np.int64), searches.genuine)
        return Favorabilities.of_losses(share, searches.mated.weights)


def cmc_from_roc(
    genuine: npt.ArrayLike, impostor: npt.ArrayLike, k: npt.ArrayLike, rank: int = 1
) -> Float64Array:
    """Predict the cumulative match characteristic from genuine and impostor scores alone, (n,).

    As if every search met the same impostor scores (Bolle et al. 2005, DeCann and Ross 2013):

        CMC(r, k) = E[ROC(U)],  U ~ Beta(r, k - r)

    where ROC(u) is the true match rate at the false match rate u: U is that of the r-th best of k -
    1 impostor scores.

    Parameters
    ----------
    genuine, impostor : (N,) and (M,) arrays of float
        Scores of trials of the same person and of different ones. Higher is better.
    k : int or (n,) array of int
        Sizes of the gallery, the mate among them.
    rank : int
        r, at least 1.

    Returns
    -------
    (n,) array of float
        Shares of searches whose mate is among the best r.

    Raises
    ------
    InputError
        If there is no genuine or no impostor score.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> ac.cmc_from_roc([3.0, 1.0], [0.0, 2.0], [2, 3])
    array([0.75 , 0.625])
    """
    check("rank", rank, Whole(1))
    others, own = np.sort(np.asarray(impostor, dtype=np.float64)), np.asarray(genuine)
    if own.size == 0 or others.size == 0:
        raise InputError("genuine and impostor scores are needed, at least one of each")
    share = 1 - np.searchsorted(others, own, side="left") / len(others)
    sizes = np.atleast_1d(np.asarray(k))[:, None]
    return np.asarray(np.mean(scipy.stats.binom.cdf(rank - 1, sizes - 1, share), axis=1))
