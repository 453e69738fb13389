"""What in the predictions makes them doubtful, one sentence each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals

if TYPE_CHECKING:
    import pandas as pd

    from accuracy_curves.prediction.predict import Question, Sizes


def warn_of_methods(left_out: Mapping[str, Extrapolator]) -> list[AccuracyWarning]:
    """Name the methods that need more classes than the sample has: ``"left_out"``."""
    return [
        AccuracyWarning(
            f"{name} is left out, as it needs at least {each.minimum_classes} classes: add "
            "classes, or read the prediction of the other methods with care",
            "left_out",
        )
        for name, each in left_out.items()
    ]


def warn_of_prediction(
    question: "Question",
    k1: int,
    methods: Mapping[str, Extrapolator],
    predicted: "pd.DataFrame",
    intervals: Mapping[str, ClassIntervals | None],
    sizes: "Mapping[str, Sizes]",
) -> list[AccuracyWarning]:
    """Say what in the predictions makes them doubtful; the first method is the chosen one.

    Reasons: ``"no_splits"``, ``"no_interval"``, ``"too_far"``, ``"disagreement"``, ``"misfit"``.
    """
    found = []
    if question.splits == 0:
        said = "there are no intervals, as no splits into halves were asked for"
        found.append(AccuracyWarning(said, "no_splits"))
    missing = [methods[name] for name, each in intervals.items() if each is None]
    if missing and question.splits:
        said = f"there is no interval of {_labels(missing)}: half of the classes are too few for it"
        found.append(AccuracyWarning(said, "no_interval"))
    found += _warn_of_reach(question, k1, methods, any(intervals.values()), sizes)
    found += _warn_of_disagreement(question, predicted, methods)
    for each in filter(None, intervals.values()):
        found += each.cautions()
    return found


def _warn_of_reach(
    question: "Question",
    k1: int,
    methods: Mapping[str, Extrapolator],
    some_intervals: bool,
    sizes: "Mapping[str, Sizes]",
) -> list[AccuracyWarning]:
    """Say what is beyond the reach of which methods: the farthest reach first."""
    said = []
    ending = "intervals may cover less than they say" if some_intervals else "errors are unknown"
    for reach in sorted({each.reach for each in methods.values()}, reverse=True):
        alike = {name: each for name, each in methods.items() if each.reach == reach}
        far = [f"{k:,}" for k in question.classes if k > reach * k1]
        if far:
            said.append(
                f"{_listed(far)} classes are more than {reach} times k1, too far for "
                f"{_labels(alike.values())}: {ending}"
            )
        late = [
            each
            for name, each in alike.items()
            if name in sizes and (sizes[name][0] or np.inf) > reach * k1
        ]
        if late:
            said.append(
                f"an accuracy of {question.target:g} is reached, if at all, at more than "
                f"{reach} times k1, too far for {_labels(late)}: {ending}"
            )
    return [AccuracyWarning(each, "too_far") for each in said]


def _warn_of_disagreement(
    question: "Question", predicted: "pd.DataFrame", methods: Mapping[str, Extrapolator]
) -> list[AccuracyWarning]:
    """Say where other methods are outside the first one's interval: of 48 good samples none."""
    top, largest, first = min(question.tops), max(question.classes), next(iter(methods))
    at = predicted[(predicted["top"] == top) & (predicted["k"] == largest)]
    ends = at.loc[at["method"] == first, ["lower", "upper"]]
    lower, upper = ends.to_numpy(np.float64)[0]
    outside = at[(at["accuracy"] < lower) | (at["accuracy"] > upper)]
    if outside.empty:
        return []
    pairs = zip(outside["method"], outside["accuracy"], strict=True)
    others = _listed([f"{methods[name].label} ({accuracy:.3f})" for name, accuracy in pairs])
    said = (
        f"at {largest:,} classes the methods disagree: {others} outside the interval of "
        f"{methods[first].label} ({lower:.3f} to {upper:.3f})"
    )
    return [AccuracyWarning(said, "disagreement")]


def _labels(methods: Iterable[Extrapolator]) -> str:
    """Join the labels of methods."""
    return _listed([each.label for each in methods])


def _listed(texts: Sequence[str]) -> str:
    """Join texts as one does in a sentence."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last
