"""Methods compared on any list of data sets (ICLR 2021, Figure 3, A to E)."""

from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

import pandas as pd

from accuracy_curves.answers.plots import (
    COLUMN_WIDTH,
    FONT_SIZE,
    SMALL_SIZE,
    TEXT_WIDTH,
    Style,
    share_accuracy_axis,
)
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.validation import Count
from experiments.evaluation.summary import ratios_to
from experiments.figures.base import FigureOfSettings
from experiments.figures.boxplots import (
    DRAW_STYLES,
    GROUP_SHARE,
    box_legend,
    draw_box,
    draw_parts,
    draw_ratios,
)
from experiments.figures.curves import curve_legend, draw_curves, write_mean_rmse
from experiments.figures.panels import (
    LINE,
    Axes,
    Figure,
    legend_above,
    mark,
    panel_grid,
    wrapped,
    write_beside,
)
from experiments.figures.shown import (
    LabelledSetting,
    Settings,
    Styles,
    curves_of,
    how_many,
    shaded,
    values,
)
from experiments.preset import Preset

CURVE_HEIGHT = 0.95
BOX_HEIGHT = 1.0
ABSENT = "its data are\nnot at hand"
# Least width of a panel with its share of the margins; more data sets make a wider figure.
LEAST_WIDTH = 1.3


class Comparison(FigureOfSettings):
    """Curves, errors and ratios of errors, one column per data set (ICLR 2021, Figure 3).

    The first rows have the accuracy curves of each method, with the average RMSE. The next has the
    distribution of the RMSE over repetitions. Its grey boxes are errors of sampling the classes
    alone. One is of sampling the points' classes, for k up to k2, the other of sampling their
    rivals, for k up to k1. The last has the ratio of each method's RMSE to the reference's in the
    same repetition. Above 1 the reference is better. The axis ends at 4, and a median above 4 is
    written (ICLR 2021, Figure 3).

    Parameters
    ----------
    repetitions : int, optional
        Curves of the first so many repetitions are drawn; errors are of all.
    """

    kind = "comparison"

    repetitions: Count | None = None

    def check(self, preset: Preset, where: str) -> None:
        """Refuse methods without the reference."""
        super().check(preset, where)
        if (reference := preset.config["reference"]) not in (self.methods or [reference]):
            raise InputError(f"{where}: methods lacks the reference {reference!r}")

    def draw(
        self,
        curves: pd.DataFrame,
        errors: pd.DataFrame,
        styles: Styles,
        settings: Settings,
        class_draw: pd.DataFrame,
        reference: str,
        absent: Sequence[Sequence[Any]] = (),
    ) -> Figure:
        """Draw curves, RMSE and RMSE ratios of the methods: one column per data set (Figure 3).

        A row for each method's curves (A, B, C...) with the average RMSE, then the distribution of
        the RMSE (D), then of its ratio to the reference's in the same repetition (E), which is left
        out where the reference is the only method, and whose axis ends at 4. The curves are as of
        `ByK1`; `class_draw`, as of `Boxplots`, is two grey boxes
        at the left of row D. More than 4 data sets make a figure wider than the text. Data
        sets that are `absent` (experiment, k1, label, k2) have a place that says so, at the end.
        """
        rows = [CURVE_HEIGHT] * len(styles) + [BOX_HEIGHT] * (2 if len(styles) > 1 else 1)
        columns = len(settings) + len(absent)
        width = max(TEXT_WIDTH, LEAST_WIDTH * columns + 0.3) if columns > 1 else COLUMN_WIDTH
        titles = [
            wrapped(label, width / columns - 0.25)
            for label in [setting.label for setting in settings] + [each[2] for each in absent]
        ]
        figure, grid = panel_grid(rows, columns, 3.5 * LINE, width)
        sizes = [(s.k1, curves_of(curves, s, "true")[0][-1]) for s in settings]
        sizes += [(k1, k2) for _, k1, _, k2 in absent]
        for axes, title, (k1, k2) in zip(grid[0], titles, sizes, strict=True):
            axes.set_title(f"{title}\n$k_1$={k1}, $k_2$={k2}", pad=12)
        for axes in grid[:, len(settings) :].flat:
            axes.axis("off")
        for axes in grid[0, len(settings) :]:
            write_beside(axes, ABSENT, (0.5, 0.5), (0, 0), ha="center", va="center")
        for column, setting in zip(grid.T, settings, strict=False):
            panels = column[: len(styles)]
            for axes, (key, style) in zip(panels, styles.items(), strict=True):
                draw_curves(axes, curves, setting, key, style.color)
            share_accuracy_axis(panels)
            for axes in panels:
                axes.tick_params(labelleft=True, labelbottom=axes is panels[-1])
            write_mean_rmse(panels, errors, setting, styles)
            panels[-1].set_xlabel("$k$", labelpad=0)
            known = pd.concat([errors, draw_parts(class_draw)])
            _draw_box_rows(column[len(styles) :], known, styles, setting, reference)
        _label_rows(grid, styles, styles[reference])
        boxed = {**styles, **DRAW_STYLES}.values()
        legend_above(figure, [*curve_legend(self.repetitions), *box_legend(boxed)])
        return figure


def _draw_box_rows(
    column: Sequence[Axes],
    errors: pd.DataFrame,
    styles: Styles,
    setting: LabelledSetting,
    reference: str,
) -> None:
    """Draw a data set's distributions of the RMSE and, with other methods, of its ratio."""
    shown = {**DRAW_STYLES, **styles}
    for place, (key, style) in enumerate(shown.items(), -len(DRAW_STYLES)):
        found = values(errors, "rmse_curve", setting, key)
        gid = mark((setting.experiment, setting.k1, key, len(found)))
        draw_box(column[0], found, GROUP_SHARE * place, style.color, 1, gid)
    column[0].set_ylim(bottom=0)
    column[0].locator_params("y", nbins=4, steps=[1, 2, 5, 10])
    count = how_many(len(values(errors, "rmse_curve", setting, key)) for key in styles)
    column[0].set_title(count, loc="right", pad=2, fontsize=SMALL_SIZE)
    if len(styles) > 1:
        here = (errors["experiment"] == setting.experiment) & (errors["k1"] == setting.k1)
        ratios = ratios_to(errors[here & errors["method"].isin(list(styles))], reference)
        slots = [
            (GROUP_SHARE * place, style.color, values(ratios, "ratio", setting, key))
            for place, (key, style) in enumerate(styles.items())
            if key != reference
        ]
        draw_ratios(column[1], slots, styles[reference].color)
    for axes in column:
        axes.set_xlim(-2.6 * GROUP_SHARE, (len(styles) - 0.4) * GROUP_SHARE)
        axes.set_xticks([])


def _label_rows(grid: AnyArray, styles: Styles, reference: Style) -> None:
    """Write the letters and what each row shows, at the left."""
    boxes = [("RMSE", "black"), (f"RMSE ratio to\n{reference.label}", "black")]
    curves = [(f"{s.label}\naccuracy", shaded(s.color, -0.2)) for s in styles.values()]
    for letter, axes, (label, color) in zip(
        ascii_uppercase, grid[:, 0], curves + boxes, strict=False
    ):
        axes.set_ylabel(label, color=color)
        write_beside(axes, letter, (0, 1), (-40, 4), fontsize=FONT_SIZE + 2, fontweight="bold")
