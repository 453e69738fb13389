"""Measured coverage of the intervals of accuracies and rates, and their widths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.answers.accuracy_plots import share_axis
from accuracy_curves.answers.style import SMALL_SIZE, Style
from accuracy_curves.cautions import listed
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.identification_errors import LEVEL, QUANTITIES, rate_coverage
from experiments.evaluation.interval_coverage import POOLED, coverage_table
from experiments.evaluation.result_files import read_curves
from experiments.figures.base import FigureOfSettings, Files, Plan, styles_in
from experiments.figures.panels import (
    LINE,
    label_columns,
    legend_above,
    panel_grid,
    panel_width,
    wrapped,
    write_beside,
)
from experiments.figures.plotted import Rows, mark
from experiments.figures.shown import spread
from experiments.figures.sweep import marker
from experiments.preset import Preset
from experiments.published import Setting

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOLERANCE = 0.03
GREY, NEUTRAL = "#d9d9d9", "#555555"
PANEL_HEIGHT, WIDTH_HEIGHT = 1.6, 0.9
BEYOND = "farther than known to hold"
# Of the room between two levels, the part that the methods' markers take, and the grey boxes.
SPREAD, BOX = 0.76, 0.84
SPREAD_OF_RATES = 0.7
NAMES = {
    "fpir": "FPIR at its true threshold",
    "fnir": "FNIR at the true threshold of FPIR",
    "fnir_at_fpir": "FNIR at the threshold set for FPIR",
}


class Coverage(FigureOfSettings):
    """How often the intervals hold the truth, and their widths, at 2, 4 and 10 times k1."""

    kind = "coverage"
    title = "Coverage of the intervals"
    caption = (
        "Measured coverage of the intervals against their nominal coverage, over the repetitions "
        "of the settings that all methods have. Filled: intervals of the expected accuracy. Open: "
        "prediction intervals for one new set of classes. Lines are one binomial standard error, "
        "grey is within 3 points. Below, the median width. One column per k2, a multiple of k1. "
        '"Farther than known to hold": k2 / k1 is larger than any at which the method\'s intervals '
        "were measured to hold. Samples of a data set share its classes, so the standard errors "
        "are too small where there are few data sets. The numbers, by setting as well, are in "
        "results/PRESET/coverage/."
    )
    reads = ("table",)
    tabulates = ("intervals",)
    shows = ("labels", "methods")

    @staticmethod
    def tabulate(files: Files, plan: Plan, known: pd.DataFrame | None) -> pd.DataFrame:
        """Count how often the intervals hold the truth, by setting and over all."""
        found = files["intervals"]
        return coverage_table(read_curves(found) if found else None, known)

    def judged(self, preset: Preset) -> dict[tuple[Setting, str], str | None]:
        """Why the intervals of each setting and method cannot be judged; None where they can."""
        shown = product(preset.shown_settings(vars(self)), preset.shown_methods(vars(self)))
        return {pair: why_unjudged(preset, *pair) for pair in shown}

    def shown_methods(self, preset: Preset) -> list[str]:
        """List the methods whose intervals are judged in a setting."""
        judged = {method for (_, method), why in self.judged(preset).items() if why is None}
        return [method for method in preset.shown_methods(vars(self)) if method in judged]

    def named_rows(self, preset: Preset) -> Rows:
        """Say on how many repetitions intervals are judged."""
        judged = self.judged(preset).items()
        pairs = [pair for pair, why in judged if why is None]
        return {(*each, key): preset.interval_repetitions(each, key) for each, key in pairs}

    def check(self, preset: Preset, where: str) -> None:
        """Refuse an entry without an interval that can be judged."""
        super().check(preset, where)
        reasons = list(self.judged(preset).values())
        # Where experiments are left out, what is left decides whether the figure is drawn.
        if reasons and None not in reasons and not preset.left_out:
            raise InputError(f"{where}: no interval can be judged: {reasons[0]}")

    def draw(self, table: pd.DataFrame, styles: Mapping[str, Style]) -> Figure:
        """Draw coverage and widths of all settings together: one column per multiple of k1.

        Above, the share of the intervals that held what they should, at each nominal level; the
        grey boxes are within 3 points of it. Filled markers are intervals of the expected accuracy,
        open ones those of one new set. Only the rows of all settings of `coverage_table` are drawn.
        """
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        pooled = table[(table["experiment"] == POOLED) & table["k1"].isna()]
        styles = styles_in(table, styles)
        levels = sorted(pooled["level"].unique())
        tables = [rows for _, rows in pooled.groupby("multiple")]

        def nominal(axes: Axes) -> None:
            for place, level in enumerate(levels):
                axes.bar(place, 2 * TOLERANCE, BOX, level - TOLERANCE, color=GREY, zorder=0)
                ends = place - BOX / 2, place + BOX / 2
                axes.hlines(level, *ends, color="black", linewidth=0.6, zorder=1)

        size = {"markersize": 4.5 if len(styles) < 3 else 3.2, "markeredgewidth": 0.8}
        of_set = "set_covered", "new_sets", "set_width"
        series = []
        for key in styles:
            look = {**marker(styles, key), **size, "gid": _mark(table, key)}
            open_look = {**look, "markerfacecolor": "white"}
            series += [Series(key, look), Series(key, open_look, of_set)]
        figure, grid = shares_over_widths(
            {f"$k_2$ = {rows['multiple'].iloc[0]} $k_1$\n{_counts(rows)}": rows for rows in tables},
            series,
            ("level", "nominal coverage"),
            {level: f"{100 * level:g} %" for level in levels},
            nominal,
            SPREAD,
        )
        _mark_beyond(grid[0], tables, styles)
        grey: dict[str, Any] = {"color": NEUTRAL, "marker": "o", "linestyle": "", "markersize": 4.5}
        handles: list[Artist] = [Line2D([], [], **each.look) for each in series[::2]]
        handles += [
            Line2D([], [], **grey, label="expected accuracy"),
            Line2D([], [], **grey, label="one new set", markerfacecolor="white"),
            Patch(color=GREY, label="within 3 points"),
        ]
        legend_above(figure, handles)
        return figure


def why_unjudged(preset: Preset, setting: Setting, method: str) -> str | None:
    """Say why the intervals of a method in a setting cannot be judged; None where they can."""
    name, options = preset.method(method)
    classes = preset.count_classes(setting.experiment)
    needed = make_extrapolator(name, **options).classes_for_halves
    if setting.experiment in preset.trained:
        return f"{setting.experiment} trains its classifier anew on each choice of classes"
    if 2 * setting.k1 > classes:
        return f"2 k1 = {2 * setting.k1} is above the {classes} classes of {setting.experiment}"
    if setting.k1 < needed:
        return f"an interval of {name} needs at least {needed} classes, not k1 = {setting.k1}"
    if EXTRAPOLATORS[name].slow and not preset.own_value(setting, method, "intervals", 0):
        return (
            f"fits of {name} take minutes, and an interval takes a dozen of them: say in "
            f"exceptions of how many repetitions, {{methods: [{method}], intervals: 10}}"
        )
    return None


class RateCoverage(FigureOfSettings):
    """As `coverage`, of the rates of identification."""

    kind = "rate_coverage"
    title = "Coverage of open-set rates"
    caption = (
        "How often the 90 % intervals of open-set rates hold the truth, over the repetitions of "
        "all settings shown, with one binomial standard error. Grey: within 3 points. Below, their "
        "median width. The numbers, by setting as well, are in results/PRESET/rate_coverage/."
    )
    reads = ("table",)
    tabulates = ("rate_intervals",)
    shows = ("labels", "methods")
    identifies = True

    def named_rows(self, preset: Preset) -> Rows:
        """Say on how many repetitions intervals are judged."""
        rows = super().named_rows(preset)
        return {row: preset.interval_repetitions(Setting(*row[:2]), row[2]) for row in rows}

    @staticmethod
    def tabulate(files: Files, plan: Plan, known: pd.DataFrame | None) -> pd.DataFrame:
        """Count how often the intervals hold the true rates, by setting and over all."""
        if not files["rate_intervals"]:
            return pd.concat([known])
        intervals = read_curves(files["rate_intervals"])
        together = rate_coverage(intervals, ["method"]).assign(experiment=POOLED)
        return pd.concat([known, rate_coverage(intervals), together])

    def draw(self, table: pd.DataFrame, styles: Mapping[str, Style]) -> Figure:
        """Draw coverage and widths of the 90 % intervals of all settings: one column per quantity.

        Above, the share of the intervals that held the true rate, with one binomial standard error,
        at each target FPIR; the grey box is within 3 points. Below, the median width. The table is
        what `evaluation.identification_errors.rate_coverage` counts; the rows of all settings are
        drawn.
        """
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        pooled = table[table["experiment"] == POOLED]
        styles = styles_in(table, styles)
        targets = sorted(pooled["target"].unique(), reverse=True)

        def nominal(axes: Axes) -> None:
            axes.axhspan(LEVEL - TOLERANCE, LEVEL + TOLERANCE, color=GREY, zorder=0)
            axes.axhline(LEVEL, color="black", linewidth=0.6, zorder=1)

        figure, _ = shares_over_widths(
            {wrapped(NAMES[q], 2.0): pooled[pooled["quantity"] == q] for q in QUANTITIES},
            [
                Series(key, {**marker(styles, key), "markersize": 3.2, "gid": _mark(table, key)})
                for key in styles
            ],
            ("target", "target FPIR"),
            {target: f"{target:g}" for target in targets},
            nominal,
            SPREAD_OF_RATES,
        )
        lines = [Line2D([], [], **marker(styles, key)) for key in styles]
        box = Patch(color=GREY, label=f"within 3 points of {100 * LEVEL:g} %")
        legend_above(figure, [*lines, box])
        return figure


class Series(NamedTuple):
    """Rows of a method, the columns of its share, number and width, and how it is drawn."""

    method: str
    look: dict[str, Any]
    columns: tuple[str, str, str] = ("covered", "samples", "width")


def shares_over_widths(
    columns: Mapping[str, pd.DataFrame],
    series: Sequence[Series],
    x: tuple[str, str],
    ticks: Mapping[float, str],
    mark: Callable[[Axes], None],
    spread: float,
) -> tuple[Figure, npt.NDArray[Any]]:
    """Draw shares that were held, with one binomial standard error, over median widths.

    A column of panels has a title and its rows. `x` is the rows' column of the places in `ticks`,
    and its name; about a place the series stand side by side in a `spread` of it. `mark` draws what
    is nominal.
    """
    figure, grid = panel_grid([PANEL_HEIGHT, WIDTH_HEIGHT], len(columns), 3 * LINE)
    places = {level: place for place, level in enumerate(ticks)}
    for (above, below), rows in zip(grid.T, columns.values(), strict=True):
        mark(above)
        for number, each in enumerate(series):
            share, n, width = each.columns
            own = rows[rows["method"] == each.method]
            beside = spread * ((number + 0.5) / len(series) - 0.5)
            own = own.assign(place=own[x[0]].map(places) + beside)
            seen, wide = own[own[n] > 0], own[own[width].notna()]
            error = np.sqrt((seen[share] * (1 - seen[share]) / seen[n]).to_numpy(np.float64))
            above.errorbar(seen["place"], seen[share], yerr=error, elinewidth=0.7, **each.look)
            below.plot(wide["place"], wide[width], **each.look)
        for axes in (above, below):
            axes.set_xticks(range(len(ticks)), list(ticks.values()))
            axes.set_xlim(-0.5, len(ticks) - 0.5)
    label_columns(grid, columns, x[1])
    share_axis(grid[0], min(axes.get_ylim()[0] for axes in grid[0]) - 0.01, 1.025)
    share_axis(grid[1], 0.0, 1.08 * max(axes.get_ylim()[1] for axes in grid[1]))
    for axes, name in zip(grid[:, 0], ("measured coverage", "median width"), strict=True):
        axes.set_ylabel(name)
    return figure, grid


def _mark(table: pd.DataFrame, method: str) -> str:
    """Mark what the rows of all settings count: the method's samples in each."""
    own = table[(table["method"] == method) & (table["experiment"] != POOLED)]
    samples = own.groupby(SETTING)["samples"].max().reset_index()
    return mark(*samples.itertuples(index=False, name=None))


def _counts(rows: pd.DataFrame) -> str:
    """Say on how many samples and new sets the shares rest."""
    at_level = rows[rows["level"] == rows["level"].min()]
    samples, new = (spread(at_level[name]) for name in ("samples", "new_sets"))
    return f"{samples} samples" if samples == new else f"{samples} samples, {new} new sets"


def _mark_beyond(
    row: Sequence[Axes], tables: Sequence[pd.DataFrame], styles: Mapping[str, Style]
) -> None:
    """Write which methods' intervals are farther than known to hold, below the markers."""
    notes = []
    for rows in tables:
        far = [key for key in styles if rows.loc[rows["method"] == key, "too_far"].any()]
        some = far and len(far) < len(styles)
        names = f": {listed([styles[key].label for key in far])}" if some else ""
        notes.append(wrapped(BEYOND + names, panel_width(row[0]), SMALL_SIZE) if far else "")
    lines = max(note.count("\n") + 1 if note else 0 for note in notes)
    room = (LINE * lines + 0.06) / PANEL_HEIGHT if lines else 0.0
    low, high = row[0].get_ylim()
    for axes, note in zip(row, notes, strict=True):
        axes.set_ylim(high - (high - low) / (1 - room), high)
        look = {"ha": "center", "va": "bottom", "fontsize": SMALL_SIZE, "style": "italic"}
        write_beside(axes, note, (0.5, 0.03), (0, 0), **look)
