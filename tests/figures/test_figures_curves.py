import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.report.figures import predicted_curves_figure
from drawn import STYLES, boxes, dotted, tables, texts
from experiments.figures.by_k1 import curves_by_k1
from experiments.figures.comparison import comparison_figure
from experiments.figures.curves import curve_grid
from experiments.figures.labelled_settings import LabelledSetting

SETTINGS = [LabelledSetting("e0", 10, "one"), LabelledSetting("e1", 20, "two")]


def test_a_grid_has_a_row_a_setting_and_a_column_a_method():
    predicted, observed, true, errors = tables([(10, 60), (20, 60)])
    figure = curve_grid(predicted, observed, true, STYLES, SETTINGS, errors=errors, repetitions=3)
    grid = np.reshape(figure.axes, (2, 3))
    for row, setting in zip(grid, SETTINGS, strict=True):
        truth = true[true["experiment"] == setting.experiment]
        for axes, key in zip(row, STYLES, strict=True):
            here = predicted[predicted["experiment"] == setting.experiment]
            here = here[here["method"] == key]
            drawn, seen = (c for c in axes.collections if isinstance(c, LineCollection))
            curves = {tuple(path.vertices[:, 1]) for path in drawn.get_paths()}
            assert curves == {tuple(part["accuracy"]) for _, part in here.groupby("repetition")}
            assert {path.vertices[-1, 0] for path in seen.get_paths()} == {setting.k1}
            assert [line.get_xdata()[0] for line in dotted(axes)] == [setting.k1]
            np.testing.assert_array_equal(axes.lines[0].get_ydata(), truth["accuracy"])
            low, high = axes.get_ylim()
            assert 0 <= low < truth["accuracy"].min()
            assert truth["accuracy"].max() < high <= 1.02
            error = errors[errors["experiment"] == setting.experiment]
            error = error.loc[error["method"] == key, "rmse_curve"]
            assert f"RMSE {error.mean():.3f}, n = 3" in [each.get_text() for each in axes.texts]
        assert len({axes.get_ylim() for axes in row}) == 1
    assert any("curves of 3 repetitions" in text for text in texts(figure))


def test_a_comparison_has_curves_errors_and_ratios_of_each_data_set():
    predicted, observed, true, errors = tables([(10, 60), (20, 90)], repetitions=12)
    kde = errors[errors["method"] == "kde"]
    noise = kde.assign(method="class_draw", rivals_to_k1=0.25 * kde["rmse_curve"])
    figure = comparison_figure(predicted, observed, true, errors, STYLES, SETTINGS, noise=noise)
    grid = np.reshape(figure.axes, (5, 2))
    for column, setting in zip(grid.T, SETTINGS, strict=True):
        for axes in column[:3]:
            assert [line.get_xdata()[0] for line in dotted(axes)] == [setting.k1]
        here = errors[errors["experiment"] == setting.experiment]
        each = [here.loc[here["method"] == key, "rmse_curve"].to_numpy() for key in STYLES]
        medians = [box["median"] for box in boxes(column[3])]
        grey = [np.median(each[2]), np.median(each[2]) / 4]
        assert medians == pytest.approx([*map(np.median, each), *grey])
        ratios = [box["median"] for box in boxes(column[4])]
        assert ratios == pytest.approx([np.median(own / each[0]) for own in each[1:]])
        assert column[4].get_ylim() == (0, 4)
    labels = [axes.get_ylabel() for axes in grid[:, 0]]
    assert labels[:4] == ["CleaneX\naccuracy", "Regression\naccuracy", "KDE\naccuracy", "RMSE"]


def test_fewer_repetitions_of_a_method_are_said():
    predicted, observed, true, errors = tables([(10, 60)], repetitions=6)
    few = [t[(t["method"] != "cleanex") | (t["repetition"] < 2)] for t in (predicted, errors)]
    said = texts(comparison_figure(few[0], observed, true, few[1], STYLES, SETTINGS[:1]))
    assert "n = 2 to 6" in said
    assert {t.rsplit(", ")[-1] for t in said if t.startswith("RMSE 0")} == {"n = 2", "n = 6"}


def test_curves_by_k1_have_the_table_of_errors_below():
    found = tables([(k1, 90) for k1 in (20, 40)], repetitions=5)
    predicted, observed, true, errors = (table.assign(experiment="e0") for table in found)
    settings = [LabelledSetting("e0", k1, "faces") for k1 in (20, 40)]
    figure = curves_by_k1(predicted, observed, true.drop_duplicates("k"), errors, STYLES, settings)
    for row, key in zip(np.reshape(figure.axes, (3, 2)), STYLES, strict=True):
        for axes, setting in zip(row, settings, strict=True):
            assert [line.get_xdata()[0] for line in dotted(axes)] == [setting.k1]
            here = errors[(errors["k1"] == setting.k1) & (errors["method"] == key)]
            error = here["error_at_k2"].to_numpy()
            said = [t.get_text().split("\n") for t in axes.texts]
            (numbers,) = [lines for lines in said if len(lines) == 3 and "bias" not in lines]
            numbers = [float(number.replace("\N{MINUS SIGN}", "-")) for number in numbers]
            three = (error.mean(), error.std(), np.sqrt((error**2).mean()))
            np.testing.assert_allclose(numbers, three, atol=5.1e-4)


def one_sample(largest):
    k = np.unique(np.geomspace(2, largest, 50).astype(np.int64))
    seen = np.arange(2, 21)
    observed = pd.DataFrame({"top": 1, "k": seen, "accuracy": seen**-0.1})
    predicted = pd.concat(
        pd.DataFrame({"method": key, "top": 1, "k": k, "accuracy": k**-slope})
        for key, slope in (("cleanex", 0.1), ("regression", 0.2), ("kde", 0.05))
    )
    return observed, predicted, int(k[10]), int(k[-1])


@pytest.mark.parametrize(("largest", "scale"), [(200, "linear"), (300, "log"), (10**12, "log")])
def test_predicted_curves_have_marks_where_they_were_asked_for(largest, scale):
    observed, predicted, some, last = one_sample(largest)
    figure = predicted_curves_figure(observed, predicted, STYLES, 20, classes=[some, last])
    (axes,) = figure.axes
    assert axes.get_xscale() == scale
    assert [line.get_xdata()[0] for line in dotted(axes)] == [20]
    marked = [line for line in axes.lines if line.get_marker() == "o"]
    for line, slope in zip(marked, (0.05, 0.2, 0.1), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), [some, last])
        np.testing.assert_allclose(line.get_ydata(), np.array([some, last]) ** -slope)
    assert {"observed", "CleaneX", "Regression", "KDE"} <= set(texts(figure))


def with_bands(predicted):
    ends = {"lower": 0.5 * predicted["accuracy"], "upper": 0.5 + 0.5 * predicted["accuracy"]}
    return predicted.assign(**ends)


def test_the_first_method_has_the_only_band():
    observed, predicted, some, _ = one_sample(200)
    figure = predicted_curves_figure(observed, with_bands(predicted), STYLES, 20, classes=[some])
    (axes,) = figure.axes
    (band,) = axes.collections
    first = predicted.loc[predicted["method"] == "cleanex", "accuracy"]
    assert band.get_paths()[0].vertices[:, 1].min() == pytest.approx(min(first) / 2)
    assert axes.get_ylim()[0] <= min(first) / 2


def test_a_first_method_without_interval_leaves_no_band():
    observed, predicted, some, _ = one_sample(200)
    table = with_bands(predicted)
    table.loc[table["method"] == "cleanex", ["lower", "upper"]] = np.nan
    figure = predicted_curves_figure(observed, table, STYLES, 20, classes=[some])
    assert len(figure.axes[0].collections) == 0


def test_each_top_has_a_panel_that_says_so():
    observed, predicted, some, last = one_sample(200)
    two = [
        pd.concat([t, t.assign(top=5, accuracy=t["accuracy"] ** 0.1)])
        for t in (observed, predicted)
    ]
    figure = predicted_curves_figure(*two, STYLES, 20, classes=[some, last])
    upper, lower = figure.axes
    assert upper.get_ylabel().startswith("accuracy")
    assert lower.get_ylabel().startswith("top-5 accuracy")
    marked = [line for line in lower.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(marked[-1].get_ydata(), np.array([some, last]) ** -0.01)
    alone = [t[t["top"] == 5] for t in two]
    (axes,) = predicted_curves_figure(*alone, STYLES, 20).axes
    assert axes.get_ylabel().startswith("top-5 accuracy")


def test_a_k_without_prediction_is_said_in_a_sentence():
    observed, predicted, _, last = one_sample(200)
    with pytest.raises(InputError, match=f"no predicted accuracy of kde at k = {last + 1}"):
        predicted_curves_figure(observed, predicted, STYLES, 20, classes=[last + 1])
    with pytest.raises(InputError, match="no predicted accuracy of kde:"):
        predicted_curves_figure(observed, predicted[predicted["method"] != "kde"], STYLES, 20)
