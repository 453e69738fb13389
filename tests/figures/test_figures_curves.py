import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.text import Text

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.style import OBSERVED_COLOR, method_styles, save_figure
from accuracy_curves.prediction.report.figures import predicted_curves_figure
from drawn import PAPER_LABELS, STYLES, assert_legible, boxes, dotted, tables, texts
from experiments.figures.curves import curve_grid
from experiments.figures.experiments import experiments_figure
from experiments.figures.labelled_settings import LabelledSetting


def test_a_grid_has_a_row_a_setting_and_a_column_a_method():
    predicted, observed, true, errors = tables([(10, 60), (20, 60)])
    settings = [LabelledSetting("e0", 10, "one"), LabelledSetting("e1", 20, "two")]
    figure = curve_grid(predicted, observed, true, STYLES, settings, errors=errors)
    grid = np.reshape(figure.axes, (2, 3))
    for row, setting in zip(grid, settings, strict=True):
        truth = true[true["experiment"] == setting.experiment]
        for axes, (key, style) in zip(row, STYLES.items(), strict=True):
            here = predicted[predicted["experiment"] == setting.experiment]
            here = here[here["method"] == key]
            drawn, seen = (c for c in axes.collections if isinstance(c, LineCollection))
            assert to_hex(drawn.get_color()[0]) == style.color
            assert to_hex(seen.get_color()[0]) == OBSERVED_COLOR
            curves = {tuple(path.vertices[:, 1]) for path in drawn.get_paths()}
            assert curves == {tuple(part["accuracy"]) for _, part in here.groupby("repetition")}
            assert {path.vertices[-1, 0] for path in seen.get_paths()} == {setting.k1}
            assert [line.get_xdata()[0] for line in dotted(axes)] == [setting.k1]
            black = axes.lines[0]
            assert to_hex(black.get_color()) == "#000000"
            np.testing.assert_array_equal(black.get_ydata(), truth["accuracy"])
            low, high = axes.get_ylim()
            assert low < truth["accuracy"].min()
            assert truth["accuracy"].max() < high <= 1.02
            error = errors[errors["experiment"] == setting.experiment]
            error = error[error["method"] == key]
            assert f"RMSE {error['rmse_curve'].mean():.3f}, n = 3" in [
                text.get_text() for text in axes.texts
            ]
        assert len({axes.get_ylim() for axes in row}) == 1
    assert grid[1, 0].get_title(loc="left") == "two, $k_1$ = 20"
    assert r"\mathcal{A}" in grid[0, 0].get_ylabel()
    assert grid[1, 2].get_xlabel() == "$k$"
    assert {"CleaneX", "Regression", "KDE"} <= set(texts(figure))


def test_grids_of_curves_are_legible_and_grow():
    sizes = [((20, 100, 200)[i % 3], (100, 400, 1680)[i % 3]) for i in range(4)]
    predicted, observed, true, errors = tables(sizes, repetitions=2)
    longest = sorted(PAPER_LABELS, key=len, reverse=True)
    settings = [LabelledSetting(f"e{i}", k1, longest[i]) for i, (k1, _) in enumerate(sizes)]
    few = curve_grid(predicted, observed, true, STYLES, settings[:2], errors=errors)
    many = curve_grid(predicted, observed, true, STYLES, settings, errors=errors)
    for figure in (few, many):
        assert_legible(figure)
    assert few.axes[0].bbox.height == pytest.approx(many.axes[0].bbox.height)
    one = curve_grid(predicted, observed, true, {"kde": STYLES["kde"]}, settings[:1])
    assert_legible(one)
    assert one.get_size_inches()[0] == 3.25


def test_no_text_stands_over_curves_and_no_axis_goes_below_zero():
    predicted, observed, true, errors = tables([(20, 100)], repetitions=5)
    for slope in (0.1, 0.5, 0.97):
        flat = predicted.assign(accuracy=1 - slope * predicted["k"] / 110)
        truth = true.assign(accuracy=1 - slope * true["k"] / 110)
        seen = observed.assign(accuracy=1 - slope * observed["k"] / 110)
        figure = curve_grid(
            flat, seen, truth, STYLES, [LabelledSetting("e0", 20, "one")], errors=errors
        )
        FigureCanvasAgg(figure).draw()
        for axes in figure.axes:
            assert axes.get_ylim()[0] >= 0
            for text in figure.findobj(Text):
                if text.get_text().startswith("RMSE"):
                    assert not text.get_window_extent().overlaps(axes.bbox)


def test_fifty_repetitions_of_eight_settings_make_a_small_pdf(tmp_path):
    predicted, observed, true, errors = tables([(100, 400)], repetitions=50)
    settings = [LabelledSetting("e0", 100, label) for label in PAPER_LABELS]
    figure = curve_grid(predicted, observed, true, STYLES, settings, errors=errors)
    pdf, _ = save_figure(figure, tmp_path / "figure5")
    assert pdf.stat().st_size < 300_000


def test_experiments_have_curves_errors_and_ratios_of_each_data_set():
    predicted, observed, true, errors = tables([(10, 60), (20, 90)], repetitions=12)
    settings = [LabelledSetting("e0", 10, "one"), LabelledSetting("e1", 20, "two")]
    absent = {"fMRI": "register at a data site and run again, " * 8}
    figure = experiments_figure(predicted, observed, true, errors, STYLES, settings, absent=absent)
    grid = np.reshape(figure.axes, (5, 2))
    for column, setting in zip(grid.T, settings, strict=True):
        for axes in column[:3]:
            assert [line.get_xdata()[0] for line in dotted(axes)] == [setting.k1]
        here = errors[errors["experiment"] == setting.experiment]
        by_method = [here.loc[here["method"] == key, "rmse_curve"] for key in STYLES]
        drawn = boxes(column[3])
        assert [box["color"] for box in drawn] == [style.color for style in STYLES.values()]
        for box, values in zip(drawn, by_method, strict=True):
            assert box["median"] == pytest.approx(values.median())
        ratios = boxes(column[4])
        assert [box["color"] for box in ratios] == [STYLES["regression"].color, STYLES["kde"].color]
        for box, values in zip(ratios, by_method[1:], strict=True):
            each = values.to_numpy() / by_method[0].to_numpy()
            assert box["median"] == pytest.approx(np.median(each))
        assert column[4].get_ylim() == (0, 4)
        assert [to_hex(line.get_color()) for line in dotted(column[4])] == ["#e69f00"]
    said = " ".join(texts(figure)).replace("\n", " ")
    assert "fMRI is absent: register at a data site" in said
    assert [t for t in "ABCDE" if t in texts(figure)] == list("ABCDE")
    assert grid[0, 1].get_title() == "two\n$k_1$=20, $k_2$=90"
    assert_legible(figure)


def test_experiments_have_grey_boxes_of_both_parts_of_the_class_draw():
    predicted, observed, true, errors = tables([(10, 60)], repetitions=12)
    kde = errors[errors["method"] == "kde"]
    error = kde["rmse_curve"]
    noise = kde.assign(method="class_draw", rmse_curve=0.5 * error, rivals_to_k1=0.25 * error)
    settings = [LabelledSetting("e0", 10, "one")]
    figure = experiments_figure(predicted, observed, true, errors, STYLES, settings, noise=noise)
    last, *grey = boxes(figure.axes[3])[-3:]
    assert [box["color"] for box in grey] == ["#c8c8c8", "#f0f0f0"]
    medians = [box["median"] for box in grey]
    assert medians == pytest.approx([last["median"] / 2, last["median"] / 4])
    assert len(boxes(figure.axes[4])) == len(STYLES) - 1
    assert_legible(figure)


def test_fewer_repetitions_of_a_method_are_said():
    predicted, observed, true, errors = tables([(10, 60)], repetitions=6)
    few = [t[(t["method"] != "cleanex") | (t["repetition"] < 2)] for t in (predicted, errors)]
    settings = [LabelledSetting("e0", 10, "one")]
    figure = experiments_figure(few[0], observed, true, few[1], STYLES, settings)
    said = texts(figure)
    assert "n = 2 to 6" in said
    assert {text.rsplit(", ")[-1] for text in said if text.startswith("RMSE 0")} == {
        "n = 2",
        "n = 6",
    }
    assert_legible(figure)


@pytest.mark.parametrize("count", [1, 5, 7])
def test_any_number_of_data_sets_is_legible(count):
    sizes = [((10, 200, 60)[i % 3], (100, 1680, 338)[i % 3]) for i in range(count)]
    predicted, observed, true, errors = tables(sizes, repetitions=2)
    labels = ["LFW, MobileFaceNet, PCA 16", "CIFAR-100", "HCP fingerprints"]
    settings = [LabelledSetting(f"e{i}", k1, labels[i % 3]) for i, (k1, _) in enumerate(sizes)]
    figure = experiments_figure(predicted, observed, true, errors, STYLES, settings)
    assert_legible(figure)


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
    # The first method is drawn last.
    colors = [style.color for style in STYLES.values()]
    assert [to_hex(line.get_color()) for line in marked] == colors[::-1]
    for line, slope in zip(marked, (0.05, 0.2, 0.1), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), [some, last])
        np.testing.assert_allclose(line.get_ydata(), np.array([some, last]) ** -slope)
    assert {"observed", "CleaneX", "Regression", "KDE"} <= set(texts(figure))
    assert_legible(figure)


def with_bands(predicted):
    ends = {"lower": 0.5 * predicted["accuracy"], "upper": 0.5 + 0.5 * predicted["accuracy"]}
    return predicted.assign(**ends)


def test_the_first_method_is_on_top_and_has_the_only_band():
    observed, predicted, some, _ = one_sample(200)
    figure = predicted_curves_figure(
        observed, with_bands(predicted), STYLES, 20, classes=[some]
    )  # fmt: skip
    (axes,) = figure.axes
    band, *others = axes.collections
    assert others == []
    first = STYLES["cleanex"].color
    assert to_hex(band.get_facecolor()[0]) == first
    top = max(axes.lines, key=lambda line: (line.get_zorder(), axes.lines.index(line)))
    assert to_hex(top.get_color()) == first
    low = min(predicted.loc[predicted["method"] == "cleanex", "accuracy"]) / 2
    assert axes.get_ylim()[0] <= low
    handles = figure.legends[0].get_lines()
    colors = [OBSERVED_COLOR, *(style.color for style in STYLES.values())]
    assert sorted(to_hex(line.get_color()) for line in handles) == sorted(colors)
    assert_legible(figure)


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
    assert_legible(figure)
    alone = [t[t["top"] == 5] for t in two]
    (axes,) = predicted_curves_figure(*alone, STYLES, 20).axes
    assert axes.get_ylabel().startswith("top-5 accuracy")


def test_many_methods_have_a_legible_legend():
    observed, predicted, some, _ = one_sample(200)
    keys = {f"kde_number_{i}": "kde" for i in range(5)}
    kde = predicted[predicted["method"] == "kde"]
    table = pd.concat(kde.assign(method=key) for key in keys)
    assert_legible(
        predicted_curves_figure(observed, table, method_styles(keys), 20, classes=[some])
    )


def test_a_k_without_prediction_is_said_in_a_sentence():
    observed, predicted, _, last = one_sample(200)
    with pytest.raises(InputError, match=f"no predicted accuracy of kde at k = {last + 1}"):
        predicted_curves_figure(observed, predicted, STYLES, 20, classes=[last + 1])
    with pytest.raises(InputError, match="no predicted accuracy of kde:"):
        predicted_curves_figure(observed, predicted[predicted["method"] != "kde"], STYLES, 20)
