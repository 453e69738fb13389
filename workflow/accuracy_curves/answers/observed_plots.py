"""The average reversed ROC, alone and beside the observed accuracies."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from accuracy_curves.answers.accuracy_plots import ACCURACY, dress_predictions
from accuracy_curves.answers.style import OBSERVED_COLOR, TEXT_WIDTH, paper_style
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array

AVERAGE = "#0072B2"
POINTS = 1001


@paper_style()
def observed_figure(sample: Ranked, k: Float64Array, accuracy: Float64Array, seed: int) -> Figure:
    """Draw the average accuracy at each number of classes, (n,) and (n,), and the reversed ROC.

    It has no ROC where lists do not tell the accuracy of two classes.
    """
    figure = Figure(figsize=(TEXT_WIDTH, 2.4), layout="constrained")
    left, *others = figure.subplots(1, 2 if k[0] == 2 else 1, squeeze=False)[0]
    left.plot(k, accuracy, color=OBSERVED_COLOR, linewidth=2.2)
    dress_predictions(left, sample.n_classes, sample.n_classes)
    left.set_ylabel(ACCURACY)
    for right in others:
        u = np.linspace(0, 1, POINTS)
        label = f"rAUC {reversed_auc(sample):.4f}"
        draw_reversed_roc(right, u, reversed_roc(sample, u, seed), label)
    return figure


def draw_reversed_roc(
    axes: Axes, u: Float64Array, rate: Float64Array, label: str, **look: Any
) -> None:
    """Draw a reversed ROC and the diagonal, on which a random classifier is."""
    axes.plot(u, rate, **{"color": AVERAGE, "linewidth": 1.4, "label": label, **look})
    axes.plot([0, 1], [0, 1], color=OBSERVED_COLOR, linestyle=":", linewidth=0.8)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("reversed true-positive rate")
    axes.set_xlabel("reversed false-positive rate, $u$")
    axes.legend(loc="lower right")
