"""Errors at k2 against the true accuracy, k1 or the noise (Zheng et al. 2017, Figure 10)."""

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np
import pandas as pd

from accuracy_curves.answers.plots import share_axis
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Choice, Some, Whole
from experiments.evaluation.curve_errors import SETTING, errors_at_k
from experiments.evaluation.result_files import read_kinds
from experiments.figures.base import FigureOfSettings, Files, Plan
from experiments.figures.panels import (
    Axes,
    Figure,
    key_line,
    label_columns,
    legend_above,
    mark,
    panel_grid,
)
from experiments.figures.shown import Styles
from experiments.preset import Preset

OVER = {"accuracy": "true accuracy at $k_2$", "k1": "$k_1$", "sigma": r"noise, $\sigma$"}
ERRORS = {"bias": "bias", "sd": "standard deviation", "rmse": "RMSE"}
MARKERS = "osD^vP*X<>"
PANEL_HEIGHT = 1.45
LOG_ABOVE = 10
# Of ticks.
STEPS = (1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)


class Sweep(FigureOfSettings):
    """Errors at k2, one line per method (Zheng et al. 2017, Figure 10).

    Errors of the accuracy at k2 classes, predicted minus true. Bias, standard deviation and root
    mean square are over the repetitions, with one standard error. The x axis is the true accuracy
    at k2, k1 or the noise of the simulation. One column per k2, one line per method (Zheng et al.
    2017, Figure 10). The numbers are in results/PRESET/sweep/.

    Parameters
    ----------
    over : {"accuracy", "k1", "sigma"}
        The x axis: true accuracy at k2, k1, or the noise of the simulation.
    show : list of {"bias", "sd", "rmse"}
        The rows of panels.
    k2 : list of int
        Up to four numbers of classes at which errors are measured; the smallest k2 by default.
    """

    kind = "sweep"
    tabulates = ("curves",)

    over: Annotated[str, Choice(*OVER)]
    show: Annotated[Sequence[str], Some(Choice(*ERRORS), least=1)] = ("bias", "rmse")
    k2: Annotated[Sequence[int], Some(Whole(2), most=4)] = ()

    def classes(self, preset: Preset) -> list[int]:
        """List the numbers of classes at which errors are measured."""
        known = [preset.experiments[name]["k2"] for name, _ in self.shown_settings(preset)]
        return list(self.k2) or [min(known)] if known else []

    def plan_table(self, preset: Preset) -> Plan:
        """Say at which numbers of classes errors are measured."""
        return {"k2": self.classes(preset)}

    @staticmethod
    def tabulate(files: Files, plan: Plan, known: pd.DataFrame | None) -> pd.DataFrame:
        """Tabulate errors at a few numbers of classes."""
        tables = [] if known is None else [known]
        if files["curves"]:
            true, _, predicted = read_kinds(files["curves"], plan["k2"])
            tables.append(errors_at_k(predicted, true, plan["k2"]))
        table = pd.concat(tables, ignore_index=True)
        return table.sort_values([*SETTING, "k"], ignore_index=True)

    def plan_more(self, preset: Preset) -> Plan:
        """Say the noise of simulations."""
        return {"sigma": self.noises(preset)}

    def noises(self, preset: Preset) -> dict[str, float]:
        """Collect the noise of the simulations shown, in the order of the preset."""
        shown = {name for name, _ in self.shown_settings(preset)}
        return {
            name: math.sqrt(variance)
            for name in preset.experiments
            if name in shown and (variance := getattr(preset.datasets[name], "variance", None))
        }

    def check(self, preset: Preset, where: str) -> None:
        """Refuse a sweep whose lines would join what is not one series."""
        super().check(preset, where)
        over, shown = self.over, self.shown_settings(preset)
        k2, simulated = self.classes(preset), self.noises(preset)
        key = "experiments" if over == "k1" else "k1"
        fixed = {name if over == "k1" else k1 for name, k1 in shown}
        if len(fixed) > 1:
            raise InputError(f"{where}: over {over} needs one of {key}, it has {len(fixed)}")
        for name, _ in shown:
            if over == "sigma" and name not in simulated:
                raise InputError(f"{where}: over sigma needs simulations, {name} is none")
            if max(k2) > preset.experiments[name]["k2"]:
                raise InputError(f"{where}: k2 = {max(k2)} is above that of {name}")

    def draw(self, table: pd.DataFrame, styles: Styles, sigma: Mapping[str, float]) -> Figure:
        """Draw errors at k2: one row per measure, one column per k2, one line per method.

        The table is what `errors_at_k` returns for the settings to be drawn. Bars show one standard
        error over the repetitions, where the measure has one. `sigma` is the noise of experiments.
        """
        classes = sorted(table["k"].unique())
        placed = table.assign(
            x={
                "sigma": table["experiment"].map(sigma),
                "accuracy": table["true_accuracy"],
                "k1": table["k1"].astype(float),
            }[self.over]
        )
        figure, grid = panel_grid([PANEL_HEIGHT] * len(self.show), len(classes), 0.36)
        for row, measure in zip(grid, self.show, strict=True):
            for axes, k in zip(row, classes, strict=True):
                _draw(axes, placed[placed["k"] == k], styles, measure)
                _scale(axes, placed["x"].to_numpy(np.float64), self.over)
            low = 0.0 if measure != "bias" else min(axes.get_ylim()[0] for axes in row)
            share_axis(row, low, max(axes.get_ylim()[1] for axes in row))
            row[0].set_ylabel(ERRORS[measure])
            if measure == "bias":
                for axes in row:
                    axes.axhline(0, color="black", linewidth=0.6, linestyle=":", zorder=0)
        label_columns(grid, [f"$k_2$ = {k}" for k in classes], OVER[self.over])
        legend_above(figure, [key_line(**_look(styles, key)) for key in styles])
        return figure


def _draw(axes: Axes, rows: pd.DataFrame, styles: Styles, measure: str) -> None:
    for key in styles:
        line = rows[rows["method"] == key].sort_values("x")
        bars = line[f"{measure}_se"].fillna(0.0) if f"{measure}_se" in line else None
        marked = line[[*SETTING, "repetitions"]].itertuples(index=False, name=None)
        look = {**_look(styles, key), "gid": mark(*marked)}
        axes.errorbar(line["x"], line[measure], yerr=bars, elinewidth=0.7, **look)


def _look(styles: Styles, key: str) -> dict[str, Any]:
    """Line and marker of a method."""
    place = list(styles).index(key)
    return {
        **marker(styles, key),
        # Where lines coincide, the earlier ones show around the later.
        "markersize": 5.5 - 3.0 * place / len(styles),
        "linewidth": 1.0,
        "linestyle": "-",
    }


def marker(styles: Styles, key: str) -> dict[str, Any]:
    """Colour, marker and label of a method, without a line."""
    kind = MARKERS[list(styles).index(key) % len(MARKERS)]
    return {"color": styles[key].color, "marker": kind, "linestyle": "", "label": styles[key].label}


def _scale(axes: Axes, x: Float64Array, over: str) -> None:
    """Give all panels one x axis, logarithmic for k1 over a wide range."""
    if over == "k1" and x.max() > LOG_ABOVE * x.min():
        axes.set(xscale="log", xlim=(x.min() / 1.2, x.max() * 1.2))
        axes.locator_params("x", subs=(1.0, 3.0))
        axes.xaxis.set_major_formatter("{x:.0f}")
        axes.xaxis.minorticks_off()
    else:
        room = 0.05 * (np.ptp(x) or 1.0)
        axes.set_xlim(x.min() - room, x.max() + room)
        axes.locator_params("x", nbins=4, steps=STEPS)
