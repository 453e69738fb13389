"""Curves of few parameters: each a formula, fitted to the observed average accuracies alone."""

import math
from typing import ClassVar

import numpy as np
from scipy.optimize import brentq

from accuracy_curves.extrapolators._radial_basis import radial_favorabilities, radial_moments
from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.minimisation import minimise_on_grid

BITS = np.linspace(0.0, 100.0, 101)
LOG_RATES = np.linspace(-12.0, 3.0, 46)
LARGEST_SHIFT = 40.0


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
    powers = (1, 2, 3)
    at_one = 1.0

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        super()._fit_curve(k, accuracy, weights * np.log(k))


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


class Information(CurveExtrapolator):
    """The high-dimensional curve of Zheng and Benjamini (2016), from the accuracy at k1.

    As the dimension grows while the mutual information I of label and data stays the same, the
    correct score tends to N(sqrt(2 I), 1) and the incorrect ones to independent N(0, 1), all on
    one scale, and the expected accuracy of the Bayes rule to

        E_k[A] = E[Phi(Z + sqrt(2 I))^(k - 1)],  Z ~ N(0, 1)

    (arXiv:1606.05229). The only parameter I is the one whose curve passes through the observed
    accuracy at k1. Of the other points of the curve nothing is used.

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
            self.information_ = 0.5 * float(brentq(excess, 0.0, LARGEST_SHIFT, xtol=1e-13)) ** 2

    def _predict(self, k: IntArray) -> Float64Array:
        return radial_moments(math.sqrt(2.0 * self.information_), 1.0, k)[:, 0]

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution."""
        return radial_favorabilities(math.sqrt(2.0 * self.information_), 1.0, 1.0)
