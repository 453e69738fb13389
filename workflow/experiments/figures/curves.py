"""Accuracy curves, observed, predicted and true: a grid of them, and one with a table of errors."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.curves import ACCURACY, share_accuracy_axis
from accuracy_curves.prediction.plots.layout import (
    Margins,
    legend_above,
    lines_height,
    panel_grid,
    size_of,
    text_width,
    wrapped_label,
    write_beside,
)
from accuracy_curves.prediction.plots.style import (
    COLUMN_WIDTH,
    FONT_SIZE,
    OBSERVED_COLOR,
    SMALL_SIZE,
    TEXT_WIDTH,
    TRUE_COLOR,
    Style,
    paper_style,
    shaded,
)
from accuracy_curves.utils.arrays import Float64Array, IntArray
from experiments.figures.labelled_settings import (
    LabelledSetting,
    curves,
    how_many,
    true_curve,
    values,
)

GRID_HEIGHT, BY_K1_HEIGHT = 0.82, 1.15
# Of the figure by k1.
ROWS = "bias\nsd\nRMSE"
TABLE_HEIGHT = 0.42
MOST_COLUMNS = 6

Curves = tuple[IntArray, Float64Array]


def draw_curves(
    axes: Axes, predicted: Curves, observed: Curves, true: Curves, color: str, k1: int
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
        write_beside(axes, text, (1, 1), (0, 2), ha="right", va="bottom", fontsize=SMALL_SIZE)


def curve_legend(repetitions: int | None = None) -> tuple[list[Artist], list[str]]:
    """Return handles and labels of what is drawn beside the predictions.

    With how many repetitions are drawn, where they are not all.
    """
    observed = r"observed, $\overline{\mathcal{A}}_k^{k_1}$"
    if repetitions is not None:
        observed += f" (curves of {repetitions} repetitions)"
    looks: list[tuple[str, dict[str, Any]]] = [
        (observed, {"color": OBSERVED_COLOR}),
        (r"true, $E_k[\mathcal{A}]$", {"color": TRUE_COLOR}),
        ("$k_1$", {"color": "black", "linestyle": ":", "linewidth": 0.8}),
    ]
    return [Line2D([], [], **look) for _, look in looks], [label for label, _ in looks]


@paper_style()
def curve_grid(
    predicted: pd.DataFrame,
    observed: pd.DataFrame,
    true: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
    *,
    errors: pd.DataFrame | None = None,
    repetitions: int | None = None,
) -> Figure:
    """Draw predicted accuracy curves: a row a setting, a column a method (Figures 4 and 5).

    Each repetition's prediction is a thin line in the method's colour, and its observed average
    accuracies (k <= k1) a grey one; the true curve is black; the dotted line is k1. The tables are
    those of `curves_by_k1`; with `errors` the mean RMSE stands over each panel. `repetitions`, if
    given, says how many of them have curves here.
    """
    if not styles or not settings:
        raise InputError("a figure of curves needs at least one method and one setting")
    width = COLUMN_WIDTH if len(styles) == 1 else TEXT_WIDTH
    truths = [true_curve(true, setting) for setting in settings]
    same_axis = len({int(k[-1]) for k, _ in truths}) == 1
    gap = 0.2
    # Bold, so that less fits than what is measured.
    room = 0.85 * ((width - Margins.left - 0.15 + gap) / len(styles) - gap)
    size = FONT_SIZE + 1
    names = [wrapped_label(style.label, room, size) for style in styles.values()]
    more = max(lines_height(name, size) for name in names) - lines_height("", size)
    margins = Margins(
        right=0.15,
        top=0.7 + more,
        bottom=0.36,
        row_gap=0.36 if same_axis else 0.52,
        column_gap=gap,
    )
    figure, grid = panel_grid(width, [GRID_HEIGHT] * len(settings), len(styles), margins)
    for row, setting, truth in zip(grid, settings, truths, strict=True):
        seen = curves(observed, setting, "observed")
        for axes, (key, style) in zip(row, styles.items(), strict=True):
            found = curves(predicted, setting, key)
            draw_curves(axes, found, seen, truth, style.color, setting.k1)
        share_accuracy_axis(row)
        if errors is not None:
            write_mean_rmse(row, errors, setting, styles)
        row[0].set_ylabel(ACCURACY, fontsize=SMALL_SIZE)
        row[0].set_title(f"{setting.label}, $k_1$ = {setting.k1}", loc="left", pad=11)
    for axes, name, style in zip(grid[0], names, styles.values(), strict=True):
        # Clear of the panel's own title.
        look = {"color": shaded(style.color, -0.2), "fontsize": size, "fontweight": "bold"}
        write_beside(axes, name, (0.5, 1), (0, 22), ha="center", va="bottom", **look)
    for axes in grid[:-1].flat:
        axes.tick_params(labelbottom=not same_axis)
    for axes in grid[-1]:
        axes.set_xlabel("$k$", labelpad=1)
    legend_above(figure, *curve_legend(repetitions))
    return figure


@paper_style()
def curves_by_k1(
    predicted: pd.DataFrame,
    observed: pd.DataFrame,
    true: pd.DataFrame,
    errors: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
) -> Figure:
    """Draw predicted curves and the errors at k2: a row a method, a column a setting.

    `predicted` and `observed` (method ``observed``) have the columns experiment, k1, repetition,
    method, k, accuracy; `true` has experiment, k, accuracy. Bias, standard deviation (divisor n)
    and root mean square of the `error_at_k2` of `errors` stand under each panel.
    """
    if not styles or not 0 < len(settings) <= MOST_COLUMNS:
        raise InputError(
            f"{len(settings)} settings of {len(styles)} methods cannot be drawn side by side: "
            f"choose methods, and 1 to {MOST_COLUMNS} experiments or k1"
        )
    width = COLUMN_WIDTH if len(settings) == 1 else TEXT_WIDTH
    under = TABLE_HEIGHT + 0.36
    margins = Margins(
        left=0.5, right=0.17, top=0.78, bottom=under, row_gap=under + 0.3, column_gap=0.26
    )
    figure, grid = panel_grid(width, [BY_K1_HEIGHT] * len(styles), len(settings), margins)
    for row, (key, style) in zip(grid, styles.items(), strict=True):
        for axes, setting in zip(row, settings, strict=True):
            seen, truth = curves(observed, setting, "observed"), true_curve(true, setting)
            found = curves(predicted, setting, key)
            draw_curves(axes, found, seen, truth, style.color, setting.k1)
            axes.set_xlabel("$k$", labelpad=1)
            error = values(errors, "error_at_k2", setting, key)
            rmse = float((error**2).mean()) ** 0.5
            table = f"{error.mean():+.3f}\n{error.std():.3f}\n{rmse:.3f}"
            _write_under(axes, 0.5, "center", table.replace("-", "\N{MINUS SIGN}"))
        share_accuracy_axis(row)
        row[0].set_ylabel(ACCURACY)
        row[0].set_title(style.label, loc="left", pad=4, color=style.color, fontweight="bold")
        _write_under(row[0], -0.04, "right", ROWS)
    several = len({setting.experiment for setting in settings}) > 1
    for axes, setting in zip(grid[0], settings, strict=True):
        name = f"{setting.label}, " if several else ""
        count = how_many(len(values(errors, "error_at_k2", setting, key)) for key in styles)
        text = f"{name}$k_1$ = {setting.k1}\n{count}"
        write_beside(axes, text, (0.5, 1), (0, 14), ha="center", va="bottom")
    legend_above(figure, *curve_legend())
    return figure


def _write_under(axes: Axes, x: float, side: str, text: str) -> None:
    """Write the lines of the table under a panel."""
    look = {"fontsize": SMALL_SIZE, "linespacing": 1.3}
    write_beside(axes, text, (x, 0), (0, -24), ha=side, va="top", **look)
