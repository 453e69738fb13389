"""The number of classes at which a curve falls below a target."""

from collections.abc import Callable

import numpy as np

from accuracy_curves.utils.arrays import Float64Array, IntArray

LARGEST_CLASSES = 10**12
GRID: IntArray = np.unique(np.geomspace(2, LARGEST_CLASSES, 120).astype(np.int64))


def first_below(curve: Callable[[IntArray], Float64Array], target: float) -> int | None:
    """Find the least k, from 2 to 10^12, at which a falling curve is below a target.

    Parameters
    ----------
    curve : callable
        Accuracies, (n,), at numbers of classes, (n,) array of int.
    target : float
        An accuracy.

    Returns
    -------
    int or None
        None where there is none.
    """
    below = curve(GRID) < target
    at = int(np.argmax(below))
    if not below[at]:
        return None
    high = int(GRID[at])
    low = int(GRID[at - 1]) if at else high - 1
    while high - low > 1:
        middle = (low + high) // 2
        if curve(np.array([middle]))[0] < target:
            high = middle
        else:
            low = middle
    return high
