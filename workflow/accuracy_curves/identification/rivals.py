"""What the field does otherwise: from 1:1 rates to ranks, mixtures of counts."""

from collections.abc import Callable
from typing import Self

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln
from scipy.stats import binom

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.false_negatives import FalseNegatives
from accuracy_curves.identification.false_positives import FittedAnew
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.observed.top_accuracy import expected_top_accuracy
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import check_whole

NODES = 200
BELOW = 4.0  # The grid of the mixture ends e^4 times below one in all.
STEPS = 2000


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
    check_whole("rank", rank, 1)
    others, own = np.sort(np.asarray(impostor, dtype=np.float64)), np.asarray(genuine)
    if own.size == 0 or others.size == 0:
        raise InputError("genuine and impostor scores are needed, at least one of each")
    share = 1 - np.searchsorted(others, own, side="left") / len(others)
    sizes = np.atleast_1d(np.asarray(k))[:, None]
    return np.asarray(np.mean(binom.cdf(rank - 1, sizes - 1, share), axis=1))


class BinomialMixture(FittedAnew):
    """Nonparametric maximum likelihood of the mixing distribution of the counts at T.

    Of the n impostor scores of a search, J_x ~ Binomial(n, p_x) are at or above T, and p_x ~ g.
    g is found on a grid by EM (Tian, Kong and Valiant 2017; Vinayak et al. 2019), and
    FPIR(k, T) = 1 - sum_j g_j (1 - p_j)^k. Where no score reaches T the rate is 0.
    """

    label = "binomial mixture (NPMLE)"
    color = "#444477"

    def _fitted_at(self, oriented: float) -> Callable[[IntArray], Float64Array]:
        scores = self._searches.impostor
        counts = np.count_nonzero(scores >= oriented, axis=1)
        if not counts.any():
            return lambda k: np.zeros(len(k))
        nodes, chances = _mixture(counts, scores.shape[1], self._searches.impostor_weights)
        return lambda k: 1 - (np.exp(k[:, None] * np.log1p(-nodes)) * chances).sum(axis=1)


class MixtureOfMates(FalseNegatives):
    """The same of the mated searches: how many others outscore the mate is a binomial mixture."""

    def fit(self, searches: Searches) -> Self:
        """Count the others that outscore each mate."""
        self._others = searches.n_classes - 1
        self._outscoring = self._others - ranks(searches.mated)
        return super().fit(searches)

    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        weights, outscoring = self._weights[accepted], self._outscoring[accepted]
        nodes, chances = _mixture(outscoring, self._others, weights / weights.sum())
        with np.errstate(divide="ignore"):
            return expected_top_accuracy(np.log1p(-nodes), np.log(nodes), chances, k, rank)


def _mixture(
    counts: IntArray, trials: int, weights: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Nodes in [0, 1) and their probabilities."""
    lowest = -np.log(trials * len(counts)) - BELOW
    nodes = np.append(0.0, np.exp(np.linspace(lowest, np.log1p(-0.5 / trials), NODES)))
    seen, position = np.unique(counts, return_inverse=True)
    share = np.bincount(position, weights)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_chance = np.where(seen[:, None] > 0, seen[:, None] * np.log(nodes), 0.0)
    log_chance = log_chance + (trials - seen[:, None]) * np.log1p(-nodes)
    choose = gammaln(trials + 1) - gammaln(seen + 1) - gammaln(trials - seen + 1)
    likelihood = np.exp(log_chance + choose[:, None])
    chances = np.full(len(nodes), 1 / len(nodes))
    for _ in range(STEPS):
        marginal = (likelihood * chances).sum(axis=1)
        chances = chances * ((share / marginal)[:, None] * likelihood).sum(axis=0)
    return nodes, chances / chances.sum()
