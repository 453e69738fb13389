import numpy as np
import pandas as pd
import pytest

from accuracy_curves.identification import OPEN_SET_METHODS
from drawn import texts
from experiments.evaluation.identification_errors import QUANTITIES
from experiments.figures import det
from experiments.figures.coverage import RateCoverage
from experiments.figures.matrix import RateMatrix
from experiments.figures.shown import LabelledSetting, key_styles

STYLES = key_styles({"binomial": "binomial", "tail": "pareto_tail", "kde": "kde"}, OPEN_SET_METHODS)
SETTINGS = [LabelledSetting("faces", 50, "Faces"), LabelledSetting("prints", 20, "Prints")]
TARGETS = (0.3, 0.1)


def errors():
    rng = np.random.default_rng(0)
    rows = [
        {
            "experiment": setting.experiment, "k1": setting.k1, "method": method,
            "repetition": repetition, "quantity": quantity,
            **{f"error_at_{target:g}": 0.5 * target * rng.normal() for target in TARGETS},
        }
        for setting in SETTINGS
        for method in STYLES
        for repetition in range(5)
        for quantity in QUANTITIES
    ]  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize("show", ["rmse", "bias", "sd"])
def test_errors_of_a_quantity_by_setting_and_target(show):
    table = errors()
    figure = RateMatrix(quantity="fnir", show=show).draw(table, STYLES, SETTINGS, "binomial")
    assert {"FPIR = 0.3, n = 5", "FPIR = 0.1, n = 5"} <= set(texts(figure))
    own = table[(table["quantity"] == "fnir") & (table["method"] == "tail")]
    error = own.loc[own["experiment"] == "faces", "error_at_0.3"].to_numpy()
    value = {"rmse": np.sqrt(np.mean(error**2)), "bias": error.mean(), "sd": error.std()}[show]
    assert f"{1000 * value:.0f}".replace("-", "−") in texts(figure)


def coverage():
    rows = [
        {
            "experiment": "all", "k1": np.nan, "method": method,
            "quantity": quantity, "target": target, "samples": 20,
            "covered": 0.8 + 0.1 * place, "width": 0.1 * (1 + place),
        }
        for place, method in enumerate(STYLES)
        for quantity in QUANTITIES
        for target in TARGETS
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_coverage_and_widths_of_each_quantity():
    figure = RateCoverage().draw(coverage(), STYLES)
    assert len(figure.axes) == 6
    drawn = {float(y) for line in figure.axes[0].lines for y in line.get_ydata()}
    assert {0.8, 0.9, 1.0} <= {round(y, 6) for y in drawn}


def test_det_curves_are_those_of_each_setting(monkeypatch):
    fpir = np.geomspace(0.01, 0.99, 6)
    table = pd.concat(
        pd.DataFrame({"method": method, "fpir": fpir, "fnir": (1 - fpir) * (place + 1) / 9})
        for place, method in enumerate(["true", "observed", *STYLES])
    )
    monkeypatch.setattr(det, "load_matrix", lambda path: path)
    monkeypatch.setattr(det, "det_curves", lambda matrix, k1, seed, fitted: table)
    paths = {name: name for name in ("faces", "prints", "e0", "e1", "e2", "e3")}
    figure = det.Det().draw(paths, STYLES, SETTINGS, {}, 0)
    assert len(figure.axes) == 2
    lines = {tuple(line.get_ydata()) for line in figure.axes[0].lines}
    assert lines == {tuple(part["fnir"]) for _, part in table.groupby("method")}
    four = [LabelledSetting(f"e{n}", 9, f"set {n}") for n in range(4)]
    assert len(det.Det().draw(paths, STYLES, four, {}, 0).axes) == 4
