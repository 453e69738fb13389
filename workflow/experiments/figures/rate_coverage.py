"""Coverage and width of the intervals of open-set rates."""

from collections.abc import Mapping

import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from accuracy_curves.identification.methods import METHODS
from accuracy_curves.prediction.plots.style import Style, paper_style
from experiments.evaluation.identification_errors import LEVEL, QUANTITIES
from experiments.evaluation.interval_coverage import POOLED
from experiments.figures.base import FigureKind, Files, Plan, styles_of
from experiments.figures.coverage import GREY, TOLERANCE, Series, marker, shares_over_widths
from experiments.figures.layout import wrapped
from experiments.figures.panels import legend_above

NAMES = {
    "fpir": "FPIR at its true threshold",
    "fnir": "FNIR at the true threshold of FPIR",
    "fnir_at_fpir": "FNIR at the threshold set for FPIR",
}
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
        styles = styles_of(plan, table)
        return rate_coverage_figure(table[table["experiment"] == POOLED], styles)


@paper_style()
def rate_coverage_figure(table: pd.DataFrame, styles: Mapping[str, Style]) -> Figure:
    """Draw coverage and widths of the 90 % intervals of all settings: a column a quantity.

    Above, the share of the intervals that held the true rate, with one binomial standard error, at
    each target FPIR; the grey box is within 3 points. Below, the median width. `table` is what
    `rate_coverage` counts by method.
    """
    targets = sorted(table["target"].unique(), reverse=True)

    def nominal(axes: Axes) -> None:
        axes.axhspan(LEVEL - TOLERANCE, LEVEL + TOLERANCE, color=GREY, zorder=0)
        axes.axhline(LEVEL, color="black", linewidth=0.6, zorder=1)

    figure, grid = shares_over_widths(
        {wrapped(NAMES[q], 2.0): table[table["quantity"] == q] for q in QUANTITIES},
        [Series(key, {**marker(styles, key), "markersize": 3.2}) for key in styles],
        "target",
        {target: f"{target:g}" for target in targets},
        nominal,
        SPREAD,
    )
    for axes in grid[1]:
        axes.set_xlabel("target FPIR")
    handles: list[Artist] = [Line2D([], [], **marker(styles, key)) for key in styles]
    labels = [*(style.label for style in styles.values()), f"within 3 points of {100 * LEVEL:g} %"]
    legend_above(figure, [*handles, Patch(color=GREY)], labels)
    return figure
