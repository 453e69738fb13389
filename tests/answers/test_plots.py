"""The figures of the answers draw the tables' data."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from accuracy_curves.answers.accuracy_plots import predicted_curves_figure
from accuracy_curves.answers.rates_plots import rates_figure
from accuracy_curves.answers.style import OBSERVED_COLOR, method_styles, save_figure
from accuracy_curves.exceptions import InputError

mpl.use("agg")
STYLES = method_styles(["cleanex", "regression", "kde"])


def one_sample(largest):
    k = np.unique(np.geomspace(2, largest, 50).astype(np.int64))
    seen = np.arange(2, 21)
    observed = pd.DataFrame({"top": 1, "k": seen, "accuracy": seen**-0.1})
    predicted = pd.concat(
        pd.DataFrame({"method": key, "top": 1, "k": k, "accuracy": k**-slope})
        for key, slope in (("cleanex", 0.1), ("regression", 0.2), ("kde", 0.05))
    )
    ends = {"lower": 0.5 * predicted["accuracy"], "upper": 0.5 + 0.5 * predicted["accuracy"]}
    return observed, predicted.assign(**ends), [int(k[10]), int(k[-1])]


@pytest.mark.parametrize(("largest", "scale"), [(200, "linear"), (300, "log"), (10**12, "log")])
def test_predicted_curves_have_marks_where_they_were_asked_for(largest, scale, tmp_path):
    observed, predicted, asked = one_sample(largest)
    figure = predicted_curves_figure(observed, predicted, STYLES, 20, classes=asked)
    (axes,) = figure.axes
    assert axes.get_xscale() == scale
    marked = [line for line in axes.lines if line.get_marker() == "o"]
    for line, slope in zip(marked, (0.05, 0.2, 0.1), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), asked)
        np.testing.assert_allclose(line.get_ydata(), np.array(asked) ** -slope)
    # The observed curve stands over all others, and the first method has the only band.
    top = max(axes.lines, key=lambda line: line.get_zorder())
    assert to_hex(top.get_color()) == OBSERVED_COLOR
    np.testing.assert_array_equal(top.get_ydata(), observed["accuracy"])
    assert len(axes.collections) == 1
    save_figure(figure, tmp_path / "curves")


def test_a_panel_a_top():
    observed, predicted, _ = one_sample(200)
    both = [pd.concat([table, table.assign(top=5)]) for table in (observed, predicted)]
    figure = predicted_curves_figure(*both, STYLES, 20)
    assert ["top-5" in axes.get_ylabel() for axes in figure.axes] == [False, True]


@pytest.mark.parametrize("change", [{"k": 7}, {"key": "auto"}])
def test_what_is_absent_is_a_sentence(change):
    observed, predicted, _ = one_sample(200)
    styles = {**STYLES, **method_styles(["auto"])} if "key" in change else STYLES
    with pytest.raises(InputError, match="no predicted accuracy"):
        predicted_curves_figure(observed, predicted, styles, 20, classes=[change.get("k", 2) * 31])


def rates(sizes=(500, 10**5), targets=(0.01, 0.003)):
    fpir = np.geomspace(1e-4, 0.99, 20)
    det = pd.concat(
        pd.DataFrame({"method": method, "gallery_size": k, "fpir": fpir, "fnir": 0.1 / fpir**0.2})
        for k, method in [*((k, "auto") for k in sizes), (500, "observed")]
    )
    by_size = pd.concat(
        pd.DataFrame({"method": "auto", "fpir": f, "gallery_size": sizes, "fnir": [0.2, 0.4]})
        for f in targets
    )
    return [each.assign(lower=each["fnir"] / 2, upper=each["fnir"] * 2) for each in (det, by_size)]


def test_det_curves_and_misses_against_the_size(tmp_path):
    det, by_size = rates()
    figure = rates_figure(det, by_size)
    left, right = figure.axes
    assert {left.get_xscale(), left.get_yscale(), right.get_xscale()} == {"log"}
    curves = {line.get_label(): line for line in left.lines}
    assert list(curves) == ["500 enrolled", "100,000 enrolled", "500, observed"]
    part = det[det["gallery_size"] == 10**5]
    np.testing.assert_array_equal(curves["100,000 enrolled"].get_ydata(), part["fnir"])
    assert (len(left.collections), len(right.collections)) == (2, 2)
    save_figure(figure, tmp_path / "rates")
    with pytest.raises(InputError, match="size"):
        rates_figure(det, by_size[:0])
