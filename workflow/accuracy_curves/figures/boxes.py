"""One box of a box plot, as ICLR 2021 draws it, and boxes of ratios."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import boxplot_stats
from matplotlib.ticker import MaxNLocator

from accuracy_curves.figures.style import SMALL_SIZE, Style, shaded
from accuracy_curves.utils.arrays import Float64Array

RATIO_CAP = 4.0
# Of the noise of the draw of the classes, which is no method.
DRAW_STYLE = Style("draw of the classes alone", "#c8c8c8")
# Share of a group's width that its boxes take.
GROUP_SHARE = 0.8
# Quartiles and whiskers of fewer values would look surer than they are.
FEWEST_OF_A_BOX = 10


def draw_box(axes: Axes, found: Float64Array, position: float, color: str, boxes: int) -> float:
    """Draw one box: quartiles, median, whiskers within 1.5 IQR, no outliers.

    Of fewer than 10 values each is drawn, as a point, with a line at the median; of none, nothing.
    Groups are 1 apart, and their `boxes` share the width. Returns the upper end of what was drawn.
    """
    if not len(found):
        return 0.0
    width = 0.85 * GROUP_SHARE / boxes
    if len(found) < FEWEST_OF_A_BOX:
        edge: Any = {"edgecolors": "black", "linewidths": 0.5, "zorder": 3}
        axes.scatter(np.full(len(found), position), found, s=9, c=color, **edge)
        half = width / 2
        axes.hlines(np.median(found), position - half, position + half, color="black", lw=1.2)
        return float(found.max())
    stats = boxplot_stats(found, whis=1.5)
    thin: Any = {"color": "black", "linewidth": 0.6}
    axes.bxp(
        stats,
        positions=[position],
        widths=width,
        capwidths=width / 2,
        patch_artist=True,
        showfliers=False,
        manage_ticks=False,
        boxprops={"facecolor": color, "edgecolor": "black", "linewidth": 0.6},
        medianprops={"color": "black", "linewidth": 1.2},
        whiskerprops=thin,
        capprops=thin,
    )
    return float(max(stats[0]["whishi"], stats[0]["q3"]))


def draw_ratios(
    axes: Axes,
    slots: Iterable[tuple[float, str, Float64Array]],
    reference_color: str,
    boxes: int,
    cap: float = RATIO_CAP,
) -> None:
    """Draw boxes of ratios (position, colour, ratios), cut at `cap`, with a dotted line at 1."""
    for position, color, found in slots:
        draw_box(axes, found, position, color, boxes)
        middle = boxplot_stats(found)[0]["med"] if len(found) else 0.0
        if middle > cap:
            write_upright(axes, position, 0.97, f"median {middle:.1f}", color, "top")
    axes.axhline(1.0, color=reference_color, linestyle=":", linewidth=1.2, zorder=1)
    axes.set_ylim(0, cap)
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))


def write_upright(axes: Axes, x: float, y: float, text: str, color: str, va: Any) -> None:
    """Write upwards at x (data) and y (share of the axis), in a dark shade of a colour."""
    axes.text(
        x,
        y,
        text,
        transform=axes.get_xaxis_transform(),
        rotation=90,
        ha="center",
        va=va,
        fontsize=SMALL_SIZE,
        color=shaded(color, -0.35),
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.8},
        zorder=5,
    )
