"""The high-dimensional curve of the mutual information."""

import math

import scipy

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.extrapolators.regression import radial_favorabilities, radial_moments
from accuracy_curves.utils.arrays import Float64Array, IntArray

LARGEST_SHIFT = 40.0


class Information(CurveExtrapolator):
    """The high-dimensional curve of Zheng and Benjamini (2016), from the accuracy at k1.

    Let the dimension grow while the mutual information I of label and data stays the same. Then, on
    one scale, the correct score tends to N(sqrt(2 I), 1) and the incorrect ones to independent
    N(0, 1). The expected accuracy of the Bayes rule tends to

        E_k[A] = E[Phi(Z + sqrt(2 I))^(k - 1)],  Z ~ N(0, 1)

    (arXiv:1606.05229). The curve of the only parameter, I, passes through the observed accuracy
    at k1. No other observed accuracy is used.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    information_ : float
        I in nats, at least 0: 0 where the accuracy at k1 is not above chance, ``inf`` where it
        is 1.
    """

    name = "information"
    label = "information"
    color = "#332288"
    has_tops = True

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        k1, observed = int(k[-1]), float(accuracy[-1])

        def excess(shift: float) -> float:
            return float(radial_moments(shift, 1.0, k1)[0, 0]) - observed

        if excess(0.0) >= 0:
            self.information_ = 0.0
        elif excess(LARGEST_SHIFT) <= 0:
            self.information_ = math.inf
        else:
            self.information_ = (
                0.5 * float(scipy.optimize.brentq(excess, 0.0, LARGEST_SHIFT, xtol=1e-13)) ** 2
            )

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution."""
        return radial_favorabilities(math.sqrt(2.0 * self.information_), 1.0, 1.0)
