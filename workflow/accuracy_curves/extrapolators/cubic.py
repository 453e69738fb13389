"""Cubic: a polynomial in the log of the number of classes."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.utils.arrays import Float64Array


class Cubic(CurveExtrapolator):
    """A cubic in log k that is 1 at one class, a baseline of Rocher et al. (2025).

        E_k[A] = 1 + c log k + b (log k)^2 + a (log k)^3

    cut to [0, 1]. As in the authors' program, a, b and c minimise the squared errors of the
    average accuracies, each weighted by log k; no theory gives this curve, and beyond the observed
    k it may rise.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    coefficients_ : (3,) array of float
        c, b and a.

    References
    ----------
    L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye. A scaling law to model the effectiveness of
    identification techniques. Nature Communications 16, 347 (2025).
    """

    name = "cubic"
    label = "cubic"
    color = "#88AA22"
    minimum_classes = 4

    coefficients_: Float64Array

    def _fit_curve(self, k: npt.NDArray[np.int64], accuracy: Float64Array) -> None:
        weight = np.sqrt(np.log(k))
        design, loss = weight[:, None] * _powers(k), weight * (accuracy - 1)
        self.coefficients_ = np.asarray(np.linalg.lstsq(design, loss)[0], dtype=np.float64)

    def _predict(self, k: npt.NDArray[np.int64]) -> Float64Array:
        return np.asarray(np.clip(1 + (_powers(k) * self.coefficients_).sum(axis=1), 0.0, 1.0))


def _powers(k: npt.NDArray[np.int64]) -> Float64Array:
    powers: Float64Array = np.log(k)[:, None] ** np.arange(1.0, 4.0)
    return powers
