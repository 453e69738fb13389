"""The entropy model of identification."""

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.numerics import minimise_on_grid

BITS = np.linspace(0.0, 100.0, 101)


class Entropy(CurveExtrapolator):
    """The entropy model of identification, a baseline of Rocher et al. (2025).

    Each of k people has one of M = 2^h equally likely signatures, and one guess a signature is
    right, so that the expected share of people identified is

        E_k[A] = M / k * (1 - (1 - 1 / M)^k)

    As in the authors' program, h minimises the squared errors of the average accuracies, each
    weighted by log k.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    bits_ : float
        h, from 0 to 100.

    References
    ----------
    L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye. A scaling law to model the effectiveness of
    identification techniques. Nature Communications 16, 347 (2025).
    """

    name = "entropy"
    label = "entropy"
    color = "#117755"

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        weight = weights * np.log(k)

        def cost(bits: float) -> float:
            return float((weight * (_identified(bits, k) - accuracy) ** 2).sum())

        self.bits_ = minimise_on_grid(cost, BITS)

    def _predict(self, k: IntArray) -> Float64Array:
        return _identified(self.bits_, k)


def _identified(bits: float, k: IntArray) -> Float64Array:
    people, signatures = k.astype(np.float64), 2.0**bits
    with np.errstate(divide="ignore"):
        none = people * np.log1p(-1 / signatures)
    return np.asarray(-np.expm1(none) * signatures / people)
