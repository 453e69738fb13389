"""Maximum pseudo-likelihood of the ranks, alone (MPLE) and constrained (p-CONS)."""

import numpy as np
import numpy.typing as npt
from scipy.special import betaincc

from accuracy_curves.extrapolators._favorability_mixtures import (
    binomial_likelihood,
    counted_ranks,
    favorability_grid,
)
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.nnls import nonnegative_least_squares

NODES = 200
# The log likelihood of `mixture_weights` is the largest, to this share of it.
ROUNDS, LARGEST = 200, 1e-9
# How much an equation weighs beside the likelihood in a step.
EQUATION = 1e4
TINY = 1e-300
# Of p-CONS: the last interval is this share of 1 / k1 long.
STARTS, SHORTEST = 200, 1e-3


def mixture_weights(
    likelihood: Float64Array, counts: Float64Array, moments: Float64Array, values: Float64Array
) -> Float64Array:
    """Maximise sum_r n_r log(sum_j w_j L_rj) over w >= 0 with moments @ w = values.

    Newton steps as of Wang (2007): each minimises the quadratic approximation of the likelihood by
    non-negative least squares, in which the equations have rows of large weight, and is halved
    until the likelihood grows. `likelihood` is (ranks, components), `moments` (m, components).
    """
    equations = EQUATION * np.sqrt(counts.sum())
    weights = nonnegative_least_squares(
        np.vstack([equations * moments, np.eye(len(likelihood[0]))]),
        np.concatenate([equations * values, np.full(len(likelihood[0]), 1 / len(likelihood[0]))]),
    )
    root = np.sqrt(counts)

    def objective(at: Float64Array) -> float:
        return float((counts * np.log(np.maximum((likelihood * at).sum(axis=1), TINY))).sum())

    best = objective(weights)
    for _ in range(ROUNDS):
        mixed = np.maximum((likelihood * weights).sum(axis=1), TINY)
        step = nonnegative_least_squares(
            np.vstack([root[:, None] * likelihood / mixed[:, None], equations * moments]),
            np.concatenate([2.0 * root, equations * values]),
        )
        share = 1.0
        while (now := objective(weights + share * (step - weights))) < best and share > 1e-6:
            share /= 2.0
        if not now > best + LARGEST * abs(best):
            break
        weights, best = weights + share * (step - weights), now
    return weights


class MPLE(Extrapolator):
    """Maximum pseudo-likelihood, MPLE of Zheng, Achanta and Benjamini (draft of 2016, Section 4).

    The correct class outscores R_x of the k1 - 1 incorrect ones, R_x ~ Binomial(k1 - 1, C_x).
    Points are taken as independent, and the distribution eta of C_x maximises

        sum_x log int u^R_x (1 - u)^(k1 - 1 - R_x) d eta(u)

    over all distributions on a grid of u that ends with u = 1. Then E_k[A] = int u^(k - 1) d eta.
    In finite samples the maximum is not unique, and the mass that it puts on u = 1 is a plateau
    of the curve.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    favorability_, weights_ : (m,) arrays of float
        The u with a positive probability, and their probabilities; not one value a point.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="mple")
    >>> bool(curve[0] > curve[1])
    True
    """

    name = "mple"
    label = "MPLE"
    color = "#AA4499"
    has_tops = True
    needs = "ranks"

    @property
    def favorabilities(self) -> Favorabilities:
        """The grid, with its probabilities."""
        return Favorabilities.of(self.favorability_, self.weights_)

    def _fit(self, sample: Ranked) -> None:
        grid = np.append(1.0, favorability_grid(sample.n_classes, NODES))
        seen, counts = counted_ranks(sample, self.seed, sample.n_points)
        likelihood = binomial_likelihood(seen, sample.n_classes - 1, grid)
        weights = mixture_weights(likelihood, counts, np.ones((1, len(grid))), np.ones(1))
        self.favorability_, self.weights_ = grid[weights > 0], weights[weights > 0]


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

    def _fit(self, sample: Ranked) -> None:
        trials = sample.n_classes - 1
        starts = 1.0 - np.geomspace(1.0, SHORTEST / sample.n_classes, STARTS)
        seen, counts = counted_ranks(sample, self.seed, sample.n_points)
        # Binomial(r; trials, u) is a beta density over trials + 1, averaged over [s, 1].
        above = betaincc(seen[:, None] + 1, trials - seen[:, None] + 1, starts)
        likelihood = above / ((trials + 1) * (1.0 - starts))
        observed = average_accuracy(sample, sample.n_classes, self.seed)
        moments = np.vstack([np.ones(STARTS), _moments(starts, sample.n_classes)])
        # No increasing density has a moment beyond those of the grid.
        wanted = np.clip(observed, moments[1].min(), moments[1].max())
        weights = mixture_weights(likelihood, counts, moments, np.concatenate([[1.0], wanted]))
        self.starts_, self.weights_ = starts[weights > 0], weights[weights > 0]

    def _predict(self, k: IntArray) -> Float64Array:
        return (_moments(self.starts_, k[:, None]) * self.weights_).sum(axis=1)


def _moments(starts: Float64Array, k: npt.ArrayLike) -> Float64Array:
    """Mean of u^(k - 1) over [s, 1]."""
    with np.errstate(divide="ignore"):
        log_start = np.log(starts)
    classes = np.asarray(k, dtype=np.float64)
    return np.asarray(-np.expm1(classes * log_start) / (classes * (1.0 - starts)))
