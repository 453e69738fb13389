import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from drawn import E0, STYLES, boxes, dotted, errors_of, texts
from experiments.figures.boxplots import Boxplots, draw_ratios
from experiments.figures.shown import LabelledSetting


def noise(experiment="e0"):
    found = errors_of({"class_draw": [0.1, 0.2, 0.4] * 5}, experiment)
    return found.assign(rivals_to_k1=[0.3, 0.5, 0.7] * 5)


def test_boxes_are_quartiles_with_whiskers_within_one_and_a_half_iqr():
    rng = np.random.default_rng(1)
    found = {method: rng.lognormal(-3, 1, 50) for method in STYLES}
    figure = Boxplots().draw(errors_of(found), STYLES, [E0], noise())
    drawn = boxes(figure.axes[0])[2:]
    for box, values in zip(drawn, found.values(), strict=True):
        lower, middle, upper = np.percentile(values, [25, 50, 75])
        assert box["box"] == pytest.approx((lower, upper))
        assert box["median"] == pytest.approx(middle)
        fence = 1.5 * (upper - lower)
        inside = values[(values >= lower - fence) & (values <= upper + fence)]
        assert len(inside) < 50, "no outlier: the case shows nothing"
        assert box["whiskers"] == pytest.approx((inside.min(), inside.max()))
        assert figure.axes[0].get_ylim()[1] > inside.max()
    assert "n = 15 to 50" in texts(figure)


def test_long_panels_go_on_and_groups_say_their_k1():
    many = [LabelledSetting(f"e{i}", 10, f"label {i}") for i in range(10)]
    table = pd.concat(errors_of({"kde": [0.1, 0.3]}, s.experiment) for s in many)
    grey = pd.concat(noise(s.experiment) for s in many)
    figure = Boxplots().draw(table, {"kde": STYLES["kde"]}, many, grey)
    assert [len(axes.get_xticklabels()) for axes in figure.axes] == [5, 5]
    assert "label 7\n$k_1 = 10$" in texts(figure)


def test_a_box_is_hidden_only_where_all_its_values_are_above_the_cap():
    table = pd.concat(
        [
            errors_of({"cleanex": [0.01, 0.2] * 5, "kde": [0.06, 0.2] * 5}),
            errors_of({"cleanex": [0.01, 0.2] * 5, "kde": [0.04, 0.2] * 5}, "e1"),
        ]
    )
    styles = {key: STYLES[key] for key in ("cleanex", "kde")}
    settings = [E0, LabelledSetting("e1", 10, "two")]
    grey = pd.concat([noise(), noise("e1")])
    figure = Boxplots(hide_above=0.05).draw(table, styles, settings, grey)
    assert len(boxes(figure.axes[0])) == 3 + 4
    assert texts(figure).count("KDE > 0.05") == 1
    for rule, n in (({"k1": [10]}, 1), ({"k1": [20]}, 0), ({"methods": ["cleanex"]}, 0)):
        only = {f"hidden_{key}": names for key, names in rule.items()}
        figure = Boxplots(hide_above=0.05, **only).draw(table, styles, settings, grey)
        assert len(boxes(figure.axes[0])) == 4 + 4 - n


def test_few_values_are_points_and_a_line_at_their_median():
    few = [0.1, 0.2, 0.2, 0.3, 0.9]
    table = errors_of({"cleanex": few, "kde": few * 2})
    styles = {key: STYLES[key] for key in ("cleanex", "kde")}
    (axes,) = Boxplots().draw(table, styles, [E0], noise()).axes
    assert len(boxes(axes)) == 1 + 2
    points, median = axes.collections
    np.testing.assert_allclose(np.sort(points.get_offsets()[:, 1]), few)
    assert {*median.get_segments()[0][:, 1]} == {0.2}
    assert axes.get_ylim()[1] > 0.9


def test_the_noise_of_the_class_draw_is_two_grey_boxes_that_are_never_hidden():
    kde = errors_of({"kde": [0.06, 0.2] * 5})
    hiding = Boxplots(hide_above=0.05)
    figure = hiding.draw(kde, {"kde": STYLES["kde"]}, [E0], noise())
    assert [box["median"] for box in boxes(figure.axes[0])] == pytest.approx([0.2, 0.5])
    assert "KDE > 0.05" in texts(figure)


def test_ratios_are_capped_with_a_line_at_one():
    figure = Figure()
    axes = figure.subplots()
    ratios = {"kde": np.array([1.0, 2.0, 2.0, 9.0] * 5), "regression": np.full(20, 6.0)}
    slots = [(at, STYLES[name].color, found) for at, (name, found) in enumerate(ratios.items())]
    draw_ratios(axes, slots, STYLES["cleanex"].color)
    assert axes.get_ylim() == (0, 4)
    (line,) = dotted(axes)
    assert set(line.get_ydata()) == {1.0}
    # The box of uncapped ratios 1, 2, 2, 9; and a median of 6, beyond the axis, in words.
    assert boxes(axes)[0]["box"] == pytest.approx((1.75, 3.75))
    assert texts(figure).count("median 6.0") == 1
