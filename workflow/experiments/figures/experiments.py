"""Methods compared on any list of data sets (ICLR 2021, Figure 3, A to E)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

import numpy.typing as npt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.curves import share_accuracy_axis
from accuracy_curves.prediction.plots.layout import (
    Margins,
    legend_above,
    legend_height,
    lines_height,
    panel_grid,
    wrapped,
    wrapped_label,
    write_beside,
)
from accuracy_curves.prediction.plots.style import (
    COLUMN_WIDTH,
    FONT_SIZE,
    SMALL_SIZE,
    TEXT_WIDTH,
    Style,
    paper_style,
    shaded,
)
from experiments.evaluation.summary import ratios_to
from experiments.figures.boxplots import (
    DRAW_STYLES,
    GROUP_SHARE,
    draw_box,
    draw_parts,
    draw_ratios,
)
from experiments.figures.curves import (
    curve_legend,
    draw_curves,
    write_mean_rmse,
)
from experiments.figures.labelled_settings import (
    LabelledSetting,
    curves,
    how_many,
    true_curve,
    values,
)

CURVE_HEIGHT = 0.95
BOX_HEIGHT = 1.0
# Least width of a panel with its share of the margins; more data sets make a wider figure.
LEAST_WIDTH = 1.3
MARGINS = Margins(left=0.62, right=0.2, bottom=0.12, row_gap=0.22, column_gap=0.36)


@paper_style()
def experiments_figure(
    predicted: pd.DataFrame,
    observed: pd.DataFrame,
    true: pd.DataFrame,
    errors: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
    *,
    reference: str = "cleanex",
    absent: Mapping[str, str] | None = None,
    repetitions: int | None = None,
    noise: pd.DataFrame | None = None,
) -> Figure:
    """Draw curves, RMSE and RMSE ratios of the methods: a column a data set (Figure 3).

    A row for each method's curves (A, B, C...) with the average RMSE, then the distribution of the
    RMSE (D), then of its ratio to the reference's in the same repetition (E), which is left out
    where the reference is the only method, and whose axis ends at 4. The tables are those of
    `curves.curves_by_k1`, and `repetitions` as of `curves.curve_grid`; `noise`, as of
    `rmse_boxplots`, is two grey boxes at the left of row D.
    `absent` maps the label of a data set that is not there to what to do about it; that is written
    under the panels. More than 4 data sets make a figure wider than the text.
    """
    if not settings:
        raise InputError("no data set is left to compare the methods on")
    if reference not in styles:
        raise InputError(
            f"the reference method {reference!r} is not in the figure: "
            f"it shows {', '.join(styles) or 'none'}"
        )
    others = {key: style for key, style in styles.items() if key != reference}
    rows = [CURVE_HEIGHT] * len(styles) + [BOX_HEIGHT] * (2 if others else 1)
    width = max(TEXT_WIDTH, LEAST_WIDTH * len(settings) + 0.3)
    if len(settings) == 1:
        width = COLUMN_WIDTH
    note = _note(absent or {}, width)
    under = MARGINS.bottom + (lines_height(note, SMALL_SIZE) + 0.06 if note else 0)
    handles, names = curve_legend(repetitions)
    boxed = [*styles.values(), *([] if noise is None else DRAW_STYLES.values())]
    handles += [Patch(facecolor=style.color, edgecolor="black", lw=0.6) for style in boxed]
    names += [style.label for style in boxed]
    titles = [wrapped_label(setting.label, width / len(settings) - 0.25) for setting in settings]
    lines = 2 + max(title.count("\n") for title in titles)
    top = legend_height(names, width) + lines * FONT_SIZE * 1.25 / 72 + 0.26
    margins = replace(MARGINS, top=top, bottom=under)
    figure, grid = panel_grid(width, rows, len(settings), margins, {len(styles): 0.2})
    for column, setting, title in zip(grid.T, settings, titles, strict=True):
        k2 = true_curve(true, setting)[0][-1]
        column[0].set_title(f"{title}\n$k_1$={setting.k1}, $k_2$={k2}", pad=12)
        _draw_curve_rows(column, predicted, observed, true, errors, styles, setting)
        _draw_box_rows(column[len(styles) :], errors, styles, others, setting, reference)
        if noise is not None:
            parts = draw_parts(noise)
            for place, (part, style) in enumerate(DRAW_STYLES.items(), -len(DRAW_STYLES)):
                found = values(parts, "rmse_curve", setting, part)
                draw_box(column[len(styles)], found, place * GROUP_SHARE, style.color, 1)
            for axes in column[len(styles) :]:
                axes.set_xlim(-2.6 * GROUP_SHARE, (len(styles) - 0.4) * GROUP_SHARE)
            column[len(styles)].set_ylim(bottom=0)
    _label_rows(grid, styles, styles[reference])
    legend_above(figure, handles, names)
    if note:
        low = 0.06 / float(figure.get_size_inches()[1])
        figure.text(0.15 / width, low, note, fontsize=SMALL_SIZE, va="bottom", linespacing=1.15)
    return figure


def _note(absent: Mapping[str, str], width: float) -> str:
    """Write what is absent, in lines that fit a figure of this width."""
    return "\n".join(
        wrapped(f"{label} is absent: {what}", width - 0.3, SMALL_SIZE)
        for label, what in absent.items()
    )


def _draw_curve_rows(
    column: Sequence[Axes],
    predicted: pd.DataFrame,
    observed: pd.DataFrame,
    true: pd.DataFrame,
    errors: pd.DataFrame,
    styles: Mapping[str, Style],
    setting: LabelledSetting,
) -> None:
    """Draw a data set's curves, a method a panel, on one pair of axes."""
    truth, seen = true_curve(true, setting), curves(observed, setting, "observed")
    panels = list(zip(column, styles.items(), strict=False))
    for axes, (key, style) in panels:
        draw_curves(axes, curves(predicted, setting, key), seen, truth, style.color, setting.k1)
    share_accuracy_axis([axes for axes, _ in panels])
    for axes, _ in panels:
        axes.tick_params(labelleft=True, labelbottom=axes is panels[-1][0])
    write_mean_rmse([axes for axes, _ in panels], errors, setting, styles)
    panels[-1][0].set_xlabel("$k$", labelpad=0)


def _draw_box_rows(
    column: Sequence[Axes],
    errors: pd.DataFrame,
    styles: Mapping[str, Style],
    others: Mapping[str, Style],
    setting: LabelledSetting,
    reference: str,
) -> None:
    """Draw a data set's distributions of the RMSE and, with other methods, of its ratio."""
    for place, (key, style) in enumerate(styles.items()):
        found = values(errors, "rmse_curve", setting, key)
        draw_box(column[0], found, GROUP_SHARE * place, style.color, 1)
    column[0].set_ylim(bottom=0)
    column[0].yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    count = how_many(len(values(errors, "rmse_curve", setting, key)) for key in styles)
    column[0].set_title(count, loc="right", pad=2, fontsize=SMALL_SIZE)
    if others:
        here = (errors["experiment"] == setting.experiment) & (errors["k1"] == setting.k1)
        ratios = ratios_to(errors[here & errors["method"].isin(list(styles))], reference)
        slots = [
            (GROUP_SHARE * place, style.color, values(ratios, "ratio", setting, key))
            for place, (key, style) in enumerate(styles.items())
            if key != reference
        ]
        draw_ratios(column[1], slots, styles[reference].color, 1)
    for axes in column:
        axes.set_xlim(-0.6 * GROUP_SHARE, (len(styles) - 0.4) * GROUP_SHARE)
        axes.set_xticks([])


def _label_rows(grid: npt.NDArray[Any], styles: Mapping[str, Style], reference: Style) -> None:
    """Write the letters and what each row shows, at the left."""
    boxes = [("RMSE", "black"), (f"RMSE ratio to\n{reference.label}", "black")]
    rows = [(s.label, shaded(s.color, -0.2)) for s in styles.values()] + boxes
    for letter, axes, (label, color) in zip(ascii_uppercase, grid[:, 0], rows, strict=False):
        axes.set_ylabel(label, color=color)
        write_beside(axes, letter, (0, 1), (-40, 4), fontsize=FONT_SIZE + 2, fontweight="bold")
