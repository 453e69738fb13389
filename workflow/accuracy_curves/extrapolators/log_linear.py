"""Log-linear: accuracy falls by the same amount each time the number of classes doubles."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.utils.arrays import Float64Array


class LogLinear(CurveExtrapolator):
    """A straight line in log k, the baseline that a plot on a logarithmic axis suggests.

        E_k[A] = intercept + slope * log k

    by least squares over k = 2..k1, cut to [0, 1]. No theory gives this curve: the accuracy is a
    mean of C_x^(k - 1), convex in k, and never reaches 0. It is here as a rival to beat.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    intercept_ : float
        The line at one class.
    slope_ : float
        Change of the accuracy as k grows e-fold.
    """

    name = "log_linear"
    label = "log-linear"
    color = "#553311"

    intercept_: float
    slope_: float

    def _fit_curve(self, k: npt.NDArray[np.int64], accuracy: Float64Array) -> None:
        logarithm = np.log(k)
        centred = logarithm - logarithm.mean()
        self.slope_ = float((centred * accuracy).sum() / (centred**2).sum())
        self.intercept_ = float(accuracy.mean() - self.slope_ * logarithm.mean())

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        line = self.intercept_ + self.slope_ * np.log(k.astype(np.float64))
        return np.clip(line, 0.0, 1.0)
