"""What in the predictions makes them doubtful, one sentence each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.intervals import ClassIntervals
from accuracy_curves.scores import Float64Array

if TYPE_CHECKING:
    import pandas as pd

# A curve misses the observed accuracy where the fits to halves miss that of their halves by more
# standard errors than chance explains, and at k1 by enough to matter. At k1 alone a few points
# would be chance: the halves average many such. Of 120 good samples, simulated and real, none.
MISFIT_ERRORS = 2.0
LEAST_MISFIT = 0.01


def doubts_of_prediction(
    k1: int,
    seen: Float64Array,
    predicted: "pd.DataFrame",
    intervals: Mapping[str, ClassIntervals | None],
    classes: Sequence[int],
    splits: int,
) -> list[str]:
    """Say what in the predictions makes them doubtful.

    Parameters
    ----------
    k1 : int
        Number of classes of the sample.
    seen : (n,) array of float
        Observed top-1 accuracies, the last at k1.
    predicted : DataFrame
        Of `predicting.predicted_curves`, of all methods.
    intervals : mapping of str to ClassIntervals or None
        Of each method.
    classes : sequence of int
        Numbers of classes that were asked for.
    splits : int
        Splits that were asked for; 0 if no interval was wanted.

    Returns
    -------
    list of str
    """
    said = []
    largest = max(classes)
    if splits == 0:
        said.append("there are no intervals, as --splits 0 asks for none")
    missing = [name for name, each in intervals.items() if each is None]
    if missing and splits:
        said.append(
            f"there is no interval of {_listed(missing)}: half of the classes are too few for it"
        )
    far = [name for name, each in intervals.items() if each and largest > each.reach * k1]
    if far:
        least = min(each.reach for name, each in intervals.items() if each and name in far)
        said.append(
            f"{largest} classes are more than {least} times k1, too far for {_listed(far)}: "
            "intervals may cover less than they say"
        )
    at = predicted[(predicted["top"] == predicted["top"].min()) & (predicted["k"] == largest)]
    spread = float(at["accuracy"].max() - at["accuracy"].min())
    width = float((at["upper"] - at["lower"]).max())
    if len(at) > 1 and np.isfinite(width) and spread > width:
        said.append(
            f"at {largest} classes the methods disagree by {spread:.3f}, more than the "
            f"intervals are wide ({width:.3f})"
        )
    name, first = next(iter(intervals.items()))
    if first is not None:
        said.extend(_misfit(name, first, float(seen[-1])))
    return said


def _misfit(name: str, intervals: ClassIntervals, seen: float) -> list[str]:
    """Say where a method's own curve misses what was observed."""
    k1, variation = intervals.n_classes, intervals.variation
    fitted = float(intervals.accuracy(k1)[0])
    missed = fitted - seen
    chance = MISFIT_ERRORS * variation.misfit_error
    alike = missed * variation.misfit > 0
    if abs(missed) <= LEAST_MISFIT or abs(variation.misfit) <= chance or not alike:
        return []
    return [
        f"{name} misses what was observed: its curve is at {fitted:.3f} at {k1} classes, where "
        f"{seen:.3f} was observed; elsewhere it may miss by more"
    ]


def _listed(names: Sequence[str]) -> str:
    """Join names as one does in a sentence."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
