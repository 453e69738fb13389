"""One panel of accuracy curves, and what panels side by side share."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from accuracy_curves.figures.labelled_settings import LabelledSetting, values
from accuracy_curves.figures.layout import lines_height, size_of, text_width, wrapped
from accuracy_curves.figures.style import FONT_SIZE, OBSERVED_COLOR, SMALL_SIZE, TRUE_COLOR, shaded
from accuracy_curves.utils.arrays import Float64Array, IntArray

ACCURACY = r"accuracy, $E_k[\mathcal{A}]$"

Curves = tuple[IntArray, Float64Array]


def draw_curves(
    axes: Axes,
    predicted: Curves,
    observed: Curves,
    true: Curves,
    color: str,
    k1: int,
) -> None:
    """Draw one panel: predictions of one method, observed and true curves.

    Parameters
    ----------
    axes : Axes
        Where.
    predicted, observed : ((n,) array, (repetitions, n) array)
        k and accuracies.
    true : ((n,) array, (n,) array)
        k and accuracies.
    color : str
        Of the predictions.
    k1 : int
        Where the dotted line stands.
    """
    # Drawn as pixels: fifty curves a panel would make a PDF of megabytes.
    lines: dict[str, Any] = {"linewidths": 0.6, "alpha": 0.6, "rasterized": True}
    for (k, accuracy), shade, order in ((predicted, color, 2), (observed, OBSERVED_COLOR, 3)):
        paths = [np.column_stack([k, curve])[np.isfinite(curve)] for curve in accuracy]
        axes.add_collection(LineCollection(paths, color=shade, zorder=order, **lines))
    axes.plot(*true, color=TRUE_COLOR, linewidth=1.1, zorder=4)
    axes.axvline(k1, color="black", linestyle=":", linewidth=0.8, zorder=5)
    axes.set_xlim(0, int(true[0][-1]) * 1.01)
    axes.xaxis.set_major_locator(
        MaxNLocator(max(2, min(5, int(size_of(axes)[0] / 0.35))), steps=[1, 2, 5, 10])
    )


def average_rmse(
    errors: pd.DataFrame, setting: LabelledSetting, methods: Iterable[str]
) -> list[str]:
    """Say each method's average `rmse_curve` over the repetitions of a setting, and how many."""
    found = [values(errors, "rmse_curve", setting, method) for method in methods]
    return [f"average RMSE {error.mean():.3f}, $n = {len(error)}$" for error in found]


def share_accuracy_axis(row: Sequence[Axes]) -> None:
    """Give panels side by side one accuracy axis, within [0, 1], labelled on the left only."""
    drawn = np.concatenate([_drawn(axes)[:, 1] for axes in row]).clip(0, 1)
    low = max(0.0, np.floor(10 * (drawn.min() - 0.02)) / 10)
    high = min(1.0, np.ceil(10 * (drawn.max() + 0.02)) / 10)
    for axes in row:
        axes.set_ylim(low, high + 0.02 * (high - low))
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        axes.tick_params(labelleft=axes is row[0])


def write_clear(panels: Sequence[Axes], texts: Sequence[str]) -> None:
    """Write a text in the corner of each panel of curves that the curves leave free.

    Where a panel has no free corner, the accuracy axis of all panels, which they share, is
    lengthened downwards.

    Parameters
    ----------
    panels : sequence of Axes
        With the same limits.
    texts : sequence of str
        One a panel; broken into lines where the panel is narrow.
    """
    width, height = size_of(panels[0])
    lines = [wrapped(text, 0.62 * width, SMALL_SIZE) for text in texts]
    need = max((lines_height(text, SMALL_SIZE) + 0.04) / height for text in lines)
    room = [_free_corners(axes, text) for axes, text in zip(panels, lines, strict=True)]
    if min(max(corners.values()) for corners in room) < need:
        low, high = panels[0].get_ylim()
        for axes in panels:
            axes.set_ylim(low - need * (high - low), high)
        room = [_free_corners(axes, text) for axes, text in zip(panels, lines, strict=True)]
    for axes, text, corners in zip(panels, lines, room, strict=True):
        across, up = max(corners, key=corners.__getitem__)
        axes.annotate(
            text,
            (float(across == "right"), float(up == "top")),
            (-2 if across == "right" else 4, -1 if up == "top" else 3),
            xycoords="axes fraction",
            textcoords="offset points",
            ha=across,
            va=up,
            fontsize=SMALL_SIZE,
            linespacing=1.1,
            zorder=6,
        )


def head(axes: Axes, text: str, color: str) -> None:
    """Write a heading over a column of panels, clear of the panel's own title."""
    axes.annotate(
        text,
        (0.5, 1),
        (0, 15),
        xycoords="axes fraction",
        textcoords="offset points",
        ha="center",
        va="bottom",
        color=shaded(color, -0.2),
        fontsize=FONT_SIZE + 1,
        fontweight="bold",
    )


def curve_legend() -> tuple[list[Artist], list[str]]:
    """Return handles and labels of what is drawn beside the predictions."""
    looks: list[tuple[str, dict[str, Any]]] = [
        (r"observed, $\overline{\mathcal{A}}_k^{k_1}$", {"color": OBSERVED_COLOR}),
        (r"true, $E_k[\mathcal{A}]$", {"color": TRUE_COLOR}),
        ("$k_1$", {"color": "black", "linestyle": ":", "linewidth": 0.8}),
    ]
    return [Line2D([], [], **look) for _, look in looks], [label for label, _ in looks]


def _free_corners(axes: Axes, text: str) -> dict[tuple[Any, Any], float]:
    """Share of the panel's height that curves leave free over or under a text in each corner."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    x, y = ((_drawn(axes) - (left, bottom)) / (right - left, top - bottom)).T
    wide = max(text_width(line, SMALL_SIZE) for line in text.split("\n"))
    share = (wide + 0.1) / size_of(axes)[0]
    dotted = [
        (np.asarray(line.get_xydata())[0, 0] - left) / (right - left)
        for line in axes.lines
        if _dotted(line)
    ]
    room = {
        ("right", "top"): 1 - y[x > 1 - share].max(initial=0),
        ("left", "bottom"): y[x < share].min(initial=1),
        ("right", "bottom"): y[x > 1 - share].min(initial=1),
    }
    for side, within in (("left", (0, share)), ("right", (1 - share, 1))):
        if any(within[0] < at < within[1] for at in dotted):
            room = {corner: 0.0 if corner[0] == side else free for corner, free in room.items()}
    return room


def _dotted(line: Line2D) -> bool:
    """Tell the line at k1 from a curve."""
    return line.get_linestyle() == ":"


def _drawn(axes: Axes) -> Float64Array:
    """Points of all curves of a panel, (n, 2); not the dotted line."""
    collections = [c for c in axes.collections if isinstance(c, LineCollection)]
    paths = [path.vertices for c in collections for path in c.get_paths()]
    lines = [line.get_xydata() for line in axes.lines if not _dotted(line)]
    return np.concatenate([np.asarray(p, dtype=np.float64) for p in [*paths, *lines]])
