"""Open-set identification: DET curves, and false negatives against the size of the gallery."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.layout import Margins, panel_grid
from accuracy_curves.prediction.plots.style import (
    OBSERVED_COLOR,
    SMALL_SIZE,
    TEXT_WIDTH,
    gradient,
    paper_style,
)

PANEL_HEIGHT = 2.1
TARGET_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
BAND = 0.15


@paper_style()
def identification_figure(det: pd.DataFrame, by_size: pd.DataFrame) -> Figure:
    """Draw the DET curve of each gallery size, and FNIR at fixed FPIR against the size.

    `det` has the columns method, gallery_size, fpir, fnir; `by_size` method, fpir, gallery_size,
    fnir, lower, upper. Bands are the intervals; the method ``observed`` is grey lines, and marks.
    """
    if det.empty or by_size.empty:
        raise InputError("a figure of identification needs at least one size and one target")
    margins = Margins(left=0.45, right=0.1, top=0.5, bottom=0.36, column_gap=0.45)
    figure, grid = panel_grid(TEXT_WIDTH, [PANEL_HEIGHT], 2, margins)
    draw_det(grid[0, 0], det)
    draw_fnir_by_size(grid[0, 1], by_size)
    return figure


def draw_det(axes: Axes, det: pd.DataFrame, size: float | str = SMALL_SIZE) -> None:
    """Draw the DET curve of each gallery size; the legend's letters have the given size."""
    sizes = sorted(det.loc[det["method"] != "observed", "gallery_size"].unique())
    for k, color in zip(sizes, gradient(len(sizes)), strict=True):
        part = det[(det["gallery_size"] == k) & (det["method"] != "observed")]
        axes.plot(part["fpir"], part["fnir"], color=color, label=f"{int(k):,} enrolled")
    seen = det[det["method"] == "observed"]
    for k in seen["gallery_size"].unique():
        part = seen[seen["gallery_size"] == k]
        name = f"{int(k):,}, observed"
        axes.step(part["fpir"], part["fnir"], ":", color=OBSERVED_COLOR, linewidth=1.4, label=name)
    axes.set_xlabel("FPIR, strangers taken for somebody")
    _dress(axes, float(det["fnir"].max()), size)


def draw_fnir_by_size(axes: Axes, by_size: pd.DataFrame, size: float | str = SMALL_SIZE) -> None:
    """Draw FNIR at fixed FPIR against the size of the gallery, with its interval."""
    targets = sorted(by_size["fpir"].unique(), reverse=True)
    for place, target in enumerate(targets):
        color = TARGET_COLORS[place % len(TARGET_COLORS)]
        part = by_size[(by_size["fpir"] == target) & (by_size["method"] != "observed")]
        axes.fill_between(
            part["gallery_size"], part["lower"], part["upper"], color=color, alpha=BAND, linewidth=0
        )
        axes.plot(part["gallery_size"], part["fnir"], color=color, label=f"FPIR = {target:g}")
        seen = by_size[(by_size["fpir"] == target) & (by_size["method"] == "observed")]
        axes.plot(seen["gallery_size"], seen["fnir"], "o", color=color, markersize=3)
    if (by_size["method"] == "observed").any():
        axes.plot([], [], "o", color=OBSERVED_COLOR, markersize=3, label="observed")
    axes.set_xlabel("enrolled identities")
    _dress(axes, float(by_size["upper"].fillna(by_size["fnir"]).max()), size)


def _dress(axes: Axes, highest: float, size: float | str) -> None:
    """Give a panel its legend and axes."""
    axes.set_xscale("log")
    axes.set_ylabel("FNIR, enrolled people missed")
    axes.set_ylim(0, min(1.02, 1.05 * highest + 0.01))
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(0, 1.0),
        ncols=2,
        fontsize=size,
        handlelength=1.6,
        columnspacing=1.2,
    )
