"""What the field does otherwise: from 1:1 rates to ranks, mixtures of counts."""

import numpy as np
import numpy.typing as npt
from scipy.stats import binom

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators._favorability_mixtures import binomial_likelihood
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.ranks import Ranked
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


class BinomialMixture(Extrapolator):
    """Nonparametric maximum likelihood of the mixing distribution of the ranks.

    Of the n incorrect scores of a point, J_x ~ Binomial(n, p_x) are above its correct one, and
    p_x ~ g. g is found on a grid by EM (Tian, Kong and Valiant 2017; Vinayak et al. 2019), and the
    accuracy at k classes is sum_j g_j (1 - p_j)^(k - 1). Where no point errs it is 1.
    """

    name = "binomial_mixture"
    label = "binomial mixture (NPMLE)"
    color = "#444477"
    needs = "ranks"
    has_tops = True

    def _fit(self, sample: Ranked) -> None:
        trials = sample.n_classes - 1
        counts = trials - ranks(sample, self.seed)
        self.nodes_, self.chances_ = np.zeros(1), np.ones(1)
        if counts.any():
            self.nodes_, self.chances_ = _mixture(counts, trials, sample.weights)

    @property
    def favorabilities(self) -> Favorabilities:
        """The mixing distribution."""
        return Favorabilities.of_losses(self.nodes_, self.chances_)


def _mixture(
    counts: IntArray, trials: int, weights: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Nodes in [0, 1) and their probabilities."""
    lowest = -np.log(trials * len(counts)) - BELOW
    nodes = np.append(0.0, np.exp(np.linspace(lowest, np.log1p(-0.5 / trials), NODES)))
    seen, position = np.unique(counts, return_inverse=True)
    share = np.bincount(position, weights)
    likelihood = binomial_likelihood(seen, trials, nodes)
    chances = np.full(len(nodes), 1 / len(nodes))
    for _ in range(STEPS):
        marginal = (likelihood * chances).sum(axis=1)
        chances = chances * ((share / marginal)[:, None] * likelihood).sum(axis=0)
    return nodes, chances / chances.sum()
