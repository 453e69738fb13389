"""Types of arrays, blocks of them, exponentials that may underflow, values on a common scale."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.floating[Any]]
Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]
ArrayLike = npt.ArrayLike

# The exponential of what underflows takes up to thirty times as long: what is smaller counts as 0.
LOG_NOTHING, NOTHING = -700.0, 1e-304
LARGEST_DEVIATION = 3.0
# Log odds are cut here: beyond it an accuracy is 0 or 1 as a float.
LEAST_ACCURACY = 1e-6
# Blocks of rows whose copies are small enough that memory is used again, without page faults.
BLOCK_BYTES = 8 * 2**20
# A block of so many numbers stays in the second-level cache.
BLOCK_ELEMENTS = 2**16


def blocks(rows: int, columns: int, elements: int = BLOCK_ELEMENTS) -> Iterator[slice]:
    """Divide rows of so many columns into blocks of so many elements, or of one row."""
    step = max(1, elements // max(columns, 1))
    return (slice(start, start + step) for start in range(0, rows, step))


def row_blocks(n_points: int, n_classes: int) -> Iterator[slice]:
    """Divide rows into blocks of `BLOCK_BYTES`."""
    return blocks(n_points, n_classes, BLOCK_BYTES // 8)


def geometric_rule(first: int, last: int, most: int) -> tuple[IntArray, Float64Array]:
    """Choose of first..last at most so many numbers, and weights: sums over them are sums over all.

    All of them, or evenly in their logarithms; exact for what is linear between two of them.
    """
    chosen = np.arange(first, last + 1) if last - first < most else None
    if chosen is None:
        chosen = np.unique(np.geomspace(first, last, most).round().astype(np.int64))
    left_out = np.diff(chosen) - 1
    weights = np.ones(len(chosen))
    weights[1:] += left_out / 2
    weights[:-1] += left_out / 2
    return chosen, weights


def exponential(logarithms: Float64Array) -> Float64Array:
    """Take the exponential in place; of values below about -700, ``-inf`` too, it is 0."""
    np.maximum(logarithms, LOG_NOTHING, out=logarithms)
    np.exp(logarithms, out=logarithms)
    logarithms *= logarithms > NOTHING
    return logarithms


def standardised(values: Float64Array) -> Float64Array:
    """Scale to mean 0, standard deviation 1, bounded at 3; zero where all values are equal."""
    centred = values - values.mean()
    sd = centred.std()
    if sd <= 1e-12 * (1 + np.abs(values).max()):
        return np.zeros_like(values)
    return np.asarray(np.clip(centred / sd, -LARGEST_DEVIATION, LARGEST_DEVIATION))


def log_odds(accuracy: npt.ArrayLike) -> Float64Array:
    """Scale of the intervals, log(A / (1 - A)), A cut to [10^-6, 1 - 10^-6]."""
    inside = np.clip(np.asarray(accuracy, dtype=np.float64), LEAST_ACCURACY, 1 - LEAST_ACCURACY)
    # Scores are read without SciPy.
    return np.log(inside) - np.log1p(-inside)
