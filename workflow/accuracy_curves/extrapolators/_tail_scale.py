"""The scale of tail probabilities, eta = log(-log C).

C = exp(-exp(eta)) stays in [0, 1], and C ** (k - 1) = exp(-(k - 1) exp(eta)); where p = 1 - C is
small, eta is log p.
"""

import numpy as np

from accuracy_curves.utils.arrays import Float64Array

MINIMUM_EXP = -700.0
MAXIMUM_EXP = 4.0  # C = exp(-exp(4)) = 1e-24: no point is ever favoured less.


def eta_of_log_p(log_p: Float64Array) -> Float64Array:
    """Transform log p, p = 1 - C, to eta = log(-log C), between -700 and 4."""
    bounded = np.clip(log_p, MINIMUM_EXP, -1e-15)
    small = bounded < -30  # Here -log(1 - p) = p to double precision.
    eta = np.log(-np.log1p(-np.exp(np.where(small, -30.0, bounded))))
    return np.clip(np.where(small, bounded, eta), MINIMUM_EXP, MAXIMUM_EXP)


def favorability_of_eta(eta: Float64Array) -> Float64Array:
    """Transform eta back to C = exp(-exp(eta))."""
    return np.exp(-hazard_of_eta(eta))


def hazard_of_eta(eta: Float64Array) -> Float64Array:
    """Transform eta to -log C."""
    return np.exp(np.clip(eta, MINIMUM_EXP, MAXIMUM_EXP))
