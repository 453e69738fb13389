"""Accuracy curves, observed and predicted."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from accuracy_curves.answers.style import (
    OBSERVED_COLOR,
    OTHERS_COLOR,
    Style,
    legend_above,
    write_shares,
)
from accuracy_curves.vocabulary import CLASSES, Vocabulary

EXPECTED = r", $E_k[\mathcal{A}]$"
ACCURACY = f"accuracy{EXPECTED}"
# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10
DASHES = "-", "--", ":", "-."


def draw_accuracy(
    axes: Axes,
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    styles: Mapping[str, Style],
    k1: int,
    classes: Sequence[int],
    top: int | str,
    words: Vocabulary = CLASSES,
) -> None:
    """Draw the curves of one top and its axes.

    `observed` has the columns top, k, accuracy, `predicted` method as well; k may reach 10**18. The
    observed curve is over the others. The first method has a band where it has lower and upper, and
    dots at `classes`; other methods are thin and grey. The k axis is logarithmic if the largest k
    is more than 10 times k1, a dotted line.
    """
    seen, curves = (table[table["top"] == top].sort_values("k") for table in (observed, predicted))
    draw_observed(axes, seen)
    (answer, style), *others = styles.items()
    draw_predicted(axes, curves[curves["method"] == answer], style, classes)
    for (name, other), dashes in zip(others, cycle(DASHES), strict=False):
        curve = curves[curves["method"] == name]
        look: Any = {"color": OTHERS_COLOR, "linewidth": 0.8, "linestyle": dashes, "zorder": 2}
        axes.plot(curve["k"], curve["accuracy"], label=other.label, **look)
    dress_accuracy(axes, k1, max(int(curves["k"].max()), k1), top, words)


def draw_observed(axes: Axes, observed: pd.DataFrame, label: str = "observed") -> None:
    """Draw the observed curve; its bounds, without a line, where lists have no more."""
    if "lower" in observed and observed["lower"].notna().any():
        k, lower, upper = (observed[name] for name in ("k", "lower", "upper"))
        axes.fill_between(k, lower, upper, color=OBSERVED_COLOR, alpha=0.3, linewidth=0)
    look: Any = {"color": OBSERVED_COLOR, "linewidth": 2.2, "zorder": 5}
    axes.plot(observed["k"], observed["accuracy"], label=label, **look)


def draw_predicted(
    axes: Axes, curve: pd.DataFrame, style: Style, classes: Sequence[int], value: str = "accuracy"
) -> None:
    """Draw a predicted curve with its band, and dots at the numbers of classes of the question."""
    curve = curve.set_index("k")
    look: Any = {"color": style.color, "zorder": 4}
    band = look | {"zorder": 1}
    ends = curve[["lower", "upper"]].dropna() if "lower" in curve else curve.iloc[:0]
    if len(ends):
        axes.fill_between(ends.index, *ends.to_numpy().T, alpha=0.15, linewidth=0, **band)
        # Its edges are lines, which the accuracy axis makes room for.
        axes.plot(ends, alpha=0.6, linewidth=0.5, **band)
    axes.plot(curve[value], linewidth=1.4, label=style.label, **look)
    dots = curve.loc[list(classes), value]
    axes.plot(dots, "o", markersize=3.5, mec="black", mew=0.4, **look)


def dress_accuracy(
    axes: Axes, k1: int, largest: int, top: int | str, words: Vocabulary = CLASSES
) -> None:
    """Give a panel of accuracies its axes and its legend."""
    share_accuracy_axis([axes])
    of = "" if isinstance(top, str) else EXPECTED
    axes.set_ylabel(f"{words.measure(top)}{of}")
    write_shares(axes.yaxis)
    dress_classes(axes, k1, largest, words)
    legend_above(axes)


def dress_classes(axes: Axes, k1: int, largest: int, words: Vocabulary = CLASSES) -> None:
    """Give a panel its axis of numbers of classes, and the dotted line at k1."""
    axes.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=1)
    if largest > LOG_ABOVE * k1:
        axes.set_xscale("log")
    else:
        axes.set_xlim(0, 1.02 * largest)
        axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.set_xlabel(f"number of {words.classes}, $k$")
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
