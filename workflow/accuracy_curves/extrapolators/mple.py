"""MPLE: the distribution of C_x that makes the ranks most likely, of any form."""

import numpy as np
from scipy.special import gammaln, xlog1py

from accuracy_curves.extrapolators._mixtures import counted_ranks, mixture_weights
from accuracy_curves.extrapolators._tail_calibration import favorability_of_eta
from accuracy_curves.extrapolators.base import FavorabilityExtrapolator
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array

NODES = 200
BELOW = 6.0  # The grid reaches 1 - C = exp(-6) / k1; what is rarer, no rank can tell.
HIGHEST_ETA = 2.5


class MPLE(FavorabilityExtrapolator):
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
    needs = "ranks"

    def _favorability(self, sample: Ranked) -> Float64Array:
        top = -np.log(sample.n_classes - 1) - BELOW
        return np.append(1.0, favorability_of_eta(np.linspace(top, HIGHEST_ETA, NODES)))

    def _fit(self, sample: Ranked) -> None:
        grid, trials = self._favorability(sample), sample.n_classes - 1
        seen, counts = counted_ranks(sample, self.seed)
        r = seen[:, None].astype(np.float64)
        choose = gammaln(trials + 1) - gammaln(r + 1) - gammaln(trials - r + 1)
        likelihood = np.exp(choose + r * np.log(grid) + xlog1py(trials - r, -grid))
        weights = mixture_weights(likelihood, counts, np.ones((1, len(grid))), np.ones(1))
        self.favorability_, self.weights_ = grid[weights > 0], weights[weights > 0]
