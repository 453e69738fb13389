"""The two ends of an interval, each of which bounds the accuracy at other class counts too.

And where a curve, or an end, falls below a target.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.half_fits import HalfFits
from accuracy_curves.observed.accuracy import check_classes
from accuracy_curves.utils.arrays import Float64Array, IntArray

LARGEST_CLASSES = 10**12
GRID: IntArray = np.unique(np.geomspace(2, LARGEST_CLASSES, 120).astype(np.int64))
# Preferred numbers (Renard's R10) divide a decade; beyond 10^4 k1 every fourth of them is enough.
DECADE = 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0
DENSE_TO, COARSE_STEP, FARTHEST_CLASSES = 10**4, 4, 10**18
# Predictions that differ by less are the same.
ROUNDING = 1e-9
# Ends are interpolated on log odds, which must be finite.
LEAST, MOST = 1e-300, 1 - 2.0**-53


class Predicted(NamedTuple):
    """What a method predicts at k classes, in [0, 1], and how much its fits to halves differ."""

    k: IntArray
    accuracy: Float64Array
    half_variance: Float64Array


def grid_of(n_classes: int) -> IntArray:
    """Spread numbers of classes over 2..10^18, ascending: k1 itself, and its round multiples."""
    decades = range(-len(str(n_classes)), len(str(FARTHEST_CLASSES)))
    factors = np.array([10.0**power * each for power in decades for each in DECADE])
    near = factors <= DENSE_TO
    factors = np.concatenate([factors[near], factors[~near][COARSE_STEP - 1 :: COARSE_STEP]])
    found = np.concatenate([[2, FARTHEST_CLASSES], np.round(factors * n_classes)])
    k: IntArray = np.unique(found[(found >= 2) & (found <= FARTHEST_CLASSES)].astype(np.int64))
    return k


class IntervalEnds:
    """Ends of the intervals of the expected accuracy of a method `fitted` to all k1 classes.

    At j classes alone they are theta +- q sqrt(V) on the log odds theta, with the variance V of
    `HalfFits`. The expected accuracy falls with the number of classes, so
    that an upper end u(j) at fewer classes and a lower end l(j) at more bound it as well:

        upper(k) = min over j <= k of u(j),   lower(k) = max over j >= k of l(j)

    over the j of a grid, `grid_of` k1, where the prediction at j is no lower for the one, and no
    higher for the other, than at k: that of some methods may rise. Between two k of the grid the
    log odds of an end are linear in log k. So an end depends on the sample and on k alone, and not
    on what else is asked, and both ends fall wherever the prediction does.
    """

    def __init__(self, fitted: Extrapolator, variation: HalfFits) -> None:
        self._fitted, self._variation = fitted, variation
        self._grid_of_top: dict[int, Predicted] = {}

    def at(
        self,
        k: npt.ArrayLike,
        top: int,
        quantile: float,
        *,
        sample_classes: float | None = None,
        scale: float = 1.0,
    ) -> tuple[Float64Array, Float64Array]:
        """Find the lower and the upper end, (n,) each, with the quantile q.

        As if `sample_classes` classes had been sampled, and with V times `scale`. `InputError` if k
        or top is out of range.
        """
        classes = check_classes(k)
        accuracy = np.clip(self._fitted.predict(classes, top), 0.0, 1.0)
        # Counted once: a search for a target asks for hundreds of intervals.
        if top not in self._grid_of_top:
            self._grid_of_top[top] = self._predicted(grid_of(self._variation.n_classes), top)
        grid = self._grid_of_top[top]
        lower, upper = self._alone(grid, top, quantile, sample_classes, scale)
        order, there = np.arange(len(grid.k)), grid.accuracy[:, None]
        before = (order <= order[:, None]) & (grid.accuracy >= there - ROUNDING)
        beyond = (order >= order[:, None]) & (grid.accuracy <= there + ROUNDING)
        upper = np.where(before, upper, 1.0).min(axis=1)
        lower = np.where(beyond, lower, 0.0).max(axis=1)
        lower, upper = (
            expit(np.interp(np.log(classes), np.log(grid.k), logit(end.clip(LEAST, MOST))))
            for end in (lower, upper)
        )
        return np.minimum(lower, accuracy), np.maximum(upper, accuracy)

    def _predicted(self, k: IntArray, top: int) -> Predicted:
        accuracy = np.clip(self._fitted.predict(k, top), 0.0, 1.0)
        return Predicted(k, accuracy, self._variation.half_variance(k, top))

    def _alone(
        self,
        at: Predicted,
        top: int,
        quantile: float,
        sample_classes: float | None,
        scale: float,
    ) -> tuple[Float64Array, Float64Array]:
        """Find the ends at these numbers of classes, each by itself."""
        theta = self._variation.log_odds(at.accuracy)
        variance = self._variation.variance_of(at.half_variance, at.k, top, sample_classes)
        width = quantile * np.sqrt(scale * variance)
        # Beyond where log odds are cut the accuracy itself is an end.
        lower, upper = expit(theta - width), expit(theta + width)
        return np.minimum(lower, at.accuracy), np.maximum(upper, at.accuracy)


def first_below(curve: Callable[[IntArray], Float64Array], target: float) -> int | None:
    """Find the least k, from 2 to 10^12, at which a falling curve is below a target; or None."""
    below = curve(GRID) < target
    at = int(np.argmax(below))
    if not below[at]:
        return None
    high = int(GRID[at])
    low = int(GRID[at - 1]) if at else high - 1
    return least_between(low, high, lambda k: bool(curve(np.array([k]))[0] < target))


def least_between(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Find the least number above `low` and up to `high` from which on a condition holds."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
