"""Pitman-Yor: the share of unique people when signatures follow a Pitman-Yor process."""

import numpy as np
import scipy

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray

LOG_CONCENTRATION_RANGE = (-15.0, 40.0)
DISCOUNT_RANGE = (0.0, 1.0 - 1e-9)
STARTING_POINTS = 12
# A fit may end at 5e-324, of which a product has no digits left.
LEAST_WITH_DIGITS = 1e-200
# From here on the asymptotic series of the digamma function has all digits.
SHIFT = 12
# B_j / j for j = 2, 4, 6..: digamma(z) = log z - 1 / (2 z) - sum_j B_j / j z^-j.
DIGAMMA_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
# Gauss and Legendre's rule.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)


class PitmanYor(CurveExtrapolator):
    """The scaling law of identification (Rocher, Hendrickx and de Montjoye 2025).

    The signatures of people follow a Pitman-Yor process with concentration alpha > 0 and
    discount 0 <= d < 1. Among k people with K_k distinct signatures one guess a signature is
    right, so that the expected share of people identified is

        E[K_k] / k = alpha / (d k) * (Gamma(alpha) Gamma(k + alpha + d)
                                      / (Gamma(alpha + d) Gamma(k + alpha)) - 1)

    (Pitman's formula for the expected number of blocks; its limit at d = 0 is
    alpha / k * (digamma(k + alpha) - digamma(alpha))). As in the authors' program, alpha and d
    minimise the squared errors of the average accuracies at k = 2..k1, each weighted by log k.
    The two parameters are the authors' h = digamma(alpha + 1) - digamma(1 - d) and
    gamma = (digamma(1) - digamma(1 - d)) / h.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    concentration_ : float
        alpha.
    discount_ : float
        d, in [0, 1).

    References
    ----------
    L. Rocher, J. M. Hendrickx, Y.-A. de Montjoye. A scaling law to model the effectiveness of
    identification techniques. Nature Communications 16, 347 (2025).
    """

    name = "pitman_yor"
    label = "Pitman-Yor"
    color = "#CC6677"
    takes_lists = True

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        weight = np.sqrt(weights * np.log(k))

        def errors(parameters: Float64Array) -> Float64Array:
            return weight * (share_identified(np.exp(parameters[0]), parameters[1], k) - accuracy)

        axes = (np.linspace(*ends, STARTING_POINTS) for ends in ((-2.0, 20.0), (0.02, 0.98)))
        starts = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        start = starts[np.argmin([(errors(parameters) ** 2).sum() for parameters in starts])]
        bounds = tuple(np.array([LOG_CONCENTRATION_RANGE, DISCOUNT_RANGE]).T)
        fit = scipy.optimize.least_squares(
            errors, start, "3-point", bounds, xtol=1e-12, ftol=1e-12, gtol=1e-14
        )
        self.concentration_, self.discount_ = float(np.exp(fit.x[0])), float(fit.x[1])

    def _predict(self, k: IntArray) -> Float64Array:
        return share_identified(self.concentration_, self.discount_, k)


def share_identified(concentration: float, discount: float, k: ArrayLike) -> Float64Array:
    """Compute E[K_k] / k of a Pitman-Yor process, the expected share of people identified, (n,).

    For alpha above 0 and d in [0, 1), to a relative error of about 1e-14.
    """
    people = np.atleast_1d(np.asarray(k)).astype(np.float64)
    alpha = np.float64(concentration)
    d = np.float64(discount if discount > LEAST_WITH_DIGITS else 0.0)
    steps = log_gamma_step(alpha, people, d)
    growth = np.expm1(d * steps) / d if d > 0 else steps
    return np.minimum(alpha / people * growth, 1.0)


def log_gamma_step(alpha: np.float64, n: Float64Array, d: np.float64) -> Float64Array:
    """Compute (f(alpha + n) - f(alpha)) / d with f(z) = log Gamma(z + d) - log Gamma(z), (n,).

    The factors of Gamma(z) = Gamma(z + 12) / (z (z + 1)..(z + 11)) are summed one by one. The rest
    is the mean over s in [0, d] of digamma(alpha + n + 12 + s) - digamma(alpha + 12 + s). It is
    smooth, and computed by Gauss and Legendre's rule. No digits cancel, whether alpha is far above
    n >= 1, or d near or at 0.
    """
    mean = np.zeros_like(n)
    for i in range(SHIFT):
        low, high = alpha + i, alpha + i + n
        if d > 0:
            mean += (np.log1p(d / low) - np.log1p(d / high)) / d
        else:
            mean += 1.0 / low - 1.0 / high
    for node, weight in zip((NODES + 1) / 2, WEIGHTS / 2, strict=True):
        start = alpha + SHIFT + d * node
        mean += weight * (np.log1p(n / start) + _digamma_tail(start + n) - _digamma_tail(start))
    return mean


def _digamma_tail(z: ArrayLike) -> Float64Array:
    """Digamma(z) - log z for large z, by its asymptotic series."""
    inverse = 1.0 / np.asarray(z, dtype=np.float64)
    tail = -0.5 * inverse
    for j, coefficient in enumerate(DIGAMMA_SERIES, start=1):
        tail = tail - coefficient * inverse ** (2 * j)
    return np.asarray(tail)
