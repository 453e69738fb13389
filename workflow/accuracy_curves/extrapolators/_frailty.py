"""Points differ in what the features of their scores do not show: a frailty of their tails.

Let rho be the share of the rivals beyond its anchor that beat a point. Then J of these m - 1 do,
Binomial(m - 1, rho). Where points are unlike, J is more spread than that: the hazard -log(1 - rho)
of each point is multiplied by a z of its own, log z ~ N(-s^2 / 2, s^2), of mean 1. Arrays have a
row for each node of z, and a column for each point.
"""

import numpy as np
import scipy

from accuracy_curves.utils.arrays import Float64Array, IntArray

# Gauss and Hermite's rule for a standard normal variable.
NODES, _weights = np.polynomial.hermite_e.hermegauss(11)
LOG_CHANCES = np.log(_weights / _weights.sum())[:, None]
LARGEST, PRIOR_SD = 3.0, 2.0


def hazards(log_rho: Float64Array, s: float) -> Float64Array:
    """Multiply -log(1 - rho) by z at each node, (nodes, N)."""
    hazard = -np.log1p(-np.exp(np.minimum(log_rho, -1e-9)))
    z = np.exp(s * NODES - s**2 / 2)[:, None]
    return np.asarray(z * np.maximum(hazard, 1e-300))


def log_shares(log_rho: Float64Array, s: float) -> Float64Array:
    """Log of 1 - (1 - rho)^z at each node, (nodes, N)."""
    return np.log(-np.expm1(-hazards(log_rho, s)))


def log_joint(log_rho: Float64Array, losses: IntArray, trials: int, s: float) -> Float64Array:
    """Log of the chance of each node and of the J of each point there, (nodes, N)."""
    hazard = hazards(log_rho, s)
    lost = np.log(-np.expm1(-hazard))
    return np.asarray(losses * lost - (trials - losses) * hazard + LOG_CHANCES)


def log_chance_of(joint: Float64Array) -> Float64Array:
    """Log of the sum over the nodes, (N,); SciPy's is eight times as slow for few points."""
    most = joint.max(axis=0)
    return np.asarray(most + np.log(np.exp(joint - most).sum(axis=0)))


def fit_frailty(
    log_rho: Float64Array, losses: IntArray, trials: int, weights: Float64Array
) -> float:
    """Fit s, from 0 to 3, by the likelihood of all J with a half normal prior of sd 2."""

    def cost(s: float) -> float:
        log_chances = log_chance_of(log_joint(log_rho, losses, trials, s))
        return (s / PRIOR_SD) ** 2 / 2 - float((weights * log_chances).sum())

    best = float(scipy.optimize.minimize_scalar(cost, bounds=(0.0, LARGEST), method="bounded").x)
    return best if cost(best) < cost(0.0) else 0.0


def posterior(log_rho: Float64Array, losses: IntArray, trials: int, s: float) -> Float64Array:
    """Chance of each node given the J of each point, (nodes, N)."""
    joint = log_joint(log_rho, losses, trials, s)
    return np.asarray(np.exp(joint - log_chance_of(joint)))
