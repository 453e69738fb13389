"""Maximum pseudo-likelihood of the ranks, constrained (p-CONS)."""

import numpy as np
import scipy

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.mple import counted_ranks, mixture_weights
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray

# The last interval is this share of 1 / k1 long.
STARTS, SHORTEST = 200, 1e-3


class PCons(Extrapolator):
    """Constrained pseudo-likelihood, p-CONS of Zheng, Achanta and Benjamini (draft of 2016).

    The density eta of C_x maximises the pseudo-likelihood of `MPLE` among the increasing ones (that
    of a Bayes classifier increases: a theorem of the draft) whose moment at k1 is the observed
    accuracy. An increasing density is a mixture of uniform ones on [s, 1], so that

        E_k[A] = sum_j w_j (1 - s_j^k) / (k (1 - s_j)),  w_j >= 0, sum_j w_j = 1, E_k1[A] = A_k1

    with s_j on a grid from 0 to almost 1.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    starts_ : (m,) array of float
        s_j with a positive weight.
    weights_ : (m,) array of float
        w_j.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="p_cons")
    >>> abs(curve[0] - ac.average_accuracy(matrix, 100)) < 1e-6
    array([ True])
    """

    name = "p_cons"
    label = "p-CONS"
    color = "#6699CC"
    needs = "ranks"

    def _fit(self, sample: Sample) -> None:
        trials = sample.n_classes - 1
        starts = 1.0 - np.geomspace(1.0, SHORTEST / sample.n_classes, STARTS)
        seen, counts = counted_ranks(sample, self.seed, sample.n_points)
        # Binomial(r; trials, u) is a beta density over trials + 1, averaged over [s, 1].
        above = scipy.special.betaincc(seen[:, None] + 1, trials - seen[:, None] + 1, starts)
        likelihood = above / ((trials + 1) * (1.0 - starts))
        observed = average_accuracy(sample, sample.n_classes, self.seed)
        moments = np.vstack([np.ones(STARTS), _moments(starts, sample.n_classes)])
        # No increasing density has a moment beyond those of the grid.
        wanted = np.clip(observed, moments[1].min(), moments[1].max())
        weights = mixture_weights(likelihood, counts, moments, np.concatenate([[1.0], wanted]))
        self.starts_, self.weights_ = starts[weights > 0], weights[weights > 0]

    def _predict(self, k: IntArray) -> Float64Array:
        return (_moments(self.starts_, k[:, None]) * self.weights_).sum(axis=1)


def _moments(starts: Float64Array, k: ArrayLike) -> Float64Array:
    """Mean of u^(k - 1) over [s, 1]."""
    with np.errstate(divide="ignore"):
        log_start = np.log(starts)
    classes = np.asarray(k, dtype=np.float64)
    return np.asarray(-np.expm1(classes * log_start) / (classes * (1.0 - starts)))
