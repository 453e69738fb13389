"""Curves of answers: accuracies, observed and predicted, and the rates of identification."""

from collections.abc import Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from accuracy_curves.answers.style import (
    COLORS,
    OBSERVED_COLOR,
    Style,
    gradient,
    legend_above,
    write_shares,
)
from accuracy_curves.cautions import share
from accuracy_curves.vocabulary import CLASSES, Vocabulary

EXPECTED = r", $E_k[\mathcal{A}]$"
ACCURACY = f"accuracy{EXPECTED}"
# Above this ratio of the largest k to k1 the k axis is logarithmic.
LOG_ABOVE = 10
BAND = 0.15
# Where the largest gallery is so many times the smallest, ticks are powers of ten.
WIDE = 100
# The lowest FNIR of the logarithmic axis.
LEAST_RATE = 1e-4


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
        axes.fill_between(ends.index, *ends.to_numpy().T, alpha=BAND, linewidth=0, **band)
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


def draw_det(axes: Axes, det: pd.DataFrame) -> None:
    """Draw the DET curve of each gallery size, with its interval, on logarithmic axes."""
    predicted = det[det["method"] != "observed"]
    colors = gradient(predicted["gallery_size"].nunique())
    for (k, part), color in zip(predicted.groupby("gallery_size"), colors, strict=True):
        _draw_rates(axes, part, "fpir", color, f"{k:,} enrolled")
    for k, part in det[det["method"] == "observed"].groupby("gallery_size"):
        name = f"{k:,}, observed"
        axes.step(part["fpir"], part["fnir"], ":", color=OBSERVED_COLOR, linewidth=1.4, label=name)
    axes.set_xlabel("FPIR, strangers accepted")
    _dress_rates(axes)
    if (det["fnir"] > 0).any():
        axes.set_yscale("log")
    axes.set_ylim(np.fmax(LEAST_RATE, 0.5 * float(det["fnir"].min())), 1.1)


def draw_fnir_by_size(axes: Axes, by_size: pd.DataFrame) -> None:
    """Draw FNIR at fixed FPIR against the size of the gallery, with its interval."""
    targets = sorted(by_size["fpir"].unique(), reverse=True)
    for target, color in zip(targets, cycle(COLORS), strict=False):
        part = by_size[(by_size["fpir"] == target) & (by_size["method"] != "observed")]
        _draw_rates(axes, part, "gallery_size", color, f"FPIR {share(target)}")
    seen = by_size[by_size["method"] == "observed"]
    if not seen.empty:
        k, fnir = seen["gallery_size"], seen["fnir"]
        axes.plot(k, fnir, "o", color=OBSERVED_COLOR, markersize=3, zorder=3, label="observed")
    axes.set_xlabel("enrolled identities")
    _dress_rates(axes)
    sizes = by_size["gallery_size"]
    axes.xaxis.set_minor_formatter(NullFormatter())
    # Few numbers, each written out: powers of ten alone where there are several.
    if sizes.max() < WIDE * sizes.min():
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter("{x:,.0f}")
    highest = float(by_size["upper"].fillna(by_size["fnir"]).max())
    axes.set_ylim(0, np.fmin(1.02, 1.05 * highest + 0.01))
    write_shares(axes.yaxis)


def _draw_rates(axes: Axes, part: pd.DataFrame, x: str, color: str, label: str) -> None:
    """Draw a curve, with its interval if it has one."""
    axes.fill_between(part[x], part["lower"], part["upper"], color=color, alpha=BAND, lw=0)
    axes.plot(part[x], part["fnir"], color=color, label=label)


def _dress_rates(axes: Axes) -> None:
    """Give a panel its legend and axes."""
    axes.set_xscale("log")
    axes.set_ylabel("FNIR, enrolled people missed")
    legend_above(axes)
