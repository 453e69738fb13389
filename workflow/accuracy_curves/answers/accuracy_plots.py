"""Accuracy curves, observed and predicted, and the average reversed ROC."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from accuracy_curves.answers.accuracy_wording import accuracy_name
from accuracy_curves.answers.style import (
    COLUMN_WIDTH,
    OBSERVED_COLOR,
    TEXT_WIDTH,
    Style,
    paper_style,
)
from accuracy_curves.observed.reversed_roc import reversed_auc, reversed_roc
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import Float64Array

ACCURACY = r"accuracy, $E_k[\mathcal{A}]$"
# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10
PANEL_HEIGHT = 2.3
AVERAGE = "#0072B2"
POINTS = 1001
# Of two systems, and of their difference.
COMPARED_COLORS = "#0072B2", "#D55E00", "#4D4D4D"


@paper_style()
def predicted_curves_figure(
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    k1: int,
    classes: Sequence[int] = (),
) -> Figure:
    """Draw one sample's observed accuracies and what the methods predict from them, a panel a top.

    `observed` has the columns top, k, accuracy, `predicted` method as well; k may reach 10**18. The
    observed curve stands over the others, and the first method over the other methods, with a band
    where it has lower and upper. `classes`, those that were asked for, are marked by dots. The k
    axis is logarithmic if the largest k is more than 10 times k1, a dotted line.
    """
    tops = sorted(set(predicted["top"]))
    figure = Figure(figsize=(COLUMN_WIDTH, PANEL_HEIGHT * len(tops) + 0.3), layout="constrained")
    handles: list[Line2D] = []
    for axes, top in zip(figure.subplots(len(tops), squeeze=False)[:, 0], tops, strict=True):
        seen, curves = (each[each["top"] == top].sort_values("k") for each in (observed, predicted))
        handles = draw_panel(axes, seen, curves, styles, k1, classes, top)
    figure.legend(handles=handles, loc="outside upper center", ncols=3)
    return figure


@paper_style()
def compared_curves_figure(
    names: Sequence[str],
    observed: Sequence[pd.DataFrame],
    predicted: Sequence[pd.DataFrame],
    k1: int,
    classes: Sequence[int],
    top: int | str = 1,
) -> Figure:
    """Draw the accuracies of two systems, and below them their difference, with the intervals.

    Three tables of each kind, as of `predicted_curves_figure`: of both systems, and of the
    difference, that of the second less that of the first.
    """
    figure = Figure(figsize=(COLUMN_WIDTH, 2 * PANEL_HEIGHT), layout="constrained")
    above, below = figure.subplots(2, sharex=True)
    panels, labels = (above, above, below), (*names, f"{names[1]} less {names[0]}")
    lines: list[Line2D] = []
    styles = map(Style, labels, COMPARED_COLORS)
    for seen, table, axes, style in zip(observed, predicted, panels, styles, strict=True):
        of_method = dict.fromkeys(table["method"], style)
        lines += draw_predictions(axes, seen, table, of_method, classes)
    dress_predictions(above, k1, max(classes))
    above.set(xlabel="", ylabel=accuracy_label(top))
    below.set(xlabel="number of classes, $k$", ylabel=labels[-1])
    below.axhline(0, color="black", linewidth=0.6, zorder=1)
    below.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=1)
    figure.legend(handles=[*lines[:2], lines[3]], loc="outside upper center")
    return figure


@paper_style()
def observed_figure(sample: Sample, k: Float64Array, accuracy: Float64Array, seed: int) -> Figure:
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
        draw_reversed_roc(right, u, reversed_roc(sample, u, seed), label, AVERAGE)
    return figure


def draw_reversed_roc(
    axes: Axes, u: npt.ArrayLike, rate: npt.ArrayLike, label: str, color: str | None = None
) -> None:
    """Draw a reversed ROC and the diagonal, on which a random classifier is."""
    axes.plot(u, rate, color=color, linewidth=1.4, label=label)
    axes.plot([0, 1], [0, 1], color=OBSERVED_COLOR, linestyle=":", linewidth=0.8)
    axes.set(xlabel="reversed false-positive rate, $u$", ylabel="reversed true-positive rate")
    axes.set(xlim=(0, 1), ylim=(0, 1.02))
    axes.legend(loc="lower right")


def accuracy_label(top: int | str) -> str:
    """Name the accuracy axis."""
    return accuracy_name(top).replace("accuracy", ACCURACY)


def draw_panel(
    axes: Axes,
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    k1: int,
    classes: Sequence[int],
    top: int | str,
) -> list[Line2D]:
    """Draw one top's curves and its axes, as of `predicted_curves_figure`; return the lines."""
    lines = draw_predictions(axes, observed, predicted, styles, classes)
    dress_predictions(axes, k1, int(predicted["k"].max()))
    axes.set_ylabel(accuracy_label(top))
    return lines


def draw_predictions(
    axes: Axes,
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    classes: Sequence[int],
) -> list[Line2D]:
    """Draw the curves of one top, the observed one last; return lines that the legend names."""
    lines = {}
    answer = next(iter(styles))
    for key in [*styles][::-1]:
        style = styles[key]
        curve = predicted[predicted["method"] == key].set_index("k")
        look: Any = {"color": style.color, "zorder": 4 if key == answer else 2}
        band = look | {"zorder": 1}
        if key == answer and "lower" in curve:
            ends = curve[["lower", "upper"]].dropna()
            axes.fill_between(ends.index, *ends.to_numpy().T, alpha=0.15, linewidth=0, **band)
            # Its edges are lines, which the accuracy axis makes room for.
            axes.plot(ends, alpha=0.6, linewidth=0.5, **band)
        (lines[key],) = axes.plot(curve["accuracy"], linewidth=1.4, label=style.label, **look)
        asked = curve.loc[list(classes), "accuracy"]
        axes.plot(asked, "o", markersize=3.5, mec="black", mew=0.4, **look)
    # Where lists do not tell it: no line, but its bounds.
    if "lower" in observed and observed["lower"].notna().any():
        k, lower, upper = (observed[name] for name in ("k", "lower", "upper"))
        axes.fill_between(k, lower, upper, color=OBSERVED_COLOR, alpha=0.3, linewidth=0)
    look = {"color": OBSERVED_COLOR, "linewidth": 2.2, "zorder": 5}
    (grey,) = axes.plot(observed["k"], observed["accuracy"], label="observed", **look)
    return [grey, *(lines[key] for key in styles)]


def dress_predictions(axes: Axes, k1: int, largest: int) -> None:
    """Give a panel its axes and the dotted line at k1."""
    axes.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=1)
    if largest > LOG_ABOVE * k1:
        axes.set_xscale("log")
    else:
        axes.set_xlim(0, 1.02 * largest)
    share_accuracy_axis([axes])
    axes.set_xlabel("number of classes, $k$")
    side, size = "left" if k1 < largest / 2 else "right", rcParams["xtick.labelsize"]
    look: Any = {"ha": side, "va": "bottom", "fontsize": size}
    axes.text(k1, 0.01, f" $k_1$ = {k1:,} ", transform=axes.get_xaxis_transform(), **look)


def share_accuracy_axis(row: Sequence[Axes]) -> None:
    """Give panels side by side one accuracy axis, within [0, 1], labelled on the left only."""
    drawn = np.concatenate([axes.dataLim.intervaly for axes in row]).clip(0, 1)
    low = max(0.0, np.floor(10 * (drawn.min() - 0.02)) / 10)
    high = min(1.0, np.ceil(10 * (drawn.max() + 0.02)) / 10)
    share_axis(row, low, high + 0.02 * (high - low), ticks=5)


def share_axis(row: Sequence[Axes], low: float, high: float, ticks: int = 6) -> None:
    """Give panels side by side one y axis, labelled on the left only."""
    for axes in row:
        axes.set_ylim(low, high)
        # No steps of .025, whose labels are long.
        axes.yaxis.set_major_locator(MaxNLocator(ticks, steps=[1, 2, 5, 10]))
        axes.tick_params(labelleft=axes is row[0])
