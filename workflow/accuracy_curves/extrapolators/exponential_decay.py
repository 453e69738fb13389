"""An exponential decay in the root of k."""

import math

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.numerics import minimise_on_grid

LOG_RATES = np.linspace(-12.0, 3.0, 46)


class ExponentialDecay(CurveExtrapolator):
    """An exponential decay in the root of k, a baseline of Rocher et al. (2025).

        E_k[A] = 1 - a (exp(-b) - exp(-b sqrt k))

    which is 1 at one class, cut to [0, 1]. As in the authors' program, a and b > 0 minimise the
    squared errors of the average accuracies, each weighted by log k. No theory gives this curve.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    scale_ : float
        a.
    rate_ : float
        b.

    References
    ----------
    L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye. A scaling law to model the effectiveness of
    identification techniques. Nature Communications 16, 347 (2025).
    """

    name = "exponential_decay"
    label = "exponential decay"
    color = "#AA3399"

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        weight, loss = weights * np.log(k), 1 - accuracy

        def scale_of(log_rate: float) -> tuple[float, Float64Array]:
            # Given b the curve is linear in a.
            fall = _fall(math.exp(log_rate), k)
            return float((weight * fall * loss).sum() / (weight * fall**2).sum()), fall

        def cost(log_rate: float) -> float:
            scale, fall = scale_of(log_rate)
            return float((weight * (scale * fall - loss) ** 2).sum())

        best = minimise_on_grid(cost, LOG_RATES)
        self.rate_, self.scale_ = math.exp(best), scale_of(best)[0]

    def _predict(self, k: IntArray) -> Float64Array:
        return np.clip(1 - self.scale_ * _fall(self.rate_, k), 0.0, 1.0)


def _fall(rate: float, k: IntArray) -> Float64Array:
    """exp(-b) - exp(-b sqrt k)."""
    return np.asarray(-np.exp(-rate) * np.expm1(-rate * (np.sqrt(k.astype(np.float64)) - 1)))
