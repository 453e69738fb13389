"""What in the predictions makes them doubtful; the sentences are those of `cautions`."""

from collections.abc import Mapping, Sequence

from accuracy_curves.cautions import caution, listed
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import LEAST_MISFIT
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals

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


def cautions_of_rise(
    k: int, accuracy: float, k1: int, observed: float, label: str
) -> list[AccuracyWarning]:
    """Say that a curve is above what was observed on fewer classes: ``"above_observed"``."""
    # Near k1 a fit may be a little above what it was fitted to.
    least = LEAST_MISFIT if k < 2 * k1 else 0.0
    if round(accuracy, DECIMALS) <= round(observed + least, DECIMALS):
        return []
    values = {"accuracy": accuracy, "observed": observed}
    return [caution("above_observed", method=label, k=k, k1=k1, **values)]
