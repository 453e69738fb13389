"""Polynomials in log k, fitted to the observed average accuracies alone."""

from typing import ClassVar

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.utils.arrays import Float64Array, IntArray


class LogPolynomial(CurveExtrapolator):
    """Base of the polynomials in log k, by least squares, cut to [0, 1].

    A subclass sets the `powers` of log k, and `at_one`, a constant that is not fitted.
    """

    powers: ClassVar[tuple[int, ...]]
    at_one: ClassVar[float] = 0.0

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        root = np.sqrt(weights * np.ones(len(k)))
        terms, target = root[:, None] * self._terms(k), root * (accuracy - self.at_one)
        self.coefficients_ = np.linalg.lstsq(terms, target)[0]

    def _predict(self, k: IntArray) -> Float64Array:
        curve = self.at_one + (self._terms(k) * self.coefficients_).sum(axis=1)
        return np.clip(curve, 0.0, 1.0)

    def _terms(self, k: IntArray) -> Float64Array:
        return np.log(k)[:, None] ** np.array(self.powers, dtype=np.float64)


class LogLinear(LogPolynomial):
    """A straight line in log k, the baseline that a plot on a logarithmic axis suggests.

        E_k[A] = a + b log k

    by least squares over the observed k, cut to [0, 1]. No theory gives this curve: the accuracy is
    a mean of C_x^(k - 1), convex in k, and never reaches 0. It is here as a rival to beat.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    coefficients_ : (2,) array of float
        a and b.
    """

    name = "log_linear"
    label = "log-linear"
    color = "#553311"
    reach = 1
    powers = (0, 1)


class LogQuadratic(LogPolynomial):
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
    powers = (0, 1, 2)


class Cubic(LogPolynomial):
    """A cubic in log k that is 1 at one class, a baseline of Rocher et al. (2025).

        E_k[A] = 1 + c log k + b (log k)^2 + a (log k)^3

    cut to [0, 1]. As in the authors' program, a, b and c minimise the squared errors of the
    average accuracies, each weighted by log k. No theory gives this curve, and beyond the observed
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
    powers = (1, 2, 3)
    at_one = 1.0

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        super()._fit_curve(k, accuracy, weights * np.log(k))
