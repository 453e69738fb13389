"""Figures of an answer: its curves, where methods disagree, reversed ROC with D(u)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.reversed_roc import gaps_and_levels, reversed_auc, reversed_roc
from accuracy_curves.prediction.plots.curves import ACCURACY, share_accuracy_axis, thinned
from accuracy_curves.prediction.plots.layout import (
    Margins,
    legend_above,
    legend_height,
    panel_grid,
    text_width,
)
from accuracy_curves.prediction.plots.style import (
    COLUMN_WIDTH,
    OBSERVED_COLOR,
    SMALL_SIZE,
    Style,
    paper_style,
)
from accuracy_curves.prediction.predict import PredictedAccuracy
from accuracy_curves.prediction.wording import accuracy_name
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array

# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10
ROC_COLOR = "#0072B2"
LINE = 0.19


@paper_style()
def predicted_curves_figure(
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    k1: int,
    *,
    classes: Sequence[int] = (),
) -> Figure:
    """Draw one sample's observed accuracies and what the methods predict from them, a panel a top.

    `observed` has the columns top, k, accuracy, `predicted` method as well; k may reach 10**18. The
    first method is drawn over the others, with a band where it has lower and upper: those of
    several methods would hide each other. `classes`, those that were asked for, are marked by dots.
    The k axis is logarithmic if the largest k is more than 10 times k1, a dotted line.
    """
    tops = sorted(set(predicted["top"]))
    labels = ["observed", *(style.label for style in styles.values())]
    above = legend_height(labels, COLUMN_WIDTH) + 0.06
    margins = Margins(left=0.5, top=above, bottom=0.36, row_gap=0.44)
    figure, grid = panel_grid(COLUMN_WIDTH, [2.0] * max(len(tops), 1), 1, margins)
    handles: list[Line2D] = []
    for axes, top in zip(grid[:, 0], tops or [1], strict=True):
        handles = draw_predictions(
            axes, _of_top(observed, top), _of_top(predicted, top), styles, classes
        )
        dress_predictions(axes, k1, max([int(predicted["k"].max()), *classes]))
        axes.set_ylabel(accuracy_label(top))
    legend_above(figure, handles, labels)
    return figure


def _of_top(table: pd.DataFrame, top: int) -> pd.DataFrame:
    return table[table["top"] == top].sort_values("k")


def accuracy_label(top: int) -> str:
    """Name the accuracy axis."""
    return ACCURACY.replace("accuracy", accuracy_name(top))


def draw_predictions(
    axes: Axes,
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    classes: Sequence[int],
) -> list[Line2D]:
    """Draw the curves of one top, the first method last; return a line for each legend entry."""
    seen = observed[observed["k"].isin(thinned(observed["k"].to_numpy(np.int64)))]
    grey: dict[str, Any] = {"color": OBSERVED_COLOR, "linewidth": 2.2, "zorder": 3}
    lines = {"": axes.plot(seen["k"], seen["accuracy"], **grey)[0]}
    answer = next(iter(styles))
    for key in [*styles][::-1]:
        style = styles[key]
        curve = predicted[predicted["method"] == key].set_index("k")
        absent = [k for k in classes if k not in curve.index]
        if curve.empty or absent:
            at = f" at k = {absent[0]}" if absent else ""
            raise InputError(f"there is no predicted accuracy of {key}{at}: the figure needs it")
        shown = curve.loc[thinned(curve.index.to_numpy(np.int64))]
        order = 4 if key == answer else 2
        if key == answer and "lower" in shown:
            _band(axes, shown.dropna(subset=["lower", "upper"]), style.color)
        (lines[key],) = axes.plot(
            shown.index, shown["accuracy"], color=style.color, linewidth=1.4, zorder=order
        )
        asked = curve.loc[list(classes), "accuracy"]
        axes.plot(
            asked.index, asked, "o", color=style.color, ms=3.5, mec="black", mew=0.4, zorder=order
        )
    return [lines[key] for key in ("", *styles)]


def _band(axes: Axes, shown: pd.DataFrame, color: str) -> None:
    """Shade an interval; its edges are lines, which the accuracy axis makes room for."""
    if shown.empty:
        return
    k = shown.index.to_numpy(np.float64)
    lower, upper = (shown[end].to_numpy(np.float64) for end in ("lower", "upper"))
    axes.fill_between(k, lower, upper, color=color, alpha=0.15, linewidth=0, zorder=1)
    for end in (lower, upper):
        axes.plot(k, end, color=color, alpha=0.6, linewidth=0.5, zorder=1)


def dress_predictions(axes: Axes, k1: int, largest: int, size: float | str = SMALL_SIZE) -> None:
    """Give a panel its axes and the dotted line at k1, in letters of the given size."""
    axes.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=1)
    if largest > LOG_ABOVE * k1:
        axes.set_xscale("log")
    else:
        axes.set_xlim(0, 1.02 * largest)
    share_accuracy_axis([axes])
    axes.set_xlabel("number of classes, $k$")
    axes.annotate(
        f"$k_1$ = {k1}",
        (k1, 0),
        (3, 3),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        fontsize=size,
    )


def draw_reversed_roc(
    axes: Axes, u: Float64Array, rate: Float64Array, label: str = "", **look: Any
) -> None:
    """Draw a reversed ROC and the diagonal, on which a random classifier is."""
    axes.plot(u, rate, **{"color": ROC_COLOR, "linewidth": 1.4, "label": label, **look})
    axes.plot([0, 1], [0, 1], color=OBSERVED_COLOR, linestyle=":", linewidth=0.8)
    axes.set_xlim(0, 1)
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("$u$")


@paper_style()
def favorability_figure(sample: ScoreMatrix, seed: int) -> Figure:
    """Draw the average reversed ROC, its area shaded, and D(u) near u = 1."""
    margins = Margins(left=0.42, top=0.26, bottom=0.36, column_gap=0.42)
    figure, grid = panel_grid(COLUMN_WIDTH, [1.2], 2, margins)
    left, right = grid[0]
    u = np.linspace(0, 1, 301)
    roc = reversed_roc(sample, u, seed)
    left.fill_between(u, roc, color=ROC_COLOR, alpha=0.15, linewidth=0)
    draw_reversed_roc(left, u, roc)
    left.text(
        0.96, 0.06, f"rAUC = {reversed_auc(sample, seed):.4f}", ha="right", fontsize=SMALL_SIZE
    )
    left.set_title("reversed ROC", pad=4)
    gaps, levels = gaps_and_levels(sample, seed)
    seen = gaps > 0
    right.plot(gaps[seen], levels[seen], color=ROC_COLOR, linewidth=1.4)
    right.set_xscale("log")
    right.set_xlim(1, gaps[seen].min())
    right.set_xlabel("$1 - u$")
    right.set_title("$D(u)$ near $u$ = 1", pad=4)
    right.set_ylim(0, 1.02)
    return figure


@paper_style()
def disagreement_figure(
    predicted: Mapping[tuple[int, str], PredictedAccuracy],
    styles: Mapping[str, Style],
    classes: Sequence[int],
    top: int = 1,
) -> Figure:
    """Draw each method's prediction, by (k, method), with its interval, a block a k."""
    rows = [(k, name) for k in classes for name in styles]
    absent = [row for row in rows if row not in predicted]
    if absent or not rows:
        what = f"of {absent[0][1]} at k = {absent[0][0]}" if absent else "at all"
        raise InputError(f"there is no prediction {what}: the figure needs it")
    room = 0.14 + max(text_width(style.label, SMALL_SIZE) for style in styles.values())
    heights = [LINE * len(styles)] * len(classes)
    margins = Margins(left=room, top=0.24, bottom=0.36, row_gap=1.1 * LINE)
    figure, grid = panel_grid(COLUMN_WIDTH, heights, 1, margins)
    shown = np.array([predicted[row][:3] for row in rows])
    low, high = max(0.0, np.nanmin(shown)), min(1.0, np.nanmax(shown))
    pad = 0.06 * (high - low) or 0.01
    for axes, k in zip(grid[:, 0], classes, strict=True):
        for place, (name, style) in enumerate(styles.items()):
            row = predicted[k, name]
            if np.isfinite(row.lower):
                ends = [row.lower, row.upper]
                axes.plot(ends, [place, place], color=style.color, linewidth=2.4, alpha=0.5)
            axes.plot(row.accuracy, place, "o", color=style.color, ms=4, mec="black", mew=0.4)
        axes.set_ylim(len(styles) - 0.5, -0.5)
        axes.set_yticks(range(len(styles)), [style.label for style in styles.values()])
        axes.set_xlim(low - pad, high + pad)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(labelbottom=axes is grid[-1, 0])
        axes.grid(axis="x", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.set_title(f"{k:,} classes", loc="left", pad=2)
    grid[-1, 0].set_xlabel(f"predicted {accuracy_name(top)}")
    return figure
