"""Calibrate estimated tail probabilities on the ranks.

Everything here works with eta = log(-log C), so that C = exp(-exp(eta)) stays in [0, 1] and
C ** (k - 1) = exp(-(k - 1) exp(eta)); where p = 1 - C is small, eta is log p. A calibration is
eta' = a + b eta with b > 0: it keeps the order of the points and has two parameters.
"""

import numpy as np
from scipy.optimize import minimize

from accuracy_curves.utils.arrays import Float64Array, IntArray

MINIMUM_EXP = -700.0
MAXIMUM_EXP = 4.0  # C = exp(-exp(4)) = 1e-24: no point is ever favoured less.
PRIOR_SHIFT, PRIOR_LOG_SLOPE = 5.0, 1.0


def eta_of_log_p(log_p: Float64Array) -> Float64Array:
    """Transform log p, p = 1 - C, to eta = log(-log C), between -700 and 4."""
    bounded = np.clip(log_p, MINIMUM_EXP, -1e-15)
    small = bounded < -30  # Here -log(1 - p) = p to double precision.
    eta = np.log(-np.log1p(-np.exp(np.where(small, -30.0, bounded))))
    return np.clip(np.where(small, bounded, eta), MINIMUM_EXP, MAXIMUM_EXP)


def favorability_of_eta(eta: Float64Array) -> Float64Array:
    """Transform eta back to C = exp(-exp(eta))."""
    return np.exp(-np.exp(np.clip(eta, MINIMUM_EXP, MAXIMUM_EXP)))


def log_likelihood(
    eta: Float64Array, outscored: IntArray, trials: int
) -> tuple[Float64Array, Float64Array]:
    """Binomial log likelihood of each rank, and its derivative by eta, both (N,).

    R_x given C_x is Binomial(n, C_x) (ICLR 2021, Section 5), so up to a constant l = -R exp(eta) +
    (n - R) log(1 - exp(-exp(eta))). `outscored` is R, and `trials` n, the incorrect classes.
    """
    hazard = np.exp(np.clip(eta, MINIMUM_EXP, MAXIMUM_EXP))
    lost = trials - outscored
    log_lost = np.where(lost > 0, lost * np.log(-np.expm1(-hazard)), 0.0)
    per_hazard = np.where(lost > 0, lost / np.expm1(hazard), 0.0)
    value = np.asarray(log_lost - outscored * hazard, dtype=np.float64)
    return value, np.asarray(hazard * (per_hazard - outscored), dtype=np.float64)


def calibrate_on_ranks(
    eta: Float64Array, outscored: IntArray, trials: int, weights: Float64Array
) -> Float64Array:
    """Find a and b of eta' = a + b eta by the binomial likelihood of the ranks.

    It is that of `log_likelihood`. A weak normal prior on a (sd 5) and log b (sd 1), worth less
    than one point, keeps both finite where every point outscores every incorrect class. The weights
    sum to 1.
    """
    scaled = weights * len(eta)

    def cost(parameters: Float64Array) -> tuple[float, Float64Array]:
        shift, slope = parameters[0], np.exp(parameters[1])
        value, derivative = log_likelihood(shift + slope * eta, outscored, trials)
        prior = (parameters / (PRIOR_SHIFT, PRIOR_LOG_SLOPE)) ** 2 / 2
        gradient = -np.array(
            [(scaled * derivative).sum(), (scaled * derivative * eta).sum() * slope]
        )
        gradient += parameters / np.square((PRIOR_SHIFT, PRIOR_LOG_SLOPE))
        return float(prior.sum() - (scaled * value).sum()), gradient

    bounds = [(-20.0, 20.0), (-3.0, 3.0)]
    found = minimize(cost, np.zeros(2), jac=True, method="L-BFGS-B", bounds=bounds).x
    return np.array([found[0], np.exp(found[1])])
