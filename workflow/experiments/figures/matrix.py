"""All methods in all settings: an error as numbers, its size or its ratio as colours."""

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import pandas as pd

from accuracy_curves.answers.plots import SMALL_SIZE, TEXT_WIDTH
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.validation import Choice
from experiments.evaluation.curve_errors import SETTING
from experiments.figures.base import FigureOfSettings
from experiments.figures.panels import Figure, Rows, as_table, empty_figure, mark, text_width
from experiments.figures.shown import LabelledSetting, Settings, Styles, by_panel, values_beside
from experiments.preset import Preset

ROW = 0.15
# Room for the colour bar and its label.
ROOM = 0.6
# Colours stop at four times better and four times worse.
MOST = 4.0
COLORS = "RdBu_r"
# Colours of the bias stop at a tenth too low and a tenth too high.
MOST_BIAS = 0.1
BIAS_COLORS = "PuOr_r"
# On colours farther out than this share of the scale, white letters are easier to read.
DARK = 0.7
# What is shown: the column of the errors, a number of it, and their names.
SHOWN: dict[str, tuple[str, Callable[[Float64Array], float], str, str]] = {
    "rmse": ("rmse_curve", lambda error: float(np.median(error)), "median RMSE", "median RMSE"),
    "rms": ("error_at_k2", lambda error: float(np.sqrt(np.mean(error**2))), "RMSE", "RMSE"),
    "bias": ("error_at_k2", lambda error: float(error.mean()), "bias at $k_2$", "bias"),
    "sd": ("error_at_k2", lambda error: float(error.std()), "sd at $k_2$", "sd"),
}

ERROR = "error_at_"
MEASURES = ("rmse", "bias", "sd")
RATES = {
    "fpir": "FPIR at the true threshold",
    "fnir": "FNIR at the true threshold",
    "fnir_at_fpir": "FNIR at the method's threshold for a target FPIR",
}


def matrix_figure(
    errors: pd.DataFrame,
    styles: Styles,
    settings: Settings,
    reference: str,
    show: str = "rmse",
    rate: str = "",
) -> Figure:
    """Draw an error of each method (columns) in each setting (rows), of accuracies or of a `rate`.

    The number is the median over the repetitions of `rmse_curve`, or the mean (bias) or standard
    deviation (sd, divisor n) of `error_at_k2`, in thousandths, bold where its size is the smallest
    of the row. The colour is its ratio to the reference's, blue where the method is better; of the
    bias, its size and sign on one linear scale. Numbers and colours of a row are of the n
    repetitions that all its methods and the reference, which need not be shown, have, so that they
    compare the same classes. Settings of one `panel` stand together under a row
    with its name.
    """
    measure, number, of, numbers = SHOWN[show]
    # The settings of each panel, after its name.
    rows: list[LabelledSetting | str] = []
    for panel, together in by_panel(settings).items():
        rows += [panel, *together] if panel else together
    heads = [style.label for style in styles.values()]
    height = max(text_width(head, SMALL_SIZE) for head in heads) + ROW * len(rows) + ROOM
    figure = empty_figure(TEXT_WIDTH, height)
    axes = figure.add_subplot()
    look: dict[str, Any] = {"fontsize": SMALL_SIZE - 0.5, "ha": "center", "va": "center_baseline"}
    shades, labels = np.full((len(rows), len(styles)), np.nan), []
    for row, setting in enumerate(rows):
        if isinstance(setting, str):
            labels.append(setting)
            continue
        each = values_beside(errors, measure, setting, [*styles, reference])
        k1 = "" if setting.panel else f", $k_1$ = {setting.k1}"
        labels.append(f"{setting.label}{k1}, n = {len(each[reference])}")
        found = np.array([number(each[method]) for method in styles])
        if show == "bias":
            shades[row] = np.clip(found / MOST_BIAS, -1, 1)
        else:
            # Without a ratio to an error of zero.
            ratios = found / (number(each[reference]) or np.nan)
            shades[row] = np.log(np.clip(ratios, 1 / MOST, MOST)) / np.log(MOST)
        for column, (method, error) in enumerate(zip(styles, found, strict=True)):
            look["color"] = "white" if abs(shades[row, column]) > DARK else "black"
            look["fontweight"] = "bold" if abs(error) == abs(found).min() else "normal"
            # Rates have several rows a setting.
            place = setting.experiment.partition(" ")[0], setting.k1
            gid = mark((*place, method, len(each[method])))
            axes.text(column, row, _thousandths(error), gid=gid, **look)
    axes.imshow(
        *(shades, BIAS_COLORS if show == "bias" else COLORS), vmin=-1, vmax=1, aspect="auto"
    )
    as_table(axes, labels, heads)
    if show == "bias":
        marks = ["−100", "−50", "0", "50", "100"]
        label = f"{of} in thousandths (colours stop at 100)"
    else:
        marks = ["≤ 1/4", "1/2", "1", "2", "≥ 4"]
        name = styles[reference].label if reference in styles else reference
        label = f"{of} over that of {name}; numbers: {numbers} in thousandths"
    bar = figure.colorbar(axes.images[0], ax=axes, location="bottom", aspect=50).ax
    bar.set_xticks(np.linspace(-1, 1, 5), marks)
    # To the right, since it may be wider than the cells: the room is below the rows' names.
    bar.set_xlabel(f"{rate}: {label}" if rate else label, loc="right")
    return figure


def _thousandths(error: float) -> str:
    """Write two digits or more, with the sign for minus and none for zero, if there is room."""
    if abs(error) >= 1:
        return ">999" if error > 0 else "<−999"
    digits = 0 if abs(error) >= 0.01 else 1
    return f"{1000 * error:z.{digits}f}".replace("-", "−")


class ErrorsFigure(FigureOfSettings):
    """Base of the matrices of errors."""

    show: Annotated[str, Choice(*MEASURES)] = "rmse"

    def named_rows(self, preset: Preset) -> Rows:
        """Count the repetitions that all methods of a setting have."""
        rows = super().named_rows(preset)
        fewest: dict[tuple[str, int], int] = {}
        for (experiment, k1, _), n in rows.items():
            fewest[experiment, k1] = min(n, fewest.get((experiment, k1), n))
        return {row: fewest[row[:2]] for row in rows}


class Matrix(ErrorsFigure):
    """An error of each method (columns) in each setting (rows).

    The colour bar names the error. It is shown in thousandths for each method in each setting, the
    smallest of a row in bold. The colour is its ratio to that of the reference, blue where the
    method is better. Of a bias it is the size and sign. Numbers and colours of a row are of the n
    repetitions that all its methods have.

    Parameters
    ----------
    show : {"rmse", "bias", "sd"}
        The median RMSE, or the bias or standard deviation at k2.
    """

    kind = "matrix"

    def draw(
        self, errors: pd.DataFrame, styles: Styles, settings: Settings, reference: str
    ) -> Figure:
        """Draw `matrix_figure`."""
        return matrix_figure(errors, styles, settings, reference, self.show)


class RateMatrix(ErrorsFigure):
    """As `matrix`, of the rates of identification, one row per setting and target FPIR.

    The colour bar names the error, which is that in the largest gallery. It is shown in thousandths
    for each method, setting and target, the smallest of a row in bold. The colour is its ratio to
    that of the reference, blue where the method is better. Of a bias it is the size and sign.

    Parameters
    ----------
    quantity : {"fpir", "fnir", "fnir_at_fpir"}
        FPIR or FNIR at the true threshold of a target FPIR, or FNIR at the threshold that a method
        sets for it.
    show : {"rmse", "bias", "sd"}
        The root mean square error, the bias or the standard deviation.
    """

    kind = "rate_matrix"
    identifies = True

    quantity: Annotated[str, Choice(*RATES)] = "fpir"

    def draw(
        self, rate_errors: pd.DataFrame, styles: Styles, settings: Settings, reference: str
    ) -> Figure:
        """Draw an error of each method (columns) for each setting and target FPIR (rows).

        As `matrix_figure`, where the number is the root mean square, mean (bias) or standard
        deviation of the predicted minus the true rate. `rate_errors` is what `errors_by_repetition`
        returns.
        """
        names = [name for name in map(str, rate_errors) if name.startswith(ERROR)]
        columns = {name: float(name.removeprefix(ERROR)) for name in names}
        targets = sorted(columns.values(), reverse=True)
        shown = rate_errors[rate_errors["quantity"] == self.quantity].rename(columns=columns)
        errors = shown.melt([*SETTING, "repetition"], targets, "target", "error_at_k2")
        errors["experiment"] += errors["target"].map(" at {:g}".format)
        rows = [
            LabelledSetting(
                f"{setting.experiment} at {target:g}",
                setting.k1,
                f"FPIR = {target:g}",
                f"{setting.label}, $k_1$ = {setting.k1}",
            )
            for setting in settings
            for target in targets
        ]
        show = "rms" if self.show == "rmse" else self.show
        return matrix_figure(errors, styles, rows, reference, show, RATES[self.quantity])
