"""Measured coverage of the intervals of accuracies and rates, and their widths."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.answers.plots import share_axis
from accuracy_curves.cautions import listed
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.identification_errors import LEVEL, QUANTITIES, rate_coverage
from experiments.evaluation.interval_coverage import EXPECTED, NEW_SET, POOLED, coverage_table
from experiments.evaluation.result_files import read_curves
from experiments.figures.base import FigureOfSettings, Files, Plan
from experiments.figures.panels import (
    LINE,
    Figure,
    Rows,
    key_box,
    key_line,
    label_columns,
    legend_above,
    mark,
    panel_grid,
    wrapped,
)
from experiments.figures.shown import Styles, spread
from experiments.figures.sweep import marker
from experiments.preset import Preset
from experiments.published import Setting

TOLERANCE = 0.03
GREY, NEUTRAL = "#d9d9d9", "#555555"
PANEL_HEIGHT, WIDTH_HEIGHT = 1.6, 0.9
TITLE_WIDTH = 2.0
# Of the room between two levels, the part that the methods' markers take, and the grey boxes.
SPREAD, BOX = 0.76, 0.84
NAMES = {
    "fpir": "FPIR at its true threshold",
    "fnir": "FNIR at the true threshold of FPIR",
    "fnir_at_fpir": "FNIR at the threshold set for FPIR",
}
# Columns of intervals, and how their markers are filled.
Kind = tuple[tuple[str, str, str], dict[str, Any]]
OPEN = {"markerfacecolor": "white"}


class IntervalCoverage(FigureOfSettings):
    """Base of the kinds that show how often intervals hold the truth."""

    def judged(self, preset: Preset) -> list[tuple[Setting, str]]:
        """List the settings and methods whose intervals are judged."""
        return [*product(self.shown_settings(preset), self.shown_methods(preset))]

    def named_rows(self, preset: Preset) -> Rows:
        """Say on how many repetitions intervals are judged."""
        judged = self.judged(preset)
        return {(*each, key): preset.interval_repetitions(each, key) for each, key in judged}


class Coverage(IntervalCoverage):
    """How often the intervals hold the truth, and their widths, at 2, 4 and 10 times k1.

    Measured coverage of the intervals against their nominal coverage, over the repetitions of the
    settings that all methods have. Filled: intervals of the expected accuracy. Open: prediction
    intervals for one new set of classes. Lines are one binomial standard error, grey is within 3
    points. Below, the median width. One column per k2, a multiple of k1. "Farther than known to
    hold": k2 / k1 is larger than any at which the method's intervals were measured to hold. Samples
    of a data set share its classes, so the standard errors are too small where there are few data
    sets. The numbers, by setting as well, are in results/PRESET/coverage/.
    """

    kind = "coverage"
    tabulates = ("intervals",)

    @staticmethod
    def tabulate(files: Files, plan: Plan, known: pd.DataFrame | None) -> pd.DataFrame:
        """Count how often the intervals hold the truth, by setting and over all."""
        found = files["intervals"]
        return coverage_table(read_curves(found) if found else None, known)

    def judged(self, preset: Preset) -> list[tuple[Setting, str]]:
        """List the settings and methods whose intervals can be judged."""
        named = product(self.shown_settings(preset), preset.shown_methods(vars(self)))
        return [pair for pair in named if not why_unjudged(preset, *pair)]

    def shown_methods(self, preset: Preset) -> list[str]:
        """List the methods whose intervals are judged in a setting."""
        judged = {method for _, method in self.judged(preset)}
        return [method for method in preset.shown_methods(vars(self)) if method in judged]

    def check(self, preset: Preset, where: str) -> None:
        """Refuse an entry of which no interval can be judged."""
        super().check(preset, where)
        settings, (first, *_) = self.shown_settings(preset), preset.shown_methods(vars(self))
        # Where experiments are left out, what is left decides whether the figure is drawn.
        if settings and not (self.judged(preset) or preset.left_out):
            why = why_unjudged(preset, settings[0], first)
            raise InputError(f"{where}: no interval can be judged: {why}")

    def draw(self, table: pd.DataFrame, styles: Styles) -> Figure:
        """Draw coverage and widths of all settings together: one column per multiple of k1.

        Filled markers are intervals of the expected accuracy, open ones those of one new set. Only
        the rows of all settings of `coverage_table` are drawn.
        """
        pooled = table[(table["experiment"] == POOLED) & table["k1"].isna()]
        columns = {_title(rows, styles): rows for _, rows in pooled.groupby("multiple")}
        levels = {level: (f"{100 * level:g} %", level) for level in sorted({*pooled["level"]})}
        kinds = {"expected accuracy": (EXPECTED, {}), "one new set": (NEW_SET, OPEN)}
        x = "level", "nominal coverage"
        return shares_over_widths(table, columns, styles, x, levels, kinds)


def why_unjudged(preset: Preset, setting: Setting, method: str) -> str:
    """Say why the intervals of a method in a setting cannot be judged; "" where they can."""
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
    return ""


class RateCoverage(IntervalCoverage):
    """As `coverage`, of the rates of identification.

    How often the 90 % intervals of open-set rates hold the truth, over the repetitions of all
    settings shown, with one binomial standard error. Grey: within 3 points. Below, their median
    width. The numbers, by setting as well, are in results/PRESET/rate_coverage/.
    """

    kind = "rate_coverage"
    tabulates = ("rates",)
    identifies = True

    @staticmethod
    def tabulate(files: Files, plan: Plan, known: pd.DataFrame | None) -> pd.DataFrame:
        """Count how often the intervals hold the true rates, by setting and over all."""
        if not files["rates"]:
            return pd.concat([known])
        rates = read_curves(files["rates"])
        together = rate_coverage(rates, ["method"]).assign(experiment=POOLED)
        return pd.concat([known, rate_coverage(rates), together])

    def draw(self, table: pd.DataFrame, styles: Styles) -> Figure:
        """Draw coverage and widths of the 90 % intervals of all settings: one column per quantity.

        The table is what `evaluation.identification_errors.rate_coverage` counts; the rows of all
        settings are drawn.
        """
        pooled = table[table["experiment"] == POOLED]
        names = {quantity: wrapped(NAMES[quantity], TITLE_WIDTH) for quantity in QUANTITIES}
        columns = {names[q]: pooled[pooled["quantity"] == q] for q in QUANTITIES}
        targets = {t: (f"{t:g}", LEVEL) for t in sorted({*pooled["target"]}, reverse=True)}
        x = "target", "target FPIR"
        return shares_over_widths(table, columns, styles, x, targets, {"": (EXPECTED, {})})


def shares_over_widths(
    table: pd.DataFrame,
    columns: Mapping[str, pd.DataFrame],
    styles: Styles,
    x: tuple[str, str],
    nominal: Mapping[float, tuple[str, float]],
    kinds: Mapping[str, Kind],
) -> Figure:
    """Draw shares that were held, with one binomial standard error, over median widths.

    A column of panels has a title and its rows of the table. `x` is a column of the rows and its
    name; at each value `nominal` has the tick's label and the nominal share. The grey box is within
    3 points of it. About it the methods stand side by side, each with its `kinds` of intervals,
    which the legend names where there are several.
    """
    figure, grid = panel_grid([PANEL_HEIGHT, WIDTH_HEIGHT], len(columns), 3 * LINE)
    size = {"markersize": 4.5 if len(styles) < 3 else 3.2, "markeredgewidth": 0.8}
    series = list(product(styles, kinds.values()))
    places = {value: place for place, value in enumerate(nominal)}
    for (above, below), rows in zip(grid.T, columns.values(), strict=True):
        for place, (_, level) in enumerate(nominal.values()):
            above.bar(place, 2 * TOLERANCE, BOX, level - TOLERANCE, color=GREY, zorder=0)
            ends = place - BOX / 2, place + BOX / 2
            above.hlines(level, *ends, color="black", linewidth=0.6, zorder=1)
        for number, (key, ((n, share, width), filling)) in enumerate(series):
            look = {**marker(styles, key), **size, **filling, "gid": _mark(table, key)}
            own = rows[rows["method"] == key]
            beside = SPREAD * ((number + 0.5) / len(series) - 0.5)
            own = own.assign(place=own[x[0]].map(places) + beside)
            seen, wide = own[own[n] > 0], own[own[width].notna()]
            error = np.sqrt((seen[share] * (1 - seen[share]) / seen[n]).to_numpy(np.float64))
            above.errorbar(seen["place"], seen[share], yerr=error, elinewidth=0.7, **look)
            below.plot(wide["place"], wide[width], **look)
        for axes in (above, below):
            axes.set_xticks(range(len(nominal)), [label for label, _ in nominal.values()])
            axes.set_xlim(-0.5, len(nominal) - 0.5)
    label_columns(grid, columns, x[1])
    share_axis(grid[0], min(axes.get_ylim()[0] for axes in grid[0]) - 0.01, 1.025)
    share_axis(grid[1], 0.0, 1.08 * max(axes.get_ylim()[1] for axes in grid[1]))
    for axes, name in zip(grid[:, 0], ("measured coverage", "median width"), strict=True):
        axes.set_ylabel(name)
    lines = [key_line(**marker(styles, key)) for key in styles]
    for name, (_, filling) in kinds.items() if len(kinds) > 1 else ():
        lines.append(key_line(color=NEUTRAL, marker="o", ls="", label=name, **filling))
    legend_above(figure, [*lines, key_box(color=GREY, label="within 3 points")])
    return figure


def _mark(table: pd.DataFrame, method: str) -> str:
    """Mark what the rows of all settings count: the method's samples in each."""
    own = table[(table["method"] == method) & (table["experiment"] != POOLED)]
    samples = own.groupby(SETTING)["samples"].max().reset_index()
    return mark(*samples.itertuples(index=False, name=None))


def _title(rows: pd.DataFrame, styles: Styles) -> str:
    """Name a multiple, on how many samples and new sets it rests, and what is farther than known.

    That is whose intervals were not measured to hold there.
    """
    at_level = rows[rows["level"] == rows["level"].min()]
    samples, new = (spread(at_level[name]) for name in ("samples", "new_sets"))
    lines = [f"$k_2$ = {rows['multiple'].iloc[0]} $k_1$", f"{samples} samples"]
    lines[1] += "" if samples == new else f", {new} new sets"
    if far := [key for key in styles if rows.loc[rows["method"] == key, "too_far"].any()]:
        names = f": {listed([styles[key].label for key in far])}" if len(far) < len(styles) else ""
        lines.append(wrapped(f"farther than known to hold{names}", TITLE_WIDTH))
    return "\n".join(lines)
