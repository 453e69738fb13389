"""Types of arrays, and the exponential of an array that may underflow."""

from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.floating[Any]]
Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

# The exponential of what underflows takes up to thirty times as long: what is smaller counts as 0.
LOG_NOTHING, NOTHING = -700.0, 1e-304


def exponential(logarithms: Float64Array) -> Float64Array:
    """Take the exponential in place; of values below about -700, ``-inf`` too, it is 0."""
    np.maximum(logarithms, LOG_NOTHING, out=logarithms)
    np.exp(logarithms, out=logarithms)
    logarithms *= logarithms > NOTHING
    return logarithms
