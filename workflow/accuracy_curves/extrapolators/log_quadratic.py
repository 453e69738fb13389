"""Log-quadratic: a parabola in the log of the number of classes."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.utils.arrays import Float64Array


class LogQuadratic(CurveExtrapolator):
    """A quadratic in log k, as rates of fingerprint systems were extrapolated.

        E_k[A] = a + b log k + c (log k)^2

    by least squares over the observed k, cut to [0, 1] (Baveja, Yuan and Wein 2010). No theory
    gives this curve, and beyond the observed k it may rise.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    coefficients_ : (3,) array of float
        a, b and c.
    """

    name = "log_quadratic"
    label = "log-quadratic"
    color = "#44BBAA"
    minimum_classes = 4

    coefficients_: Float64Array

    def _fit_curve(self, k: npt.NDArray[np.int64], accuracy: Float64Array) -> None:
        self.coefficients_ = np.asarray(np.linalg.lstsq(_powers(k), accuracy)[0], dtype=np.float64)

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        return np.asarray(np.clip((_powers(k) * self.coefficients_).sum(axis=1), 0.0, 1.0))


def _powers(k: npt.NDArray[np.int64]) -> Float64Array:
    powers: Float64Array = np.log(k)[:, None] ** np.arange(3.0)
    return powers
