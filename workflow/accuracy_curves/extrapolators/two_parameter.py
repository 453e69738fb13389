"""Two parameters: a normal favorability on the probit scale."""

import math
from dataclasses import field
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
import scipy

from accuracy_curves.extrapolators.base import CurveExtrapolator, Weights
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.extrapolators.regression import radial_favorabilities
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array, IntArray, exponential, geometric_rule

# Of mu and log sigma, the lowest and the highest.
RANGES = np.array([[-40.0, math.log(1e-3)], [40.0, math.log(10.0)]])
STARTING_SDS, STARTING_MEANS = (0.3, 1.0, 3.0), (0.0, 1.5, 3.0)
PRECISION: Any = {"xtol": 1e-12, "ftol": 1e-12, "gtol": 1e-14}
# From each start, at so many k; the best one goes on.
ROUGH: Any = {"xtol": 1e-4, "ftol": 1e-4, "gtol": 1e-6}
FEW_K = 40
MOST_STEPS = 200
# The panels of z on which curves are compared with the observed one.
LOWEST, HIGHEST, PANEL = -8.5, 9.0, 0.5
NODES, WEIGHTS = np.polynomial.legendre.leggauss(10)
# A bump that is narrower has nodes and weights of its own.
NARROWEST, HERMITE = 0.15, np.polynomial.hermite_e.hermegauss(40)
HERMITE[1][:] /= HERMITE[1].sum()
# The errors at more numbers of classes are summed at about so many of them.
MOST_K = 400
LOG_SQRT_2_PI = 0.5 * math.log(2 * math.pi)


class TwoParameter(CurveExtrapolator):
    """A normal favorability on the probit scale: one bump of the radial basis, free to move.

    C_x = Phi(Z) with Z ~ N(mu, sigma^2), so that

        E_k[A] = E[Phi(Z)^(k - 1)]

    This is a single column of the radial basis of Zheng, Achanta and Benjamini (JMLR 2018). Its
    knot and bandwidth, mu and sigma, minimise the squared errors of the average accuracies at
    k = 2..k1. Above 401 classes their sum is that of the trapezoidal rule with at
    most 400 k, evenly spaced in log k, which moves the curve by less than 1e-5.

    Parameters
    ----------
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    mean_ : float
        mu; ``inf`` where no point of the sample was ever outscored.
    sd_ : float
        sigma, from 0.001 to 10; 0 where the mean is infinite.
    """

    name = "two_parameter"
    label = "two parameters"
    color = "#9922EE"
    has_tops = True
    takes_lists = True

    _near: Float64Array | None = field(default=None, init=False)

    def _fit(self, sample: Sample, near: Float64Array | None = None) -> None:
        """Fit the curve, where the `parameters` of other classes are known from near them."""
        self._near = near
        super()._fit(sample)

    def _fit_curve(self, k: IntArray, accuracy: Float64Array, weights: Weights = 1.0) -> None:
        if accuracy.min() >= 1.0:
            self.mean_, self.sd_ = math.inf, 0.0
            return

        if np.ndim(weights) == 0:
            numbers, weights = geometric_rule(1, len(k), MOST_K)
            k, accuracy = k[numbers - 1], accuracy[numbers - 1]
        numbers, shares = geometric_rule(1, len(k), FEW_K)
        few = k[numbers - 1], accuracy[numbers - 1], shares * np.asarray(weights)[numbers - 1]
        # The curve of N(mu, sigma^2) is Phi(mu / sqrt(1 + sigma^2)) at two classes.
        probit = scipy.special.ndtri(np.clip(accuracy[0], 1e-12, 1 - 1e-12))
        starts = ((probit * math.hypot(1.0, sd), math.log(sd)) for sd in STARTING_SDS)
        near = self._near
        if near is None:
            near = min((_descend(*few, start, ROUGH) for start in starts), key=itemgetter(0))[1]
        best = _descend(k, accuracy, weights, near, PRECISION)[1]
        self.mean_, self.sd_ = float(best[0]), math.exp(best[1])

    def _fit_top_curve(
        self, k: IntArray, accuracy: Float64Array, weights: Float64Array, top: int
    ) -> None:
        def errors(parameters: Float64Array) -> Float64Array:
            law = radial_favorabilities(parameters[0], math.exp(parameters[1]), 1.0)
            return np.sqrt(weights) * (law.accuracy(k, top) - accuracy)

        starts = ((mean, math.log(sd)) for mean in STARTING_MEANS for sd in STARTING_SDS)
        fits = [
            scipy.optimize.least_squares(errors, start, bounds=tuple(RANGES), **PRECISION)
            for start in starts
        ]
        best = min(fits, key=lambda fit: float(fit.cost)).x
        self.mean_, self.sd_ = float(best[0]), math.exp(best[1])

    @property
    def parameters(self) -> Float64Array | None:
        """Mu and log sigma, (2,); None where mu is infinite."""
        return np.array([self.mean_, math.log(self.sd_)]) if self.sd_ else None

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution."""
        return radial_favorabilities(self.mean_, self.sd_, 1.0)


def _descend(
    k: IntArray, accuracy: Float64Array, weights: Weights, start: Any, precision: Any
) -> tuple[float, Float64Array]:
    """Minimise the squared errors from a start: their sum, and mu and log sigma."""
    fitted, root = _fixed_nodes(k.tobytes()), np.sqrt(weights)
    # The slopes are taken where the errors were.
    last = lru_cache(maxsize=1)(fitted.curve_and_slopes)
    lowest, highest = RANGES

    def at(parameters: Float64Array) -> tuple[Float64Array, Float64Array]:
        # Without bounds a step may lead to where nothing can be computed.
        return last(*parameters.clip(lowest - 1, highest + 1).tolist())

    def errors(parameters: Float64Array) -> Float64Array:
        return root * (at(parameters)[0] - accuracy)

    def slopes(parameters: Float64Array) -> Float64Array:
        return root[:, None] * at(parameters)[1]

    # leastsq adds a covariance, which may overflow where the curve is flat; it is not used.
    with np.errstate(over="ignore"):
        # MINPACK is many times as fast, but knows no bounds.
        x, _, about, *_ = scipy.optimize.leastsq(
            errors, start, Dfun=slopes, full_output=True, maxfev=MOST_STEPS, **precision
        )
        error = about["fvec"]
        if not (lowest < x).all() or not (x < highest).all():
            inside = np.clip(start, lowest, highest)
            fit = scipy.optimize.least_squares(
                errors, inside, jac=slopes, bounds=tuple(RANGES), **PRECISION
            )
            x, error = fit.x, fit.fun
    return float(np.square(error).sum()), x


class FixedNodes:
    """The curves of all parameters at the same k, from powers of Phi that are taken once.

    Gauss and Legendre's rule on panels of z; above the last one Phi is 1, below the first one 0. A
    bump that is narrower than the panels resolve has nodes of its own, Gauss and Hermite's.
    """

    def __init__(self, k: IntArray) -> None:
        edges = np.arange(LOWEST, HIGHEST, PANEL)
        self._incorrect = (k - 1).astype(np.float64)[:, None]
        self._z = (edges[:, None] + PANEL * (NODES + 1) / 2).ravel()
        self._weights = np.tile(WEIGHTS * PANEL / 2, len(edges))
        self._powers = exponential(self._incorrect * scipy.special.log_ndtr(self._z))

    def curve_and_slopes(self, mean: float, log_sd: float) -> tuple[Float64Array, Float64Array]:
        """Compute E[Phi(Z)^(k - 1)], (n,), with Z ~ N(mean, sd^2), and its slopes, (n, 2).

        Those in the mean, E[Phi(Z)^(k - 1) X] / sd, and in log sd, E[Phi(Z)^(k - 1) (X^2 - 1)],
        with X = (Z - mean) / sd (Stein's lemma).
        """
        sd = math.exp(log_sd)
        if sd < NARROWEST:
            x, inside, above = *HERMITE, np.zeros(3)
            powers = exponential(self._incorrect * scipy.special.log_ndtr(mean + sd * x))
        else:
            x, powers, last = (self._z - mean) / sd, self._powers, (HIGHEST - mean) / sd
            inside = np.exp(-0.5 * x**2 - LOG_SQRT_2_PI) * self._weights / sd
            density = math.exp(-0.5 * last**2 - LOG_SQRT_2_PI)
            above = np.array([scipy.special.ndtr(-last), density / sd, density * last])
        sums = powers @ np.stack([inside, inside * x / sd, inside * (x**2 - 1)], 1) + above
        return sums[:, 0], sums[:, 1:]


@lru_cache(maxsize=4)
def _fixed_nodes(k: bytes) -> FixedNodes:
    """Take the powers once for all fits to as many classes: those to halves."""
    return FixedNodes(np.frombuffer(k, np.int64))
