"""The two ends of an interval, each of which bounds the accuracy at other class counts too.

And where a curve, or an end, falls below a target.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np

from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import LARGEST_CLASSES

# Preferred numbers (Renard's R10) divide a decade; beyond 10^4 k1 every fourth of them is enough.
DECADE = 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0
DENSE_TO, COARSE_STEP = 10**4, 4
# Predictions that differ by less are the same.
ROUNDING = 1e-9
# Ends are interpolated on log odds, which must be finite.
LEAST, MOST = 1e-300, 1 - 2.0**-53


def grid_of(n_classes: int) -> IntArray:
    """Spread numbers of classes over 2..10^18, ascending: k1 itself, and its round multiples."""
    decades = range(-len(str(n_classes)), len(str(LARGEST_CLASSES)))
    factors = np.array([10.0**power * step for power in decades for step in DECADE])
    near = factors <= DENSE_TO
    factors = np.concatenate([factors[near], factors[~near][COARSE_STEP - 1 :: COARSE_STEP]])
    classes = np.concatenate([[2, LARGEST_CLASSES], np.round(factors * n_classes)])
    return np.unique(classes[(classes >= 2) & (classes <= LARGEST_CLASSES)].astype(np.int64))


def bound_by_others(
    accuracy: Float64Array, lower: Float64Array, upper: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Let ends, (n,) at ascending numbers of classes, fall as the expected accuracy does.

    An upper end u(j) at fewer classes and a lower end l(j) at more bound it as well:

        upper(k) = min over j <= k of u(j),   lower(k) = max over j >= k of l(j)

    over the j where the predicted accuracy is no lower for the one, and no higher for the other,
    than at k: that of some methods may rise.
    """
    order, there = np.arange(len(accuracy)), accuracy[:, None]
    before = (order <= order[:, None]) & (accuracy >= there - ROUNDING)
    beyond = (order >= order[:, None]) & (accuracy <= there + ROUNDING)
    return (np.where(beyond, lower, 0.0).max(axis=1), np.where(before, upper, 1.0).min(axis=1))


def between(k: IntArray, grid: IntArray, ends: Sequence[Float64Array]) -> tuple[Float64Array, ...]:
    """Interpolate ends on a grid, their log odds linear in log k."""
    from scipy.special import expit, logit

    return tuple(
        expit(np.interp(np.log(k), np.log(grid), logit(end.clip(LEAST, MOST)))) for end in ends
    )


def least(low: int, start: int, most: int, holds: Callable[[int], bool]) -> int | None:
    """Find the least number, from `low` to `most`, at which something holds; None if there is none.

    It holds at all larger ones. The first that is tried is `start`.
    """
    high = start
    while not holds(high):
        if high == most:
            return None
        low, high = high + 1, min(2 * high, most)
    return low + bisect_left(range(low, high), True, key=holds)
