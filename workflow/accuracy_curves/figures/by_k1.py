"""Curves from several k1, with a table of the errors (Zheng et al. 2017, Figure 9, Table 1)."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from accuracy_curves.exceptions import InputError
from accuracy_curves.figures.curve_panels import (
    ACCURACY,
    curve_legend,
    draw_curves,
    share_accuracy_axis,
)
from accuracy_curves.figures.labelled_settings import (
    LabelledSetting,
    curves,
    how_many,
    true_curve,
    values,
)
from accuracy_curves.figures.layout import Margins, legend_above, panel_grid
from accuracy_curves.figures.style import COLUMN_WIDTH, SMALL_SIZE, TEXT_WIDTH, Style, paper_style

PANEL_HEIGHT = 1.15
ROWS = "bias\nsd\nRMSE"
TABLE_HEIGHT = 0.42
MOST_COLUMNS = 6


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
    figure, grid = panel_grid(width, [PANEL_HEIGHT] * len(styles), len(settings), margins)
    for row, (key, style) in zip(grid, styles.items(), strict=True):
        for axes, setting in zip(row, settings, strict=True):
            seen, truth = curves(observed, setting, "observed"), true_curve(true, setting)
            found = curves(predicted, setting, key)
            draw_curves(axes, found, seen, truth, style.color, setting.k1)
            axes.set_xlabel("$k$", labelpad=1)
            _write_under(axes, 0.5, "center", error_table(errors, setting, key))
        share_accuracy_axis(row)
        row[0].set_ylabel(ACCURACY)
        row[0].set_title(style.label, loc="left", pad=4, color=style.color, fontweight="bold")
        _write_under(row[0], -0.04, "right", ROWS)
    several = len({setting.experiment for setting in settings}) > 1
    for axes, setting in zip(grid[0], settings, strict=True):
        name = f"{setting.label}, " if several else ""
        count = how_many(len(values(errors, "error_at_k2", setting, key)) for key in styles)
        text = f"{name}$k_1$ = {setting.k1}\n{count}"
        axes.annotate(
            text,
            (0.5, 1),
            (0, 14),
            xycoords="axes fraction",
            textcoords="offset points",
            ha="center",
            va="bottom",
        )
    legend_above(figure, *curve_legend())
    return figure


def error_table(errors: pd.DataFrame, setting: LabelledSetting, method: str) -> str:
    """Write bias, standard deviation and RMSE at k2 of a method, a line each."""
    error = values(errors, "error_at_k2", setting, method)
    rmse = float((error**2).mean()) ** 0.5
    return f"{error.mean():+.3f}\n{error.std():.3f}\n{rmse:.3f}".replace("-", "\N{MINUS SIGN}")


def _write_under(axes: Axes, x: float, side: str, text: str) -> None:
    """Write the lines of the table under a panel."""
    axes.annotate(
        text,
        (x, 0),
        (0, -24),
        xycoords="axes fraction",
        textcoords="offset points",
        ha=side,
        va="top",
        fontsize=SMALL_SIZE,
        linespacing=1.3,
    )
