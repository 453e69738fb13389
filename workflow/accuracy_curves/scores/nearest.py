"""The incorrect scores nearest to the best, which tell a row's tail."""

import numpy as np

from accuracy_curves.utils.arrays import FloatArray, IntArray

# So many evenly spaced scores at and below an anchor tell their mean and spread.
MOST_BELOW = 128
# The scores of more incorrect classes are not all sorted: those of about so many are.
MOST_SORTED = 1000


def nearest_incorrect(block: FloatArray, labels: IntArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Find what `ScoreMatrix.nearest` yields of some rows, of which higher scores are better."""
    classes = block.shape[1]
    n, further = classes - 1, min(2 * m, classes - 1)
    others = np.ones(block.shape, dtype=bool)
    others[np.arange(len(block)), labels] = False
    if n <= MOST_SORTED:
        some = np.sort(block[others].reshape(len(block), -1), axis=1)
        best = some[:, -further:]
    else:
        best = np.partition(np.where(others, block, -np.inf), classes - further, axis=1)
        best = np.sort(best[:, -further:], axis=1)
        # The neighbour stands in for the own class.
        chosen = np.arange(0, classes, classes // MOST_SORTED)
        chosen = np.where(chosen == labels[:, None], (chosen + 1) % classes, chosen)
        some = np.sort(np.take_along_axis(block, chosen, axis=1), axis=1)
    below = np.arange(some.shape[1] * (n - m + 1) // n)
    if len(below) > MOST_BELOW:
        below = (len(below) * (np.arange(MOST_BELOW) + 0.5) / MOST_BELOW).astype(np.int64)
    return some[:, below], best


def best_of_rows(block: FloatArray, n: int) -> tuple[FloatArray, IntArray]:
    """Find the n best scores of each row, best first, and their columns; both (rows, n)."""
    best = np.argpartition(-block, n - 1, axis=1)[:, :n]
    order = np.argsort(-np.take_along_axis(block, best, axis=1), axis=1, kind="stable")
    best = np.take_along_axis(best, order, axis=1)
    return np.take_along_axis(block, best, axis=1), best
