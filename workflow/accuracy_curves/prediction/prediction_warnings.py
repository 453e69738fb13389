"""What in the predictions makes them doubtful, one sentence each, and which weighs most."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.class_intervals import LEAST_MISFIT, ClassIntervals

# Reasons not to use a number, and to doubt it, the gravest first: they stand before the number.
DISQUALIFYING = (
    "similarities_below_chance",
    "distances_below_chance",
    "below_chance",
    "probabilities",
)
DOUBTFUL = ("misfit", "above_observed")
OTHERS = "few_errors"
# The gravest first; a reason that is not here weighs as much as `OTHERS`.
ORDER = (
    *DISQUALIFYING, *DOUBTFUL, "sentinel", "no_reach", "groups", "too_far", "normalised",
    "far_scores", "copied_classes", "copied_points", "constant_class", "constant_point", OTHERS,
    "few_classes", "few_erring_classes", "disagreement", "ties", "no_interval", "no_splits",
)  # fmt: skip
# Predictions that agree in the tenth of a percent that is printed do not contradict each other.
DECIMALS = 3


def by_weight(found: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Sort warnings, what speaks most against the answer first."""
    return sorted(
        found, key=lambda each: ORDER.index(each.reason if each.reason in ORDER else OTHERS)
    )


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


def warn_of_fits(
    intervals: Mapping[str, ClassIntervals | None], labels: Mapping[str, str], splits: int
) -> list[AccuracyWarning]:
    """Say what is wrong with fits, at any number of classes.

    Reasons: ``"no_splits"``, ``"no_interval"``, and those of `ClassIntervals.cautions`.
    """
    found = []
    missing = [labels[name] for name, each in intervals.items() if each is None]
    if missing and not splits:
        said = "there are no intervals, as no splits into halves were asked for"
        found.append(AccuracyWarning(said, "no_splits"))
    elif missing:
        said = f"there is no interval of {_listed(missing)}: half of the classes are too few for it"
        found.append(AccuracyWarning(said, "no_interval"))
    return found + [caution for each in intervals.values() if each for caution in each.cautions()]


def warn_of_reach(
    methods: Mapping[str, Extrapolator], classes: Sequence[int], k1: int, *, intervals: bool
) -> list[AccuracyWarning]:
    """Say which numbers of classes are beyond the reach of which methods: ``"too_far"``."""
    said = []
    for reach, alike in _by_reach(methods):
        far = [f"{k:,}" for k in classes if k > reach * k1]
        if far:
            said.append(
                f"{_listed(far)} classes are more than {reach} times k1, "
                f"{_beyond(alike.values(), intervals)}"
            )
    return [AccuracyWarning(each, "too_far") for each in said]


def warn_of_target(
    methods: Mapping[str, Extrapolator],
    reached: Mapping[str, int | None],
    target: float | None,
    k1: int,
    *,
    intervals: bool,
) -> list[AccuracyWarning]:
    """Say of which methods the target is reached beyond their reach: ``"too_far"``."""
    said = []
    for reach, alike in _by_reach(methods):
        late = [
            each
            for name, each in alike.items()
            if name in reached and (reached[name] or np.inf) > reach * k1
        ]
        if late:
            said.append(
                f"an accuracy of {target:g} is reached, if at all, at more than {reach} times k1, "
                f"{_beyond(late, intervals)}"
            )
    return [AccuracyWarning(each, "too_far") for each in said]


def warn_of_rise(
    k: int, accuracy: float, k1: int, observed: float, label: str
) -> list[AccuracyWarning]:
    """Say that a curve is above what was observed on fewer classes: ``"above_observed"``."""
    # Near k1 a fit may be a little above what it was fitted to.
    least = LEAST_MISFIT if k < 2 * k1 else 0.0
    if k <= k1 or round(accuracy, DECIMALS) <= round(observed + least, DECIMALS):
        return []
    said = (
        f"{label} predicts {accuracy:.3f} at {k:,} classes, above the {observed:.3f} observed at "
        f"{k1:,}: more classes are never easier to tell apart"
    )
    return [AccuracyWarning(said, "above_observed")]


def warn_of_disagreement(
    k: int, interval: tuple[float, float], label: str, others: Mapping[str, float]
) -> list[AccuracyWarning]:
    """Say where other methods, by label, are outside an interval: ``"disagreement"``.

    Of 48 good samples none had it.
    """
    lower, upper = interval
    outside = {name: other for name, other in others.items() if other < lower or other > upper}
    if not outside:
        return []
    said = (
        f"at {k:,} classes the methods disagree: "
        f"{_listed([f'{name} ({other:.3f})' for name, other in outside.items()])} outside the "
        f"interval of {label} ({lower:.3f} to {upper:.3f})"
    )
    return [AccuracyWarning(said, "disagreement")]


def _by_reach(methods: Mapping[str, Extrapolator]) -> list[tuple[int, dict[str, Extrapolator]]]:
    """Group methods by reach, the farthest first; where it is 0 the intervals themselves say so."""
    return [
        (reach, {name: each for name, each in methods.items() if each.reach == reach})
        for reach in sorted({each.reach for each in methods.values()} - {0}, reverse=True)
    ]


def _beyond(methods: Iterable[Extrapolator], intervals: bool) -> str:
    labels = [each.label for each in methods]
    verb = "was" if len(labels) == 1 else "were"
    ending = "the interval may be too narrow" if intervals else "the error is unknown"
    return f"beyond the range in which {_listed(labels)} {verb} validated: {ending}"


def _listed(texts: Sequence[str]) -> str:
    """Join texts as one does in a sentence."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last
