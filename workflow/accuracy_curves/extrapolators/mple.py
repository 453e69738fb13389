"""Maximum pseudo-likelihood of the ranks (MPLE)."""

import numpy as np

from accuracy_curves.extrapolators._favorability_mixtures import (
    binomial_likelihood,
    counted_ranks,
    favorability_grid,
    mixture_weights,
)
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.scores.sample import Sample

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
