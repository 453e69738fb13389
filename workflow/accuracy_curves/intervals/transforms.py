"""Scales on which accuracies vary alike, whatever they are."""

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from accuracy_curves.utils.arrays import Float64Array

# Log odds are cut here: beyond it an accuracy cannot be told from 0 or 1.
LEAST_ACCURACY = 1e-6


def log_odds(accuracy: npt.ArrayLike) -> Float64Array:
    """Scale of the intervals, log(A / (1 - A)), A cut to [10^-6, 1 - 10^-6]."""
    inside = np.clip(np.asarray(accuracy, dtype=np.float64), LEAST_ACCURACY, 1 - LEAST_ACCURACY)
    return np.asarray(logit(inside))


def angle_of(accuracy: npt.ArrayLike) -> Float64Array:
    """Scale on which the variance of a share of independent points does not depend on it."""
    return np.asarray(np.arcsin(np.sqrt(np.asarray(accuracy, dtype=np.float64))))


def accuracy_of_angle(angle: Float64Array) -> Float64Array:
    """Back from the scale of `angle_of`, cut to [0, 1]."""
    return np.asarray(np.square(np.sin(np.clip(angle, 0.0, np.pi / 2))))
