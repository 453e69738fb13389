"""Distribution functions D(u) of the favorability (Zheng et al. 2017, Figure 10)."""

from collections.abc import Mapping

from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize, to_hex
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.layout import (
    Margins,
    axes_at,
    legend_above,
    legend_height,
    panel_grid,
)
from accuracy_curves.prediction.plots.style import TEXT_WIDTH, gradient, paper_style
from accuracy_curves.utils.arrays import Float64Array

HEIGHT = 1.9

Curve = tuple[Float64Array, Float64Array]


@paper_style()
def distributions_figure(
    drawn: Mapping[str, Curve], noise: Mapping[str, float] | None = None
) -> Figure:
    """Draw D(u), and the same near u = 1, which decides the accuracy of many classes.

    `drawn` maps each data set's label to what `gaps_and_levels` returns. With the `noise` of each,
    colours are its size on a bar; without, they are the order, and a legend has the labels.
    """
    if not drawn:
        raise InputError("a figure of distribution functions needs at least one data set")
    scaled = noise is not None and len({noise[label] for label in drawn}) > 1
    top = 0.28 + (0.0 if scaled else legend_height(list(drawn), TEXT_WIDTH))
    margins = Margins(
        left=0.45, right=0.8 if scaled else 0.08, top=top, bottom=0.38, column_gap=0.4
    )
    figure, grid = panel_grid(TEXT_WIDTH, [HEIGHT], 2, margins)
    left, right = grid[0]
    lines = []
    colors = gradient(len(drawn))
    if noise is not None and scaled:
        colors = _add_bar(figure, [noise[label] for label in drawn], margins)
    for (gaps, levels), color in zip(drawn.values(), colors, strict=True):
        lines += left.plot(1 - gaps, levels, color=color, linewidth=1.3)
        seen = gaps > 0
        right.plot(gaps[seen], levels[seen], color=color, linewidth=1.3)
    left.set_xlim(0, 1)
    left.set_xlabel("favorability, $u$")
    left.set_title("distribution function, $D(u)$", pad=4)
    right.set_xscale("log")
    right.set_xlim(1, min(gaps[gaps > 0].min() for gaps, _ in drawn.values()))
    right.xaxis.set_minor_locator(NullLocator())
    right.set_xlabel("$1 - u$")
    right.set_title("near $u$ = 1", pad=4)
    for axes in (left, right):
        axes.set_ylim(0, 1.02)
    if not scaled:
        legend_above(figure, lines, list(drawn))
    return figure


def _add_bar(figure: Figure, noise: list[float], margins: Margins) -> list[str]:
    """Draw the colour bar of the noise at the right; the colour of each size."""
    shades = ListedColormap(gradient(256))
    scale = Normalize(min(noise), max(noise))
    bar = axes_at(figure, TEXT_WIDTH - margins.right + 0.14, margins.bottom, 0.1, HEIGHT)
    figure.colorbar(ScalarMappable(scale, shades), cax=bar)
    bar.set_yticks(sorted(set(noise)))
    bar.set_ylabel(r"noise, $\sigma$")
    return [to_hex(shades(scale(each))) for each in noise]
