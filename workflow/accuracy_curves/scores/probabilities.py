"""Probabilities: scores that sum to one number in each row."""

from collections.abc import Callable

import numpy as np

from accuracy_curves.utils.arrays import FloatArray, row_blocks

# Of the sum of a row of probabilities, which may be half floats, or rounded to a few digits.
ROUNDING, NEAR, MOST_ROUNDED = 0.01, 0.05, 0.25
MOST_DIGITS, SOME_ROWS = 5, 100


def sum_of_probabilities(
    scores: FloatArray, turned: Callable[[FloatArray], FloatArray] = np.asarray
) -> float | None:
    """Tell what each row sums to where the scores are probabilities, 1 or another number.

    None where they are not. `turned` makes them of scores, such as 1 - p. They may be rounded.
    """
    first = turned(np.asarray(scores[:SOME_ROWS], dtype=np.float64))
    total = float(np.median(first.sum(axis=1)))
    usual = [each for each in (1.0, 100.0) if abs(total - each) <= NEAR * each]
    # Many distances, too, sum to nearly one number; but none of them is most of it.
    few = np.median(first.max(axis=1)) < total / np.sqrt(first.shape[1])
    if not usual and (few or total <= 0):
        return None
    total = usual[0] if usual else total
    digits = (n for n in range(MOST_DIGITS) if np.allclose(first, first.round(n), 0, 1e-6))
    unit = 10.0 ** -next(digits, np.inf)
    off = total * ROUNDING + min(unit / 2 * first.shape[1], MOST_ROUNDED * total)
    for rows in row_blocks(*scores.shape):
        block = turned(np.asarray(scores[rows]))
        sums = block.sum(axis=1, dtype=np.float64)
        if not (block.min() >= 0 and np.abs(sums - total).max() <= off):
            return None
    return total


def negative_exponential(scores: FloatArray) -> FloatArray:
    """Take probabilities of their negative logarithms, without an overflow of what is none."""
    return np.exp(np.minimum(-scores, 1.0))
