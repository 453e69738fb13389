"""How accurate on more classes, from a curve alone: the answer of `extend`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd
from matplotlib.axes import Axes

from accuracy_curves.answers.accuracy import curve_table, grid
from accuracy_curves.answers.accuracy_plots import draw_accuracy
from accuracy_curves.answers.accuracy_wording import expected_sentence
from accuracy_curves.answers.answer import Answer
from accuracy_curves.answers.style import method_styles
from accuracy_curves.cautions import share, sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.intervals.half_fits import LEVEL
from accuracy_curves.intervals.prediction import Prediction
from accuracy_curves.scores.formats.base import Curve


@dataclass(frozen=True, repr=False)
class ExtensionAnswer(Answer):
    """What methods that were fitted to an accuracy curve predict at more classes, without interval.

    `models` are the methods, the first of which gives the answer.
    """

    tables_written = ("curves.csv",)
    stem = "curves"
    title = "How accurate on more classes?"
    caption = (
        "The curve (thick, grey) and what the first method predicts; other methods are thin and "
        "grey. Dots are the numbers of classes of the question, the dotted line is k1."
    )
    curve: Curve
    models: Mapping[str, CurveExtrapolator]
    classes: Sequence[int]
    top: int

    @cached_property
    def observed(self) -> pd.DataFrame:
        """The curve."""
        table = curve_table("observed", self.curve.k, self.top, self.curve.accuracy)
        return table.sort_values("k")

    @cached_property
    def predicted(self) -> pd.DataFrame:
        """The curves of the methods."""
        k1 = int(self.observed["k"].max())
        k = grid(max(k1, *self.classes), [k1, *self.classes])
        curves = [
            curve_table(name, k, self.top, model.predict(k, self.top))
            for name, model in self.models.items()
        ]
        return pd.concat(curves, ignore_index=True)

    @property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the first method's answer, the gravest first."""
        k1, seen = self._observed_at_k1()
        model = next(iter(self.models.values()))
        predicted = Predicted(model, k1, self.classes, (self.top,), observed=seen)
        return sort_cautions(cautions_of_accuracy(predicted))

    @property
    def table(self) -> pd.DataFrame:
        """The accuracies at the numbers of classes of the question."""
        answered = self.predicted[self.predicted["k"].isin(self.classes)]
        return answered.dropna(axis="columns", how="all").reset_index(drop=True)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves."""
        table = pd.concat([self.observed, self.predicted], ignore_index=True)
        return {"curves.csv": table.dropna(axis="columns", how="all")}

    def conclusion(self) -> list[str]:
        """Say what the first method expects at the most classes."""
        k, model = max(self.classes), next(iter(self.models.values()))
        number = Prediction(float(model.predict(k, self.top)[0]))
        return [
            expected_sentence(k, self.top, LEVEL, number, *self._observed_at_k1()),
            "There is no interval, as a curve does not show how its points vary.",
        ]

    def printed(self) -> tuple[list[str], list[list[str]]]:
        """Write the printed table, a column a method."""
        rows = self.table.pivot(index="k", columns="method", values="accuracy")
        cells = [[f"{k:,}", *map(share, rows.loc[k, [*self.models]])] for k in rows.index]
        return ["classes", *(model.label for model in self.models.values())], cells

    def others_from(self) -> int:
        """Give the column of the second method."""
        return 2

    def panels(self) -> list[Callable[[Axes], None]]:
        """Draw the curves."""
        return [self._draw]

    def _draw(self, axes: Axes) -> None:
        styles, (k1, _) = method_styles(self.models), self._observed_at_k1()
        draw_accuracy(axes, self.observed, self.predicted, styles, k1, self.classes, self.top)

    def facts(self) -> dict[str, str]:
        """Describe the curve."""
        first, *_, last = self.observed["k"]
        return {"accuracies": f"{len(self.curve.k):,}, at {first:,} to {last:,} classes"}

    def _observed_at_k1(self) -> tuple[int, float]:
        """Give the most classes of the curve, and the accuracy there."""
        last = self.observed.iloc[-1]
        return int(last["k"]), float(last["accuracy"])
