"""How accurate on more classes, from a curve alone: the answer of `extend`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.answers.curves import CurvesAnswer, curve_table, grid
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.scores.formats.base import Curve


@dataclass(frozen=True, repr=False, kw_only=True)
class ExtensionAnswer(CurvesAnswer):
    """Accuracies, without an interval, of methods that were fitted to an accuracy curve."""

    caption = "The accuracies of the file (thick, grey), and what is predicted from them alone."
    models: Mapping[str, CurveExtrapolator]

    @property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the first method's answer, the gravest first."""
        observed = self.observed_at_k1(self.tops[0])
        question = self.models[self.first], self.k1, self.classes, self.tops
        return cautions_of_accuracy(Predicted(*question, observed=observed))

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes."""
        none = "There is no interval, as a curve does not show how its points vary."
        return [*super().conclusion(), none]

    def facts(self) -> dict[str, str]:
        """Describe the curve."""
        first, *_, last = self.observed["k"]
        return {"accuracies": f"{len(self.observed):,}, at {first:,} to {last:,} classes"}


def extend(
    curve: Curve, models: Mapping[str, CurveExtrapolator], classes: npt.ArrayLike, top: int = 1
) -> ExtensionAnswer:
    """Predict with methods that were fitted to a curve."""
    k1, sizes = int(curve.k.max()), np.unique(classes).tolist()
    k = grid(max(k1, *sizes), [k1, *sizes])
    predicted = [curve_table(name, k, top, model.predict(k, top)) for name, model in models.items()]
    return ExtensionAnswer(
        classes=sizes,
        tops=(top,),
        k1=k1,
        methods={name: model.label for name, model in models.items()},
        observed=curve_table("observed", curve.k, top, curve.accuracy).sort_values("k"),
        predicted=pd.concat(predicted, ignore_index=True),
        models=models,
    )
