"""Errors and coverage of open-set rates, and DET curves, over data sets."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.layout import (
    Margins,
    legend_above,
    legend_height,
    panel_grid,
    share_axis,
    wrapped,
)
from accuracy_curves.prediction.plots.style import (
    OBSERVED_COLOR,
    SMALL_SIZE,
    TEXT_WIDTH,
    TRUE_COLOR,
    Style,
    paper_style,
)
from accuracy_curves.utils.validation import check_choice
from experiments.evaluation.curve_errors import require_columns
from experiments.evaluation.identification_errors import LEVEL, QUANTITIES
from experiments.figures.labelled_settings import LabelledSetting
from experiments.figures.matrix import matrix_figure
from experiments.figures.sweep import MARKERS

NAMES = {
    "fpir": "FPIR at its true threshold",
    "fnir": "FNIR at the true threshold of FPIR",
    "fnir_at_fpir": "FNIR at the threshold set for FPIR",
}
GREY, TOLERANCE = "#d9d9d9", 0.03
COVERAGE_HEIGHT, WIDTH_HEIGHT, DET_HEIGHT = 1.6, 0.9, 1.7
SPREAD, BOX = 0.7, 0.84
DET_COLUMNS = 3


def rate_matrix_figure(
    rates: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
    reference: str,
    quantity: str,
    show: str = "rmse",
) -> Figure:
    """Draw an error of each method (columns) for each setting and target FPIR (rows).

    As `matrix_figure`, where the number is the root mean square, mean (bias) or standard deviation
    of the predicted minus the true rate. `rates` is what `predicted_rates` returns, with
    experiment, k1 and method beside.
    """
    check_choice("quantity", quantity, QUANTITIES)
    shown = rates[rates["quantity"] == quantity]
    targets = sorted(shown["target"].unique(), reverse=True)
    errors = shown.assign(
        error_at_k2=shown["predicted"] - shown["true"],
        experiment=[_row(*pair) for pair in zip(shown["experiment"], shown["target"], strict=True)],
    )
    rows = [
        LabelledSetting(
            _row(setting.experiment, target),
            setting.k1,
            f"FPIR = {target:g}",
            f"{setting.label}, $k_1$ = {setting.k1}",
        )
        for setting in settings
        for target in targets
    ]
    return matrix_figure(errors, styles, rows, reference, {"rmse": "rms"}.get(show, show))


def _row(experiment: str, target: float) -> str:
    return f"{experiment} at {target:g}"


@paper_style()
def rate_coverage_figure(table: pd.DataFrame, styles: Mapping[str, Style]) -> Figure:
    """Draw coverage and widths of the 90 % intervals of all settings: a column a quantity.

    Above, the share of the intervals that held the true rate, with one binomial standard error, at
    each target FPIR; the grey box is within 3 points. Below, the median width. `table` is what
    `rate_coverage` counts by method.
    """
    require_columns(table, ["method", "quantity", "target", "samples", "covered", "width"], "rates")
    targets = sorted(table["target"].unique(), reverse=True)
    if not styles or not len(targets):
        raise InputError("a figure of the coverage of rates needs a method and a target")
    handles, labels = _coverage_legend(styles)
    margins = Margins(
        left=0.5, top=legend_height(labels, TEXT_WIDTH) + 0.33, bottom=0.36, row_gap=0.12
    )
    heights = [COVERAGE_HEIGHT, WIDTH_HEIGHT]
    figure, grid = panel_grid(TEXT_WIDTH, heights, len(QUANTITIES), margins)
    for (above, below), quantity in zip(grid.T, QUANTITIES, strict=True):
        rows = table[table["quantity"] == quantity]
        above.axhspan(LEVEL - TOLERANCE, LEVEL + TOLERANCE, color=GREY, zorder=0)
        above.axhline(LEVEL, color="black", linewidth=0.6, zorder=1)
        for place, (key, style) in enumerate(styles.items()):
            here = rows[rows["method"] == key]
            x = here["target"].map(targets.index) + SPREAD * ((place + 0.5) / len(styles) - 0.5)
            look: dict[str, Any] = {
                "color": style.color,
                "marker": MARKERS[place % len(MARKERS)],
                "linestyle": "",
            }
            share = here["covered"].to_numpy(np.float64)
            error = np.sqrt(share * (1 - share) / here["samples"].to_numpy(np.float64))
            above.errorbar(x, share, yerr=error, elinewidth=0.7, markersize=3.2, **look)
            below.plot(x, here["width"], markersize=3.2, **look)
        for axes in (above, below):
            axes.set_xticks(range(len(targets)), [f"{target:g}" for target in targets])
            axes.set_xlim(-0.5, len(targets) - 0.5)
        above.tick_params(labelbottom=False)
        above.set_title(wrapped(NAMES[quantity], 2.0), pad=4)
        below.set_xlabel("target FPIR")
    share_axis(grid[0], min(axes.get_ylim()[0] for axes in grid[0]) - 0.01, 1.025)
    share_axis(grid[1], 0.0, 1.08 * max(axes.get_ylim()[1] for axes in grid[1]))
    for axes, name in zip(grid[:, 0], ("measured coverage", "median width"), strict=True):
        axes.set_ylabel(name)
    legend_above(figure, handles, labels)
    return figure


def _coverage_legend(styles: Mapping[str, Style]) -> tuple[list[Artist], list[str]]:
    handles: list[Artist] = [
        Line2D([], [], color=style.color, marker=MARKERS[place % len(MARKERS)], linestyle="")
        for place, style in enumerate(styles.values())
    ]
    labels = [style.label for style in styles.values()]
    return [*handles, Patch(color=GREY)], [*labels, f"within 3 points of {100 * LEVEL:g} %"]


@paper_style()
def det_figure(
    curves: Mapping[LabelledSetting, pd.DataFrame], styles: Mapping[str, Style]
) -> Figure:
    """Draw the DET curve of all identities, true and as predicted from k1: a panel a setting.

    `curves` are those of `det_curves`. The grey dotted line is what the k1 themselves show.
    """
    if not curves or not styles:
        raise InputError("a figure of DET curves needs a setting and a method")
    known = {
        "observed": Style("observed with $k_1$", OBSERVED_COLOR),
        **styles,
        "true": Style("true", TRUE_COLOR),
    }
    handles: list[Artist] = [
        Line2D([], [], color=style.color, **_line(key)) for key, style in known.items()
    ]
    labels = [style.label for style in known.values()]
    columns = min(DET_COLUMNS, len(curves))
    rows = -(-len(curves) // columns)
    margins = Margins(
        left=0.45,
        top=legend_height(labels, TEXT_WIDTH) + 0.25,
        bottom=0.36,
        row_gap=0.62,
        column_gap=0.3,
    )
    figure, grid = panel_grid(TEXT_WIDTH, [DET_HEIGHT] * rows, columns, margins)
    for place, axes in enumerate(grid.ravel()):
        if place >= len(curves):
            axes.remove()
            continue
        setting, table = list(curves.items())[place]
        _draw_det(axes, table, known)
        axes.set_title(f"{setting.label}, $k_1$ = {setting.k1}", fontsize=SMALL_SIZE, pad=3)
        if place % columns == 0:
            axes.set_ylabel("FNIR")
    legend_above(figure, handles, labels)
    return figure


def _line(key: str) -> dict[str, Any]:
    look = {"observed": (":", 1.4), "true": ("-", 1.6)}
    style, width = look.get(key, ("-", 1.0))
    return {"linestyle": style, "linewidth": width}


def _draw_det(axes: Axes, table: pd.DataFrame, styles: Mapping[str, Style]) -> None:
    for key, style in styles.items():
        part = table[table["method"] == key]
        if part.empty:
            raise InputError(f"there is no DET curve of {key}: the figure needs it")
        axes.plot(part["fpir"], part["fnir"], color=style.color, **_line(key))
    axes.set_xscale("log")
    axes.set_ylim(0, 1.02)
    axes.set_xlabel("FPIR")
