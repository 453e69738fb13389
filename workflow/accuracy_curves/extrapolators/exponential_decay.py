"""Exponential decay: accuracy falls exponentially in the root of the number of classes."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.minimisation import minimise_on_grid

LOG_RATES = np.linspace(-12.0, 3.0, 46)


class ExponentialDecay(CurveExtrapolator):
    """An exponential decay in the root of k, a baseline of Rocher et al. (2025).

        E_k[A] = 1 - a (exp(-b) - exp(-b sqrt k))

    which is 1 at one class, cut to [0, 1]. As in the authors' program, a and b > 0 minimise the
    squared errors of the average accuracies, each weighted by log k; no theory gives this curve.

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

    scale_: float
    rate_: float

    def _fit_curve(self, k: npt.NDArray[np.int64], accuracy: Float64Array) -> None:
        weight, loss = np.log(k), 1 - accuracy

        def scale_of(log_rate: float) -> tuple[float, Float64Array]:
            # Given b the curve is linear in a.
            shape = _shape(float(np.exp(log_rate)), k)
            return float((weight * shape * loss).sum() / (weight * shape**2).sum()), shape

        def cost(log_rate: float) -> float:
            scale, shape = scale_of(log_rate)
            return float((weight * (scale * shape - loss) ** 2).sum())

        best = minimise_on_grid(cost, LOG_RATES)
        self.rate_, self.scale_ = float(np.exp(best)), scale_of(best)[0]

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        return np.clip(1 - self.scale_ * _shape(self.rate_, k), 0.0, 1.0)


def _shape(rate: float, k: npt.NDArray[np.int64]) -> Float64Array:
    """exp(-b) - exp(-b sqrt k)."""
    return np.asarray(-np.exp(-rate) * np.expm1(-rate * (np.sqrt(k.astype(np.float64)) - 1)))
