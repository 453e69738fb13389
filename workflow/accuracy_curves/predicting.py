"""What `accuracy-curves predict` answers: curves with intervals, table, sizes, warnings."""

import copy
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.accuracy import average_accuracy_of_ranks, outscored_and_tied, ranks
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals import ClassIntervals
from accuracy_curves.scores import MINIMUM_CLASSES, Float64Array, IntArray, ScoreMatrix
from accuracy_curves.terminal import has_progress_bar

if TYPE_CHECKING:
    import pandas as pd

FEW_CLASSES = 20
SATURATED = 0.99
MANY_TIES = 0.01

# Cells of a row of the printed table.
Row = list[str]


def class_intervals(
    model: Extrapolator, sample: ScoreMatrix, splits: int, seed: int
) -> ClassIntervals | None:
    """Refit a method to halves of the classes, unless it is slow or they are too few.

    Parameters
    ----------
    model : Extrapolator
        With its options; it is not changed.
    sample : ScoreMatrix
        N points, k1 classes.
    splits : int
        Number of splits; 0 for no interval.
    seed : int
        Seed of the splits.

    Returns
    -------
    ClassIntervals or None
    """
    needed = 2 * max(MINIMUM_CLASSES, model.minimum_classes)
    if splits == 0 or has_progress_bar(model.name) or sample.n_classes < needed:
        return None
    return ClassIntervals(sample, copy.copy(model), splits=splits, seed=seed)


def observed_curves(
    sample: ScoreMatrix, k: IntArray, tops: Sequence[int], seed: int
) -> "pd.DataFrame":
    """Average the observed accuracies: columns method, k, top, accuracy, lower, upper."""
    import pandas as pd

    outscored = ranks(sample, seed)
    tables = []
    for top in tops:
        seen = average_accuracy_of_ranks(outscored, sample.n_classes, k, sample.weights, top=top)
        tables.append(_table("observed", k, top, seen, np.full(len(k), np.nan), np.nan))
    return pd.concat(tables, ignore_index=True)


def predicted_curves(
    fitted: Extrapolator,
    intervals: ClassIntervals | None,
    k: IntArray,
    tops: Sequence[int],
    level: float,
) -> "pd.DataFrame":
    """Predict with intervals where there are any: the columns of `observed_curves`."""
    import pandas as pd

    tables = []
    for top in tops:
        accuracy = fitted.predict(k, top)
        lower = upper = np.full(len(k), np.nan)
        if intervals is not None:
            found = intervals.interval(k, top, level)
            lower, upper = found.lower, found.upper
        tables.append(_table(fitted.name, k, top, accuracy, lower, upper))
    return pd.concat(tables, ignore_index=True)


def _table(
    name: str, k: IntArray, top: int, accuracy: Float64Array, lower: object, upper: object
) -> "pd.DataFrame":
    """Put one curve into the tidy columns."""
    import pandas as pd

    columns = {"k": k, "top": top, "accuracy": accuracy, "lower": lower, "upper": upper}
    return pd.DataFrame({"method": name, **columns})


def printed_rows(
    predicted: "pd.DataFrame", methods: Sequence[str], classes: Sequence[int], tops: Sequence[int]
) -> list[Row]:
    """Write the rows of the printed table: classes, top if several, a cell a method."""
    at = predicted.set_index(["method", "k", "top"])
    rows = []
    for k in classes:
        for top in tops:
            cells = []
            for name in methods:
                accuracy, lower, upper = (
                    float(each[name, k, top]) for each in (at["accuracy"], at["lower"], at["upper"])
                )
                interval = "" if np.isnan(lower) else f"\n[{lower:.3f}, {upper:.3f}]"
                cells.append(f"{accuracy:.4f}{interval}")
            rows.append([str(k), *([str(top)] if len(tops) > 1 else []), *cells])
    return rows


def target_sentence(label: str, intervals: ClassIntervals, target: float, level: float) -> str:
    """Say at how many classes the top-1 accuracy falls below a target."""
    estimate, low, high = (
        "beyond 10^12" if k is None else str(k)
        for k in intervals.classes_below(target, level=level)
    )
    return (
        f"{label}: the accuracy falls below {target:g} at {estimate} classes "
        f"({100 * level:g} % interval: {low} to {high})"
    )


def warnings(
    sample: ScoreMatrix,
    seen: Float64Array,
    predicted: "pd.DataFrame",
    intervals: Mapping[str, ClassIntervals | None],
    classes: Sequence[int],
) -> list[str]:
    """Say what makes the prediction doubtful.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    seen : (n,) array of float
        Observed top-1 accuracies, the first at 2 classes and the last at k1.
    predicted : DataFrame
        Of `predicted_curves`, of all methods.
    intervals : mapping of str to ClassIntervals or None
        Of each method.
    classes : sequence of int
        Numbers of classes that were asked for.

    Returns
    -------
    list of str
        A sentence each; empty if there is nothing to say.
    """
    said = []
    k1 = sample.n_classes
    if seen[0] < 0.5:
        other = "--lower-is-better" if sample.higher_is_better else "--higher-is-better"
        said.append(
            f"the accuracy at two classes is {seen[0]:.3f}, below chance: are the scores given in "
            f"the wrong direction? Try {other}"
        )
    if k1 < FEW_CLASSES:
        said.append(f"k1 = {k1} classes are few: with {FEW_CLASSES} or more the interval is better")
    if seen[-1] > SATURATED:
        said.append(
            f"the observed accuracy is {seen[-1]:.4f}: too few errors to tell how fast it falls"
        )
    tied = float(np.mean(outscored_and_tied(sample)[1] > 0))
    if tied > MANY_TIES:
        said.append(
            f"{100 * tied:.0f} % of the points tie with an incorrect class: ties are broken at "
            "random, and finer scores would say more"
        )
    for name, each in intervals.items():
        if each is None:
            said.append(f"{name} has no interval: it is slow, or half of the classes are too few")
        elif max(classes) > each.reach * k1:
            said.append(
                f"{max(classes)} classes are more than {each.reach} times k1: too far for "
                f"{name}, whose interval may cover less than it says"
            )
    at = predicted[(predicted["top"] == predicted["top"].min()) & (predicted["k"] == max(classes))]
    spread = float(at["accuracy"].max() - at["accuracy"].min())
    width = float((at["upper"] - at["lower"]).max())
    if len(at) > 1 and spread > width:
        said.append(
            f"at {max(classes)} classes the methods disagree by {spread:.3f}, more than the "
            f"intervals are wide ({width:.3f})"
        )
    return said
