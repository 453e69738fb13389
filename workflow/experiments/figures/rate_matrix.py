"""Errors of predicted open-set rates, of all methods on all data sets."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.identification.methods import METHODS
from accuracy_curves.prediction.plots.style import Style
from experiments.evaluation.result_files import read_curves
from experiments.figures.base import FigureKind, Files, Plan, settings_of, styles_of
from experiments.figures.labelled_settings import LabelledSetting
from experiments.figures.matrix import matrix_figure
from experiments.preset import Preset

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
    reads = ("rates",)
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
            read_curves(files["rates"]),
            styles_of(plan),
            settings_of(plan),
            plan["reference"],
            plan["quantity"],
            plan["show"],
        )


def rate_matrix_figure(
    rates: pd.DataFrame,
    styles: Mapping[str, Style],
    settings: Sequence[LabelledSetting],
    reference: str,
    quantity: str,
    show: str = "rmse",
) -> Figure:
    """Draw an error of each method (columns) for each setting and target FPIR (rows).

    As `matrix_figure`, where the number is the root mean square, mean (bias) or standard deviation
    of the predicted minus the true rate. `rates` is what `predicted_rates` returns, with
    experiment, k1 and method beside.
    """
    shown = rates[rates["quantity"] == quantity]
    targets = sorted(shown["target"].unique(), reverse=True)
    errors = shown.assign(
        error_at_k2=shown["predicted"] - shown["true"],
        experiment=[_row(*pair) for pair in zip(shown["experiment"], shown["target"], strict=True)],
    )
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
