import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from drawn import STYLES, boxes, dotted, tables, texts
from experiments.figures.by_k1 import ByK1
from experiments.figures.comparison import Comparison
from experiments.figures.curves import AccuracyCurves
from experiments.figures.shown import LabelledSetting

SETTINGS = [LabelledSetting("e0", 10, "one"), LabelledSetting("e1", 20, "two")]


def noise(errors):
    kde = errors[errors["method"] == "kde"]
    return kde.assign(method="class_draw", rivals_to_k1=0.25 * kde["rmse_curve"])


def test_a_grid_has_a_row_a_setting_and_a_column_a_method():
    predicted, observed, true, errors = tables([(10, 60), (20, 60)])
    table = pd.concat([predicted, observed, true])
    figure = AccuracyCurves(repetitions=3).draw(table, STYLES, SETTINGS, errors)
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
    curves = pd.concat([predicted, observed, true])
    figure = Comparison().draw(curves, errors, STYLES, SETTINGS, noise(errors), "cleanex")
    grid = np.reshape(figure.axes, (5, 2))
    for column, setting in zip(grid.T, SETTINGS, strict=True):
        for axes in column[:3]:
            assert [line.get_xdata()[0] for line in dotted(axes)] == [setting.k1]
        here = errors[errors["experiment"] == setting.experiment]
        each = [here.loc[here["method"] == key, "rmse_curve"].to_numpy() for key in STYLES]
        medians = [box["median"] for box in boxes(column[3])]
        grey = [np.median(each[2]), np.median(each[2]) / 4]
        assert medians == pytest.approx([*grey, *map(np.median, each)])
        ratios = [box["median"] for box in boxes(column[4])]
        assert ratios == pytest.approx([np.median(own / each[0]) for own in each[1:]])
        assert column[4].get_ylim() == (0, 4)
    labels = [axes.get_ylabel() for axes in grid[:, 0]]
    assert labels[:4] == ["CleaneX\naccuracy", "Regression\naccuracy", "KDE\naccuracy", "RMSE"]


def test_fewer_repetitions_of_a_method_are_said():
    predicted, observed, true, errors = tables([(10, 60)], repetitions=6)
    few = [t[(t["method"] != "cleanex") | (t["repetition"] < 2)] for t in (predicted, errors)]
    curves = pd.concat([few[0], observed, true])
    grey = noise(errors)
    said = texts(Comparison().draw(curves, few[1], STYLES, SETTINGS[:1], grey, "cleanex"))
    assert "n = 2 to 6" in said
    assert {t.rsplit(", ")[-1] for t in said if t.startswith("RMSE 0")} == {"n = 2", "n = 6"}


def test_curves_by_k1_have_the_table_of_errors_below():
    found = tables([(k1, 90) for k1 in (20, 40)], repetitions=5)
    predicted, observed, true, errors = (table.assign(experiment="e0") for table in found)
    settings = [LabelledSetting("e0", k1, "faces") for k1 in (20, 40)]
    figure = ByK1().draw(
        pd.concat([predicted, observed, true.drop_duplicates("k")]), errors, STYLES, settings
    )
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
