"""What the methods predict from one sample, for the command line."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from accuracy_curves.exceptions import InputError
from accuracy_curves.figures.curve_panels import ACCURACY, share_accuracy_axis
from accuracy_curves.figures.labelled_settings import thinned
from accuracy_curves.figures.layout import Margins, legend_above, legend_height, panel_grid
from accuracy_curves.figures.style import (
    COLUMN_WIDTH,
    OBSERVED_COLOR,
    SMALL_SIZE,
    Style,
    paper_style,
)
from accuracy_curves.prediction.wording import accuracy_name

# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10


@paper_style()
def predicted_curves_figure(
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    k1: int,
    *,
    classes: Sequence[int] = (),
) -> Figure:
    """Draw one sample's observed accuracies and what the methods predict from them.

    Parameters
    ----------
    observed : DataFrame
        Columns top, k, accuracy: average accuracies of the sample at k = 2..k1.
    predicted : DataFrame
        Columns method, top, k, accuracy; k may reach 10**18. Where the first method has lower and
        upper, a band: those of several methods would hide each other.
    styles : mapping of str to Style
        The methods, see `method_styles`; the first is drawn over the others.
    k1 : int
        Number of classes of the sample; a dotted line.
    classes : sequence of int
        Numbers of classes that were asked for, each marked by a dot on every curve. The k axis is
        logarithmic if the largest k is more than 10 times k1.

    Returns
    -------
    Figure
        3.25 in wide, with a panel for each top.

    Raises
    ------
    InputError
        If a method has no curve, or none at a k that was asked for.
    """
    tops = sorted(set(predicted["top"]))
    labels = ["observed", *(style.label for style in styles.values())]
    above = legend_height(labels, COLUMN_WIDTH) + 0.06
    margins = Margins(left=0.5, top=above, bottom=0.36, row_gap=0.44)
    figure, grid = panel_grid(COLUMN_WIDTH, [2.0] * max(len(tops), 1), 1, margins)
    handles: list[Line2D] = []
    for axes, top in zip(grid[:, 0], tops or [1], strict=True):
        handles = _panel(axes, _of_top(observed, top), _of_top(predicted, top), styles, classes)
        _dress(axes, k1, max([int(predicted["k"].max()), *classes]))
        axes.set_ylabel(ACCURACY.replace("accuracy", accuracy_name(top)))
    legend_above(figure, handles, labels)
    return figure


def _of_top(table: pd.DataFrame, top: int) -> pd.DataFrame:
    return table[table["top"] == top].sort_values("k")


def _panel(
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


def _dress(axes: Axes, k1: int, largest: int) -> None:
    """Give a panel its axes and the dotted line at k1."""
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
        fontsize=SMALL_SIZE,
    )
