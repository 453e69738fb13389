"""Maximum pseudo-likelihood of the ranks (MPLE), and mixtures of the favorability on a grid."""

import numpy as np

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import favorability_of_eta
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.numerics import nonnegative_least_squares

BELOW = 6.0  # The grid of C reaches 1 - C = exp(-6) / k1; no rank shows what is rarer.
HIGHEST_ETA = 2.5
# The log likelihood of `mixture_weights` is the largest, to this share of it.
ROUNDS, LARGEST = 200, 1e-9
# How much an equation weighs beside the likelihood in a step.
EQUATION = 1e4
TINY = 1e-300


def favorability_grid(n_classes: int, nodes: int) -> Float64Array:
    """Spread values of C, descending, evenly on the scale of log(-log C)."""
    lowest = -np.log(n_classes - 1) - BELOW
    return favorability_of_eta(np.linspace(lowest, HIGHEST_ETA, nodes))


def counted_ranks(sample: Sample, seed: int, points: int) -> tuple[IntArray, Float64Array]:
    """Find the ranks that occur, and how often, weighted, of so many points in all."""
    counts = np.zeros(sample.n_classes)
    np.add.at(counts, ranks(sample, seed), sample.weights * points)
    seen = np.flatnonzero(counts).astype(np.int64)
    return seen, counts[seen]


def binomial_likelihood(counts: IntArray, trials: int, chances: Float64Array) -> Float64Array:
    """Compute the chance of each count at each chance of a trial, (counts, chances)."""
    from scipy.special import gammaln, xlog1py, xlogy

    r = counts[:, None].astype(np.float64)
    choose = gammaln(trials + 1) - gammaln(r + 1) - gammaln(trials - r + 1)
    return np.exp(choose + xlogy(r, chances) + xlog1py(trials - r, -chances))


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


NODES = 200


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

    def _fit(self, sample: Sample) -> None:
        grid = np.append(1.0, favorability_grid(sample.n_classes, NODES))
        seen, counts = counted_ranks(sample, self.seed, sample.n_points)
        likelihood = binomial_likelihood(seen, sample.n_classes - 1, grid)
        weights = mixture_weights(likelihood, counts, np.ones((1, len(grid))), np.ones(1))
        self.favorability_, self.weights_ = grid[weights > 0], weights[weights > 0]
