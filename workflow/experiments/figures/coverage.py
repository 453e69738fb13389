"""Measured coverage of the intervals against what they say, and their widths."""

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
    lines_height,
    panel_grid,
    share_axis,
    size_of,
    wrapped,
)
from accuracy_curves.prediction.plots.style import (
    COLUMN_WIDTH,
    SMALL_SIZE,
    TEXT_WIDTH,
    Style,
    paper_style,
)
from experiments.evaluation.curve_errors import SETTING, require_columns
from experiments.evaluation.interval_coverage import POOLED
from experiments.figures.labelled_settings import spread
from experiments.figures.sweep import MARKERS

SHARES = ["samples", "covered", "width", "new_sets", "set_covered", "set_width"]
NEEDED = [*SETTING, "multiple", "level", *SHARES, "too_far"]
TOLERANCE = 0.03
GREY, NEUTRAL = "#d9d9d9", "#555555"
PANEL_HEIGHT, WIDTH_HEIGHT = 1.6, 0.9
MOST_COLUMNS = 4
BEYOND = "beyond the validated range"
# Of the room between two levels, the part that the methods' markers take, and the grey boxes.
SPREAD, BOX = 0.76, 0.84


@paper_style()
def coverage_figure(table: pd.DataFrame, styles: Mapping[str, Style]) -> Figure:
    """Draw coverage and widths of all settings together: a column a multiple of k1.

    Above, the share of the intervals that held what they should, with one binomial standard error,
    at each nominal level; the grey boxes are within 3 points of it. Below, the median width. Filled
    markers are intervals of the expected accuracy, open ones those of one new set. Only the rows of
    all settings of `coverage_table` are drawn.
    """
    require_columns(table, NEEDED, "coverage")
    pooled = table[(table["experiment"] == POOLED) & table["k1"].isna()]
    multiples, levels = sorted(pooled["multiple"].unique()), sorted(pooled["level"].unique())
    if not styles or not 1 <= len(multiples) <= MOST_COLUMNS:
        raise InputError(
            f"a figure of {len(styles)} methods at {len(multiples)} multiples of k1 cannot be "
            f"drawn: it needs a method and 1 to {MOST_COLUMNS} multiples"
        )
    for key in styles:
        if key not in set(pooled["method"]):
            raise InputError(f"there is no coverage of {key}: the figure needs it")
    width = COLUMN_WIDTH if len(multiples) == 1 else TEXT_WIDTH
    handles, labels = _legend(styles)
    margins = Margins(left=0.5, top=legend_height(labels, width) + 0.33, bottom=0.36, row_gap=0.12)
    heights = [PANEL_HEIGHT, WIDTH_HEIGHT]
    figure, grid = panel_grid(width, heights, len(multiples), margins)
    for (above, below), multiple in zip(grid.T, multiples, strict=True):
        rows = pooled[pooled["multiple"] == multiple]
        _draw_shares(above, rows, styles, levels)
        _draw_widths(below, rows, styles, levels)
        above.set_title(f"$k_2$ = {multiple} $k_1$\n{_counts(rows)}", pad=4)
        below.set_xlabel("nominal coverage")
    share_axis(grid[0], min(axes.get_ylim()[0] for axes in grid[0]) - 0.01, 1.025)
    share_axis(grid[1], 0.0, 1.08 * max(axes.get_ylim()[1] for axes in grid[1]))
    for axes, name in zip(grid[:, 0], ("measured coverage", "median width"), strict=True):
        axes.set_ylabel(name)
    _mark_beyond(grid[0], [pooled[pooled["multiple"] == each] for each in multiples], styles)
    legend_above(figure, handles, labels)
    return figure


def _places(styles: Mapping[str, Style], key: str, *, of_set: bool) -> float:
    """Place of a marker beside its level: a method's expected accuracy, then its new set."""
    every = 2 * len(styles)
    place = 2 * list(styles).index(key) + of_set
    return SPREAD * ((place + 0.5) / every - 0.5)


def _look(styles: Mapping[str, Style], key: str, *, of_set: bool) -> dict[str, Any]:
    place = list(styles).index(key)
    return {
        "color": styles[key].color,
        "marker": MARKERS[place % len(MARKERS)],
        "markersize": 4.5 if len(styles) < 3 else 3.2,
        "markerfacecolor": "white" if of_set else styles[key].color,
        "markeredgewidth": 0.8,
        "linestyle": "",
    }


def _draw_shares(
    axes: Axes, rows: pd.DataFrame, styles: Mapping[str, Style], levels: Sequence[float]
) -> None:
    """Draw the shares that were held, over a grey box about each level."""
    for place, level in enumerate(levels):
        axes.bar(place, 2 * TOLERANCE, BOX, level - TOLERANCE, color=GREY, zorder=0)
        axes.hlines(level, place - BOX / 2, place + BOX / 2, color="black", linewidth=0.6, zorder=1)
    for key in styles:
        for of_set, share, n in ((False, "covered", "samples"), (True, "set_covered", "new_sets")):
            here = rows[(rows["method"] == key) & (rows[n] > 0)]
            x = here["level"].map(levels.index) + _places(styles, key, of_set=of_set)
            error = np.sqrt((here[share] * (1 - here[share]) / here[n]).to_numpy(np.float64))
            axes.errorbar(
                x, here[share], yerr=error, elinewidth=0.7, **_look(styles, key, of_set=of_set)
            )
    _ticks(axes, levels)
    axes.tick_params(labelbottom=False)


def _draw_widths(
    axes: Axes, rows: pd.DataFrame, styles: Mapping[str, Style], levels: Sequence[float]
) -> None:
    for key in styles:
        for of_set, wide in ((False, "width"), (True, "set_width")):
            here = rows[(rows["method"] == key) & rows[wide].notna()]
            x = here["level"].map(levels.index) + _places(styles, key, of_set=of_set)
            axes.plot(x, here[wide], **_look(styles, key, of_set=of_set))
    _ticks(axes, levels)


def _ticks(axes: Axes, levels: Sequence[float]) -> None:
    axes.set_xticks(range(len(levels)), [f"{100 * level:g} %" for level in levels])
    axes.set_xlim(-0.5, len(levels) - 0.5)


def _counts(rows: pd.DataFrame) -> str:
    """Say on how many samples and new sets the shares rest."""
    at_level = rows[rows["level"] == rows["level"].min()]
    samples, new = (spread(at_level[name]) for name in ("samples", "new_sets"))
    return f"{samples} samples" if samples == new else f"{samples} samples, {new} new sets"


def _mark_beyond(
    row: Sequence[Axes], tables: Sequence[pd.DataFrame], styles: Mapping[str, Style]
) -> None:
    """Write which methods' intervals are beyond their validated range, below the markers."""
    across, up = size_of(row[0])
    notes = []
    for rows in tables:
        far = [key for key in styles if rows.loc[rows["method"] == key, "too_far"].any()]
        names = ", ".join(styles[key].label for key in far)
        text = BEYOND if len(far) == len(styles) else f"{BEYOND}: {names}"
        notes.append(wrapped(text, across - 0.1, SMALL_SIZE) if far else "")
    room = max((lines_height(note, SMALL_SIZE) + 0.08 for note in notes if note), default=0.0) / up
    low, high = row[0].get_ylim()
    for axes, note in zip(row, notes, strict=True):
        axes.set_ylim(high - (high - low) / (1 - room), high)
        axes.text(
            *(0.5, 0.03, note),
            transform=axes.transAxes,
            ha="center",
            va="bottom",
            fontsize=SMALL_SIZE,
            style="italic",
        )


def _legend(styles: Mapping[str, Style]) -> tuple[list[Artist], list[str]]:
    handles: list[Artist] = [Line2D([], [], **_look(styles, key, of_set=False)) for key in styles]
    labels = [style.label for style in styles.values()]
    grey: dict[str, Any] = {"color": NEUTRAL, "marker": "o", "linestyle": "", "markersize": 4.5}
    handles += [
        Line2D([], [], **grey),
        Line2D([], [], **grey, markerfacecolor="white"),
        Patch(color=GREY),
    ]
    return handles, [*labels, "expected accuracy", "one new set", "within 3 points"]
