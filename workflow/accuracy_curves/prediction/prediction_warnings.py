"""What in the predictions makes them doubtful, one sentence each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.prediction.question_answer import Question, Sizes
from accuracy_curves.utils.arrays import Float64Array

if TYPE_CHECKING:
    import pandas as pd

# A curve misses the observed accuracy where the fits to halves miss that of their halves by more
# standard errors than chance explains, and at k1 by enough to matter. At k1 alone a few points
# would be chance: the halves average many such. Of 120 good samples, simulated and real, none.
MISFIT_ERRORS = 2.0
LEAST_MISFIT = 0.01


def doubts_of_prediction(
    question: Question,
    k1: int,
    seen: Float64Array,
    predicted: "pd.DataFrame",
    intervals: Mapping[str, ClassIntervals | None],
    sizes: Mapping[str, Sizes],
) -> list[str]:
    """Say what in the predictions makes them doubtful.

    Parameters
    ----------
    question : Question
        What was asked.
    k1 : int
        Number of classes of the sample.
    seen : (n,) array of float
        Observed top-1 accuracies, the last at k1.
    predicted : DataFrame
        Of `predicting.predicted_curves`, of all methods.
    intervals : mapping of str to ClassIntervals or None
        Of each method, the chosen one first.
    sizes : mapping of str to (int or None) * 3
        Of each method, `Answer.sizes`.

    Returns
    -------
    list of str
    """
    said = []
    if question.splits == 0:
        said.append("there are no intervals, as --splits 0 asks for none")
    missing = [name for name, each in intervals.items() if each is None]
    if missing and question.splits:
        said.append(
            f"there is no interval of {_labels(missing)}: half of the classes are too few for it"
        )
    name, first = next(iter(intervals.items()))
    said += _too_far(question, k1, intervals, sizes)
    said += _disagreement(question, predicted, name)
    if first is not None:
        said += _misfit(name, first, float(seen[-1]))
    return said


def _too_far(
    question: Question,
    k1: int,
    intervals: Mapping[str, ClassIntervals | None],
    sizes: Mapping[str, Sizes],
) -> list[str]:
    """Say what is beyond the reach of which methods: the farthest reach first."""
    said = []
    some = any(intervals.values())
    ending = "intervals may cover less than they say" if some else "errors are unknown"
    for reach in sorted({_reach(name) for name in intervals}, reverse=True):
        alike = [name for name in intervals if _reach(name) == reach]
        far = [f"{k:,}" for k in question.classes if k > reach * k1]
        if far:
            said.append(
                f"{_listed(far)} classes are more than {reach} times k1, too far for "
                f"{_labels(alike)}: {ending}"
            )
        late = [name for name in alike if name in sizes and (sizes[name][0] or np.inf) > reach * k1]
        if late:
            said.append(
                f"an accuracy of {question.target:g} is reached, if at all, at more than "
                f"{reach} times k1, too far for {_labels(late)}: {ending}"
            )
    return said


def _reach(name: str) -> int:
    """Largest k / k1 at which the coverage of a method's intervals was measured to be right."""
    return EXTRAPOLATORS.get(name, Extrapolator).reach


def _disagreement(question: Question, predicted: "pd.DataFrame", first: str) -> list[str]:
    """Say where other methods are outside the first one's interval: of 48 good samples none."""
    top, largest = min(question.tops), max(question.classes)
    at = predicted[(predicted["top"] == top) & (predicted["k"] == largest)]
    ends = at.loc[at["method"] == first, ["lower", "upper"]]
    lower, upper = ends.to_numpy(np.float64)[0]
    outside = at[(at["accuracy"] < lower) | (at["accuracy"] > upper)]
    if outside.empty:
        return []
    pairs = zip(outside["method"], outside["accuracy"], strict=True)
    others = _listed([f"{_labels([name])} ({a:.3f})" for name, a in pairs])
    return [
        f"at {largest:,} classes the methods disagree: {others} outside the interval of "
        f"{_labels([first])} ({lower:.3f} to {upper:.3f})"
    ]


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
        f"{_labels([name])} misses what was observed: its curve is at {fitted:.3f} at {k1} "
        f"classes, where {seen:.3f} was observed; elsewhere it may miss by more"
    ]


def _labels(names: Sequence[str]) -> str:
    """Join the labels of methods."""
    return _listed([getattr(EXTRAPOLATORS.get(name), "label", name) for name in names])


def _listed(texts: Sequence[str]) -> str:
    """Join texts as one does in a sentence."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last
