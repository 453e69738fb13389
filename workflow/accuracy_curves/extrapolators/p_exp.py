"""A mixture of exponentials, fitted to the average accuracies (p-EXP)."""

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.numerics import nonnegative_least_squares

STEP, LARGEST_RATE = 0.01, 2.0


class PExp(CurveExtrapolator):
    """Mixture of exponentials, p-EXP of Zheng, Achanta and Benjamini (draft of 2016, Section 4).

    The curve is

        E_k[A] = sum_j a_j exp(-k kappa_j),  a_j >= 0

    with kappa_j = 0, .01, .02... 2. The a_j minimise the squared errors of the average
    accuracies at k = 2..k1. The accuracies at small k do not show the smallest rates, and the grid
    decides between them. From 20 to 400 characters read by a deep network the prediction is
    .995 with a step of .1, .972 with .01, and .926 with .002. In print it is .973, without the
    grid.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking.

    Attributes
    ----------
    rates_ : (m,) array of float
        kappa_j with a positive weight.
    weights_ : (m,) array of float
        Their a_j.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, variance=0.2)
    >>> curve = ac.extrapolate(matrix, [100, 1000], method="p_exp")
    >>> bool(curve[0] > curve[1])
    True
    """

    name = "p_exp"
    label = "p-EXP"
    color = "#661100"
    has_tops = True

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        rates = np.arange(0.0, LARGEST_RATE + STEP / 2, STEP)
        root = np.sqrt(weights * np.ones(len(k)))
        powers = np.exp(-np.outer(k, rates))
        coefficients = nonnegative_least_squares(root[:, None] * powers, root * accuracy)
        self.rates_, self.weights_ = rates[coefficients > 0], coefficients[coefficients > 0]

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution."""
        # a exp(-k kappa) = (a exp(-kappa)) C^(k - 1) with C = exp(-kappa).
        return Favorabilities.of_logs(-self.rates_, self.weights_ * np.exp(-self.rates_))
