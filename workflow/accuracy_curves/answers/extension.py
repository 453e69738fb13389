"""How accurate on more classes, from a curve alone: the answer of `extend`.

Several runs at a size show how a curve varies, and give an interval.
On phi = arcsin sqrt A let s^2 be the variance of single runs about the mean of their size, pooled
over the sizes, with f degrees of freedom. A mean of r runs has the error e = s / sqrt r. It is
moved by e up and by e down, one size after another, and the method is fitted anew. With theta the
log odds of what it predicts at k classes,

    V = sum over the sizes of (theta_up - theta_down)^2 / 4 + g log2(k / k1),

where g is the curve's own error (`variance`). The interval takes Student's t with f degrees of
freedom. What all runs share, such as their points or their most frequent classes, is not in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit, stdtrit

from accuracy_curves.answers.curves import CurvesAnswer, curve_table, grid, refuse_unused
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.bare_curves import fit_again, fit_curve
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.intervals.half_fits import LEVEL, accuracy_of_angle, angle_of
from accuracy_curves.intervals.variance import CURVE_VARIANCE
from accuracy_curves.scores.formats.base import Curve
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray, log_odds

# At 2,000 glosses, from accuracies at 100, 300 and 1,000, the most frequent first.
TRAINED_ANEW = (
    "Where each size was trained anew, the most frequent classes first, predictions are too high: "
    "for four published systems of sign language by .005 to .107 at 2,000 classes."
)


@dataclass(frozen=True, repr=False, kw_only=True)
class ExtensionAnswer(CurvesAnswer):
    """Accuracies of methods that were fitted to an accuracy curve.

    They have intervals where `runs` are several at a size.
    """

    caption = "The accuracies of the file (thick, grey), and what is predicted from them alone."
    models: Mapping[str, CurveExtrapolator]
    runs: Curve | None

    @property
    def cautions(self) -> list[AccuracyWarning]:
        """Reasons to doubt the first method's answer, the gravest first."""
        observed = self.observed_at_k1(self.tops[0])
        question = self.models[self.first], self.k1, self.classes, self.tops
        return cautions_of_accuracy(Predicted(*question, observed=observed))

    def conclusion(self) -> list[str]:
        """Say what is expected at the most classes."""
        said = super().conclusion()
        if not self._single.empty:
            return said
        said.append("There is no interval, as a curve does not show how its points vary.")
        return said if self.runs is None else [*said, TRAINED_ANEW]

    @property
    def _single(self) -> pd.DataFrame:
        """Runs, where several are of one size."""
        if self.runs is None or len(np.unique(self.runs.k)) == len(self.runs.k):
            return self.observed.iloc[:0]
        return curve_table("run", self.runs.k, self.tops[0], self.runs.accuracy)

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give the curves, with single runs."""
        runs = [self._single] * (not self._single.empty)
        return {"curves.csv": self._tidy(self.observed, *runs, self.predicted)}


def interval_of_runs(
    model: CurveExtrapolator, curve: Curve, k: IntArray, top: int, level: float
) -> dict[str, Float64Array]:
    """Find lower and upper, (n,) each, of a method fitted to a curve; NaN of one run a size."""
    none = np.full(len(k), np.nan)
    if curve.runs is None or len(curve.runs.k) == len(curve.k):
        return {"lower": none, "upper": none}
    of, place, many = np.unique(curve.runs.k, return_inverse=True, return_counts=True)
    angle, freedom = angle_of(curve.runs.accuracy), len(place) - len(of)
    mean = np.bincount(place, angle) / many
    error = np.sqrt(np.square(angle - mean[place]).sum() / freedom / many)
    accuracy = model.predict(k, top)
    variance = CURVE_VARIANCE * np.log2(k / of[-1]).clip(min=0.0)
    for size, step in enumerate(error):
        thetas = []
        for sign in (-1, 1):
            moved = angle_of(curve.accuracy)
            moved[size] += sign * step
            again = fit_again(model, curve._replace(accuracy=accuracy_of_angle(moved)), top)
            thetas.append(log_odds(again.predict(k, top)))
        variance += np.square(thetas[1] - thetas[0]) / 4
    width = stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance)
    theta = log_odds(accuracy)
    ends = expit(theta - width), expit(theta + width)
    return {"lower": np.minimum(ends[0], accuracy), "upper": np.maximum(ends[1], accuracy)}


def extend(
    curve: Curve,
    classes: ArrayLike,
    methods: Sequence[str],
    top: int = 1,
    level: float = LEVEL,
    options: Mapping[str, Mapping[str, Any]] = MappingProxyType({}),
) -> ExtensionAnswer:
    """Fit methods, with their options, to a curve, and predict."""
    refuse_unused(options, methods)
    # What is known of ranks is fitted to once, for all t.
    fitted = curve.of_first or curve
    question: dict[str, Any] = {"counts": fitted.counts, "top": top if fitted is curve else 1}
    models = {
        name: fit_curve(fitted.k, fitted.accuracy, name, **question, **options.get(name, {}))
        for name in methods
    }
    k1, sizes = int(curve.k.max()), np.unique(classes).tolist()
    k = grid(max(k1, *sizes), [k1, *sizes])
    predicted = [
        curve_table(
            name,
            k,
            top,
            model.predict(k, top),
            **interval_of_runs(model, curve, k, top, level),
        )
        for name, model in models.items()
    ]
    return ExtensionAnswer(
        classes=sizes,
        tops=(top,),
        level=level,
        k1=k1,
        methods={name: model.label for name, model in models.items()},
        color=next(iter(models.values())).color,
        observed=curve_table("observed", curve.k, top, curve.accuracy).sort_values("k"),
        predicted=pd.concat(predicted, ignore_index=True),
        models=models,
        runs=curve.runs,
    )
