"""How accurate on more classes, from a curve alone: the answer of `extend`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from accuracy_curves.answers.curves import AccuracyQuestion, CurvesAnswer, curve_table, grid
from accuracy_curves.cautions import sort_cautions
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.scores.formats.base import Curve


@dataclass(frozen=True, repr=False, kw_only=True)
class ExtensionAnswer(CurvesAnswer):
    """Accuracies, without an interval, of methods that were fitted to an accuracy curve."""

    models: Mapping[str, CurveExtrapolator]

    @property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the first method's answer, the gravest first."""
        (top,), observed = self.question.tops, self.observed_at_k1(self.question.tops[0])
        asked = self.models[self.first], self.k1, self.question.classes, (top,)
        return sort_cautions(cautions_of_accuracy(Predicted(*asked, observed=observed)))

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes."""
        none = "There is no interval, as a curve does not show how its points vary."
        return [*super().conclusion(), none]

    def facts(self) -> dict[str, str]:
        """Describe the curve."""
        first, *_, last = self.observed["k"]
        return {"accuracies": f"{len(self.observed):,}, at {first:,} to {last:,} classes"}


def extend(
    curve: Curve, models: Mapping[str, CurveExtrapolator], question: AccuracyQuestion
) -> ExtensionAnswer:
    """Predict with methods that were fitted to a curve."""
    (top,), k1 = question.tops, int(curve.k.max())
    k = grid(max(k1, *question.classes), [k1, *question.classes])
    predicted = [curve_table(name, k, top, each.predict(k, top)) for name, each in models.items()]
    return ExtensionAnswer(
        question=question,
        k1=k1,
        methods={name: model.label for name, model in models.items()},
        observed=curve_table("observed", curve.k, top, curve.accuracy).sort_values("k"),
        predicted=pd.concat(predicted, ignore_index=True),
        models=models,
    )
