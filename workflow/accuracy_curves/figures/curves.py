"""Accuracy curves, observed, predicted and true (ICLR 2021, Figures 4 and 5)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.exceptions import InputError
from accuracy_curves.figures.curve_panels import (
    ACCURACY,
    curve_legend,
    draw_curves,
    head,
    share_accuracy_axis,
    write_mean_rmse,
)
from accuracy_curves.figures.labelled_settings import LabelledSetting, curves, true_curve
from accuracy_curves.figures.layout import Margins, legend_above, panel_grid
from accuracy_curves.figures.style import COLUMN_WIDTH, SMALL_SIZE, TEXT_WIDTH, Style, paper_style

PANEL_HEIGHT = 0.82


@paper_style()
def curve_grid(
    predicted: pd.DataFrame,
    observed: pd.DataFrame,
    true: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
    *,
    errors: pd.DataFrame | None = None,
) -> Figure:
    """Draw predicted accuracy curves: a row a setting, a column a method (Figures 4 and 5).

    Each repetition's prediction is a thin line in the method's colour, and its observed average
    accuracies (k <= k1) a grey one; the true curve is black; the dotted line is k1. The tables are
    those of `by_k1.curves_by_k1`; with `errors` the mean RMSE stands over each panel.
    """
    if not styles or not settings:
        raise InputError("a figure of curves needs at least one method and one setting")
    width = COLUMN_WIDTH if len(styles) == 1 else TEXT_WIDTH
    truths = [true_curve(true, setting) for setting in settings]
    same_axis = len({int(k[-1]) for k, _ in truths}) == 1
    margins = Margins(
        right=0.15, top=0.7, bottom=0.36, row_gap=0.36 if same_axis else 0.52, column_gap=0.2
    )
    figure, grid = panel_grid(width, [PANEL_HEIGHT] * len(settings), len(styles), margins)
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
    for axes, style in zip(grid[0], styles.values(), strict=True):
        head(axes, style.label, style.color)
    for axes in grid[:-1].flat:
        axes.tick_params(labelbottom=not same_axis)
    for axes in grid[-1]:
        axes.set_xlabel("$k$", labelpad=1)
    legend_above(figure, *curve_legend())
    return figure
