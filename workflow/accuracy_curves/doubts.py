"""What makes a prediction doubtful, one sentence each."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.intervals import ClassIntervals
from accuracy_curves.scores import Float64Array, ScoreMatrix

if TYPE_CHECKING:
    import pandas as pd

FEW_CLASSES = 20
SATURATED = 0.99
MANY_TIES = 0.01


def doubts_of_sample(sample: ScoreMatrix, seen: Float64Array, tied: float) -> list[str]:
    """Say what in the scores themselves makes a prediction doubtful.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    seen : (n,) array of float
        Observed top-1 accuracies, the first at 2 classes and the last at k1.
    tied : float
        Share of the points that tie with an incorrect class.

    Returns
    -------
    list of str
        A sentence each; empty if there is nothing to say.
    """
    said = []
    k1 = sample.n_classes
    if seen[0] < 0.5:
        other = "--lower-is-better" if sample.higher_is_better else "--higher-is-better"
        taken = "similarities" if sample.higher_is_better else "distances"
        said.append(
            f"the accuracy at two classes is {seen[0]:.3f}, below chance: are the scores given in "
            f"the wrong direction? They were taken for {taken}; try {other}"
        )
    if k1 < FEW_CLASSES:
        said.append(f"k1 = {k1} classes are few: with {FEW_CLASSES} or more the interval is better")
    if seen[-1] > SATURATED:
        said.append(
            f"the observed accuracy is {seen[-1]:.4f}: too few errors to tell how fast it falls"
        )
    if tied > MANY_TIES:
        said.append(
            f"{100 * tied:.0f} % of the points tie with an incorrect class: ties are broken at "
            "random, and finer scores would say more"
        )
    return said


def doubts_of_prediction(
    k1: int,
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
    return said


def _listed(names: Sequence[str]) -> str:
    """Join the labels of methods as one does in a sentence."""
    *others, last = (EXTRAPOLATORS[name].label for name in names)
    return f"{', '.join(others)} and {last}" if others else last
