"""The number of classes at which a curve falls below a target."""

from collections.abc import Callable

import numpy as np

from accuracy_curves.scores import Float64Array, IntArray

LARGEST_CLASSES = 10**12
SEARCH_GRID = 120


def first_below(
    curve: Callable[[IntArray], Float64Array], target: float, *, last: bool = False
) -> int | None:
    """Find the least k, from 2 to 10^12, at which a falling curve is below a target.

    Parameters
    ----------
    curve : callable
        Accuracies, (n,), at numbers of classes, (n,) array of int.
    target : float
        An accuracy.
    last : bool
        Of a curve that also rises, the k from which on it stays below, and not the first one; both
        as far as a grid tells.

    Returns
    -------
    int or None
        None where there is none.
    """
    grid = np.unique(np.geomspace(2, LARGEST_CLASSES, SEARCH_GRID).astype(np.int64))
    below = curve(grid) < target
    at = int(np.max(np.flatnonzero(~below), initial=-1)) + 1 if last else int(np.argmax(below))
    if at == len(grid) or not below[at]:
        return None
    high = int(grid[at])
    low = int(grid[at - 1]) if at else high - 1
    while high - low > 1:
        middle = (low + high) // 2
        if curve(np.array([middle]))[0] < target:
            high = middle
        else:
            low = middle
    return high
