"""All methods in all settings: the median RMSE as numbers, its ratio to a method's as colours."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from accuracy_curves.comparisons import ratios_to
from accuracy_curves.errors import InputError
from accuracy_curves.figures.layout import axes_at, text_width
from accuracy_curves.figures.settings import Setting, how_many, values
from accuracy_curves.figures.style import SMALL_SIZE, TEXT_WIDTH, Style, paper_style
from accuracy_curves.scores import Float64Array

ROW = 0.15
# Room for the colour bar and its label below.
BELOW = 0.52
# Colours stop at four times better and four times worse.
MOST = 4.0
COLORS = "RdBu_r"
# On colours farther out than this share of the scale, white letters are easier to read.
DARK = 0.7


@paper_style()
def matrix_figure(
    errors: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[Setting],
    reference: str,
) -> Figure:
    """Draw the median RMSE of each method (columns) in each setting (rows).

    The number is the median over the repetitions of `rmse_curve`, in thousandths, bold where it
    is the smallest of the row. The colour is the median ratio to the reference in the
    repetitions that both have, blue where the method is better. A row says of how many
    repetitions the medians are, n; where some methods have fewer, bold numbers and colours may
    disagree, and the colours compare the same classes.

    Parameters
    ----------
    errors : DataFrame
        What `accuracy_curves.evaluation.repetition_errors` returns.
    styles : mapping of str to Style
        The methods, in the order of the columns, see `method_styles`.
    settings : sequence of Setting
        The rows; those of one `panel` together, in order, under a row with its name.
    reference : str
        The method to divide by; it need not be shown.

    Returns
    -------
    Figure
        6.75 in wide.

    Raises
    ------
    InputError
        If a method has no errors in a setting, or there is nothing to draw.
    """
    if not styles or not settings:
        raise InputError("a matrix needs a method and a setting to draw")
    rows = _rows(settings)
    shape = len(rows), len(styles)
    medians, ratios = np.full(shape, np.nan), np.full(shape, np.nan)
    compared = ratios_to(errors, reference)
    labels = []
    for row, setting in enumerate(rows):
        if isinstance(setting, str):
            labels.append(setting)
            continue
        found = {method: values(errors, "rmse_curve", setting, method) for method in styles}
        k1 = "" if setting.panel else f", $k_1$ = {setting.k1}"
        labels.append(f"{setting.label}{k1}, {how_many(map(len, found.values()))}")
        for column, (method, error) in enumerate(found.items()):
            medians[row, column] = np.median(error)
            if method == reference:
                ratios[row, column] = 1.0
            else:
                ratios[row, column] = np.median(values(compared, "ratio", setting, method))
    left = max(text_width(label, SMALL_SIZE) for label in labels) + 0.14
    above = max(text_width(style.label, SMALL_SIZE) for style in styles.values()) + 0.1
    height = above + ROW * len(rows) + BELOW
    figure = Figure(figsize=(TEXT_WIDTH, height))
    axes = axes_at(figure, left, BELOW, TEXT_WIDTH - left - 0.08, ROW * len(rows))
    _draw(axes, medians, ratios)
    axes.set_yticks(range(len(rows)), labels)
    axes.xaxis.tick_top()
    axes.set_xticks(range(len(styles)), [style.label for style in styles.values()], rotation=90)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    bar = axes_at(figure, left, 0.36, TEXT_WIDTH - left - 0.08, 0.08)
    figure.colorbar(axes.images[0], cax=bar, orientation="horizontal")
    marks = np.array([1 / MOST, 1 / 2, 1, 2, MOST])
    bar.set_xticks(np.log(marks), ["≤ 1/4", "1/2", "1", "2", "≥ 4"])
    name = styles[reference].label if reference in styles else reference
    bar.set_xlabel(
        f"RMSE over that of {name} in the same repetitions; numbers: median RMSE in thousandths"
    )
    return figure


def _rows(settings: Sequence[Setting]) -> list[Setting | str]:
    """Put the settings of each panel together, and its name before them."""
    rows: list[Setting | str] = []
    for panel in dict.fromkeys(setting.panel for setting in settings):
        rows += [panel] if panel else []
        rows += [setting for setting in settings if setting.panel == panel]
    return rows


def _draw(axes: Axes, medians: Float64Array, ratios: Float64Array) -> None:
    """Draw the coloured cells and write the numbers."""
    shades, limit = np.log(ratios), np.log(MOST)
    axes.imshow(shades, cmap=COLORS, norm=Normalize(-limit, limit), aspect="auto")
    for row, cells in enumerate(medians):
        for column, median in enumerate(cells):
            if np.isnan(median):
                continue
            dark = abs(shades[row, column]) > DARK * limit
            axes.text(
                *(
                    column,
                    row,
                    f"{1000 * median:.0f}" if median >= 0.01 else f"{1000 * median:.1f}",
                ),
                color="white" if dark else "black",
                fontsize=SMALL_SIZE - 0.5,
                fontweight="bold" if median == np.nanmin(cells) else "normal",
                ha="center",
                va="center_baseline",
            )
