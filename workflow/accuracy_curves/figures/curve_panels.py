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
from accuracy_curves.figures.layout import size_of, text_width
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
    """Draw one panel: predictions of one method, observed and true curves, a dotted line at k1.

    Curves are (n,) k and (repetitions, n) accuracies, (n,) of the true one.
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


def share_accuracy_axis(row: Sequence[Axes]) -> None:
    """Give panels side by side one accuracy axis, within [0, 1], labelled on the left only."""
    drawn = np.concatenate([_drawn(axes)[:, 1] for axes in row]).clip(0, 1)
    low = max(0.0, np.floor(10 * (drawn.min() - 0.02)) / 10)
    high = min(1.0, np.ceil(10 * (drawn.max() + 0.02)) / 10)
    for axes in row:
        axes.set_ylim(low, high + 0.02 * (high - low))
        axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        axes.tick_params(labelleft=axes is row[0])


def write_mean_rmse(
    panels: Iterable[Axes], errors: pd.DataFrame, setting: LabelledSetting, methods: Iterable[str]
) -> None:
    """Write each method's mean `rmse_curve` and of how many repetitions it is over its panel."""
    for axes, method in zip(panels, methods, strict=True):
        found = values(errors, "rmse_curve", setting, method)
        text, counted = f"RMSE {found.mean():.3f}", f", n = {len(found)}"
        if text_width(text + counted, SMALL_SIZE) < size_of(axes)[0]:
            text += counted
        # No title: the titles of an axes share their distance from it.
        axes.annotate(
            text,
            (1, 1),
            (0, 2),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="right",
            va="bottom",
            fontsize=SMALL_SIZE,
        )


def head(axes: Axes, text: str, color: str) -> None:
    """Write a heading over a column of panels, clear of the panel's own title."""
    axes.annotate(
        text,
        (0.5, 1),
        (0, 22),
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


def _dotted(line: Line2D) -> bool:
    """Tell the line at k1 from a curve."""
    return line.get_linestyle() == ":"


def _drawn(axes: Axes) -> Float64Array:
    """Points of all curves of a panel, (n, 2); not the dotted line."""
    collections = [c for c in axes.collections if isinstance(c, LineCollection)]
    paths = [path.vertices for c in collections for path in c.get_paths()]
    lines = [line.get_xydata() for line in axes.lines if not _dotted(line)]
    return np.concatenate([np.asarray(p, dtype=np.float64) for p in [*paths, *lines]])
