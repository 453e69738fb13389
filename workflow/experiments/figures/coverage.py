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
from accuracy_curves.prediction.plots.style import (
    COLUMN_WIDTH,
    SMALL_SIZE,
    TEXT_WIDTH,
    Style,
    paper_style,
)
from experiments.evaluation.curve_errors import SETTING, require_columns
from experiments.evaluation.interval_coverage import POOLED
from experiments.figures.base import FigureKind, Files, Plan, styles_of
from experiments.figures.labelled_settings import spread
from experiments.figures.panels import (
    LINE,
    legend_above,
    panel_grid,
    panel_width,
    share_axis,
    wrapped,
)
from experiments.figures.sweep import MARKERS
from experiments.preset import Preset

SHARES = ["samples", "covered", "width", "new_sets", "set_covered", "set_width"]
NEEDED = [*SETTING, "multiple", "level", *SHARES, "too_far"]
TOLERANCE = 0.03
GREY, NEUTRAL = "#d9d9d9", "#555555"
PANEL_HEIGHT, WIDTH_HEIGHT = 1.6, 0.9
MOST_COLUMNS = 4
BEYOND = "beyond the validated range"
# Of the room between two levels, the part that the methods' markers take, and the grey boxes.
SPREAD, BOX = 0.76, 0.84


class Coverage(FigureKind):
    """Coverage and width of the intervals, a column a multiple of k1."""

    kind = "coverage"
    title = "Coverage of the intervals"
    caption = (
        "Measured coverage of the intervals against their nominal coverage, over the repetitions "
        "of the settings that all methods have. Filled: intervals of the expected accuracy. Open: "
        "prediction intervals for one new set of classes. Lines are one binomial standard error, "
        "grey is within 3 points. Below, the median width. A column a k2, a multiple of k1. "
        '"Beyond the validated range": k2 / k1 is larger than any at which the method\'s intervals '
        "were validated. Samples of a data set share its classes, so the standard errors are too "
        "small where there are few data sets. The numbers, by setting as well, are in "
        "results/PRESET/coverage/."
    )
    reads = ("coverage",)
    shows = ("labels", "methods")

    @classmethod
    def methods(cls, preset: Preset, entry: Mapping[str, Any]) -> list[str]:
        """List the methods whose intervals are judged in a setting."""
        judged = {method for (_, method), why in preset.judged(entry).items() if why is None}
        return [method for method in preset.shown_methods(entry) if method in judged]

    @classmethod
    def check(cls, preset: Preset, where: str, entry: Mapping[str, Any]) -> None:
        """Refuse an experiment, k1 or method without an interval, and no interval at all."""
        super().check(preset, where, entry)
        if preset.left_out:  # What is left decides whether the figure is drawn.
            return
        reasons = {
            (*setting, method): why for (setting, method), why in preset.judged(entry).items()
        }
        named: list[tuple[str, int, Any]] = [
            *((f"{name}", 0, name) for name in entry.get("experiments", [])),
            *((f"k1 = {k1}", 1, k1) for k1 in entry.get("k1", [])),
            *((f"{name}", 2, name) for name in entry.get("methods", [])),
        ]
        for spelt, place, name in named:
            _refuse_without([r for at, r in reasons.items() if at[place] == name], where, spelt)
        _refuse_without(list(reasons.values()), where, "its settings")

    @classmethod
    def draw(cls, files: Files, plan: Plan) -> Figure:
        """Draw the table's rows over all settings."""
        table = pd.read_csv(files["coverage"][0])
        return coverage_figure(table, styles_of(plan, table))


def _refuse_without(reasons: Sequence[str | None], where: str, whose: str) -> None:
    """Refuse where there is a reason against each; say the first."""
    if reasons and None not in reasons:
        raise InputError(f"{where}: the intervals of {whose} cannot be judged: {reasons[0]}")


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
    figure, grid = panel_grid(width, [PANEL_HEIGHT, WIDTH_HEIGHT], len(multiples), 3 * LINE)
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
    notes = []
    for rows in tables:
        far = [key for key in styles if rows.loc[rows["method"] == key, "too_far"].any()]
        names = ", ".join(styles[key].label for key in far)
        text = BEYOND if len(far) == len(styles) else f"{BEYOND}: {names}"
        notes.append(wrapped(text, panel_width(row[0]), SMALL_SIZE) if far else "")
    lines = max(note.count("\n") + 1 if note else 0 for note in notes)
    room = (LINE * lines + 0.06) / PANEL_HEIGHT if lines else 0.0
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
