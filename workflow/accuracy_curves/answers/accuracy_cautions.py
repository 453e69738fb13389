"""What in the predictions makes them doubtful; the sentences are those of `cautions`."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from accuracy_curves.cautions import caution, listed
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import LEAST_MISFIT
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.utils.arrays import Float64Array, IntArray

# Predictions that agree in the tenth of a percent that is printed do not contradict each other.
DECIMALS = 3


def cautions_of_left_out(left_out: Mapping[str, Extrapolator]) -> list[AccuracyWarning]:
    """Name the methods that need more classes than the sample has: ``"left_out"``."""
    return [
        caution("left_out", method=name, classes=each.minimum_classes)
        for name, each in left_out.items()
    ]


def cautions_of_intervals(fits: Sequence[ClassIntervals], splits: int) -> list[AccuracyWarning]:
    """Say which intervals are missing (``"no_interval"``), and where they cover too little."""
    missing = [each.fitted.label for each in fits if not each.splits]
    why = "half of the classes are too few for it" if splits else "it needs splits into halves"
    found = [caution("no_interval", method=listed(missing), why=why)] if missing else []
    return found + [each for some in fits for each in some.cautions()]


def rises(k: IntArray, accuracy: Float64Array, k1: int, observed: float) -> npt.NDArray[np.bool_]:
    """Find where a curve is above the accuracy observed at k1, (n,)."""
    # Near k1 a fit may be a little above what it was fitted to.
    least = np.where(k < 2 * k1, LEAST_MISFIT, 0.0)
    return (k > k1) & (np.round(accuracy, DECIMALS) > np.round(observed + least, DECIMALS))


def cautions_of_rise(
    k: int, accuracy: float, k1: int, observed: float, label: str
) -> list[AccuracyWarning]:
    """Say that a curve is above what was observed on fewer classes: ``"above_observed"``."""
    if not rises(np.array([k]), np.array([accuracy]), k1, observed)[0]:
        return []
    values = {"accuracy": accuracy, "observed": observed}
    return [caution("above_observed", method=label, k=k, k1=k1, **values)]
