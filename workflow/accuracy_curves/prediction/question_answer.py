"""What is asked of a sample of classes, and what the methods answer."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.observed.exchangeability import Exchangeability
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array

if TYPE_CHECKING:
    import pandas as pd

# Estimate, lower and upper end of the number of classes; None beyond 10^12.
Sizes = tuple[int | None, int | None, int | None]


@dataclass(frozen=True)
class Question:
    """What is asked of a sample of classes.

    Attributes
    ----------
    classes : list of int
        Numbers of classes to predict the accuracy at, ascending.
    tops : tuple of int
        t of the top-t accuracies, ascending.
    level : float
        Nominal coverage of the intervals.
    target : float or None
        An accuracy; the number of classes at which it is reached is asked for.
    splits : int
        Splits into halves for the intervals, 0 for none.
    seed : int
        Of every random draw.
    """

    classes: list[int]
    tops: tuple[int, ...] = (1,)
    level: float = 0.9
    target: float | None = None
    splits: int = 30
    seed: int = 0


class PredictedAccuracy(NamedTuple):
    """Accuracy that a method predicts, with its intervals; NaN where it has none."""

    accuracy: float
    lower: float
    upper: float
    set_lower: float
    set_upper: float


@dataclass(frozen=True)
class Answer:
    """What the methods say.

    Attributes
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    question : Question
        What was asked.
    methods : dict of str to str
        Key and label of each method, the chosen one first.
    observed, predicted : DataFrame
        Columns method, k, top, accuracy, lower, upper, set_lower, set_upper.
    intervals : dict of str to ClassIntervals or None
        Of each method.
    seen : (k1 - 1,) array of float
        Observed top-1 accuracies at 2..k1 (or a grid of them).
    tied : float
        Share of the points that tie with an incorrect class.
    sizes : dict of str to (int or None) * 3
        Number of classes at which each method's accuracy, that of the first top, falls below the
        target, with its interval if the method has one; empty without a target.
    doubts : list of str
        A sentence each.
    compared : Exchangeability or None
        The test of the groups of classes, where they were given.
    """

    sample: ScoreMatrix
    question: Question
    methods: dict[str, str]
    observed: "pd.DataFrame"
    predicted: "pd.DataFrame"
    intervals: dict[str, ClassIntervals | None]
    seen: Float64Array
    tied: float
    sizes: dict[str, Sizes]
    doubts: list[str] = field(default_factory=list)
    compared: Exchangeability | None = None

    def at(self, method: str, k: int, top: int) -> PredictedAccuracy:
        """Look up what a method predicts at a number of classes that was asked for."""
        table = self.predicted
        row = (table["method"] == method) & (table["k"] == k) & (table["top"] == top)
        values = table.loc[row, list(PredictedAccuracy._fields)].to_numpy(np.float64)
        return PredictedAccuracy(*values[0].tolist())
