"""Coverage and width of the intervals of open-set rates."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification.methods import METHODS
from accuracy_curves.prediction.plots.style import TEXT_WIDTH, Style, paper_style
from experiments.evaluation.curve_errors import require_columns
from experiments.evaluation.identification_errors import LEVEL, QUANTITIES
from experiments.evaluation.interval_coverage import POOLED
from experiments.figures.base import FigureKind, Files, Plan, styles_of
from experiments.figures.panels import LINE, legend_above, panel_grid, share_axis, wrapped
from experiments.figures.sweep import MARKERS

NAMES = {
    "fpir": "FPIR at its true threshold",
    "fnir": "FNIR at the true threshold of FPIR",
    "fnir_at_fpir": "FNIR at the threshold set for FPIR",
}
GREY, TOLERANCE = "#d9d9d9", 0.03
COVERAGE_HEIGHT, WIDTH_HEIGHT = 1.6, 0.9
SPREAD = 0.7


class RateCoverage(FigureKind):
    """Coverage of the 90 % intervals of open-set rates."""

    kind = "rate_coverage"
    title = "Coverage of open-set rates"
    caption = (
        "How often the 90 % intervals of open-set rates hold the truth, over the repetitions of "
        "all settings shown, with one binomial standard error. Grey: within 3 points. Below, their "
        "median width. The numbers, by setting as well, are in results/PRESET/rate_coverage/."
    )
    reads = ("rate_coverage",)
    shows = ("labels", "methods")
    identifies = True
    known = METHODS

    @classmethod
    def draw(cls, files: Files, plan: Plan) -> Figure:
        """Draw the rows over all settings."""
        table = pd.read_csv(files["rate_coverage"][0])
        styles = styles_of(plan)
        return rate_coverage_figure(table[table["experiment"] == POOLED], styles)


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
    heights = [COVERAGE_HEIGHT, WIDTH_HEIGHT]
    figure, grid = panel_grid(TEXT_WIDTH, heights, len(QUANTITIES), 3 * LINE)
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
