"""Errors of predicted open-set rates, of all methods on all data sets."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.identification.methods import METHODS
from accuracy_curves.prediction.plots.style import Style
from experiments.evaluation.curve_errors import SETTING
from experiments.figures.base import FigureKind, Files, Plan, settings_of, styles_of
from experiments.figures.labelled_settings import LabelledSetting
from experiments.figures.matrix import matrix_figure
from experiments.preset import Preset

ERROR = "error_at_"
OF_RATES = {
    "rmse": "Root mean square error",
    "bias": "Mean error",
    "sd": "Standard deviation of the error",
}
RATES = {
    "fpir": "the FPIR at the true threshold",
    "fnir": "the FNIR at the true threshold",
    "fnir_at_fpir": "the FNIR at the threshold that the method sets for a target FPIR",
}


class RateMatrix(FigureKind):
    """Errors of open-set rates, a row a setting and target FPIR, a column a method."""

    kind = "rate_matrix"
    title = "Errors of open-set rates"
    caption = (
        "{what} of {rate}, in thousandths, in the largest gallery, of each method for each setting "
        "and target. The smallest of a row is bold. The colour is {colour}."
    )
    reads = ("rate_errors",)
    shows = ("settings", "labels", "methods", "reference")
    identifies = True
    known = METHODS

    @classmethod
    def plan_more(cls, preset: Preset, entry: Mapping[str, Any]) -> Plan:
        """Say which error of which rate is shown."""
        ratio = (
            f"its ratio to that of {preset.config['reference']}, blue where the method is better"
        )
        caption = cls.caption.format(
            what=OF_RATES[entry["show"]],
            rate=RATES[entry["quantity"]],
            colour="its size and sign" if entry["show"] == "bias" else ratio,
        )
        return {"caption": caption}

    @classmethod
    def draw(cls, files: Files, plan: Plan) -> Figure:
        """Draw the errors of all repetitions."""
        return rate_matrix_figure(
            pd.read_csv(files["rate_errors"][0]),
            styles_of(plan),
            settings_of(plan),
            plan["reference"],
            plan["quantity"],
            plan["show"],
        )


def rate_matrix_figure(
    table: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
    reference: str,
    quantity: str,
    show: str = "rmse",
) -> Figure:
    """Draw an error of each method (columns) for each setting and target FPIR (rows).

    As `matrix_figure`, where the number is the root mean square, mean (bias) or standard deviation
    of the predicted minus the true rate. `table` is what `errors_by_repetition` returns.
    """
    names = filter(re.compile(ERROR).match, table.columns)
    columns = {name: float(name.removeprefix(ERROR)) for name in names}
    targets = sorted(columns.values(), reverse=True)
    shown = table[table["quantity"] == quantity].rename(columns=columns)
    errors = shown.melt([*SETTING, "repetition"], targets, "target", "error_at_k2")
    errors["experiment"] = [*map(_row, errors["experiment"], errors["target"])]
    rows = [
        LabelledSetting(
            _row(setting.experiment, target),
            setting.k1,
            f"FPIR = {target:g}",
            f"{setting.label}, $k_1$ = {setting.k1}",
        )
        for setting in settings
        for target in targets
    ]
    return matrix_figure(errors, styles, rows, reference, {"rmse": "rms"}.get(show, show))


def _row(experiment: str, target: float) -> str:
    return f"{experiment} at {target:g}"
