"""Displays: what they draw is what the library computes, on any axes."""

import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

import accuracy_curves as ac
from conftest import simulated

mpl.use("agg")
import matplotlib.pyplot as plt

MATRIX = simulated(40, 4, variance=0.3)
SEARCHES = ac.ScoreMatrix(
    np.random.default_rng(0).normal(size=(60, 60)) + 4 * np.eye(60), np.arange(60)
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def line(axes, label):
    (found,) = [each for each in axes.get_lines() if each.get_label() == label]
    return found.get_xydata().T


def test_accuracy_curves_are_those_of_the_library():
    display = ac.AccuracyCurveDisplay.from_scores(MATRIX, k=[100, 300], splits=3, seed=4)
    table = display.to_frame()
    seen = table[table["method"] == "observed"]
    np.testing.assert_array_equal(
        seen["accuracy"], ac.average_accuracy(MATRIX, np.arange(2, 41), seed=4)
    )
    asked = table[(table["method"] == "auto") & table["k"].isin([100, 300])]
    expected = ac.ClassIntervals(MATRIX, splits=3, seed=4).interval([100, 300])
    for name in ("accuracy", "lower", "upper", "set_lower", "set_upper"):
        np.testing.assert_array_equal(asked[name], getattr(expected, name))
    marks = [each for each in display.ax_.get_lines() if each.get_marker() == "o"]
    np.testing.assert_array_equal(
        marks[0].get_xydata(), np.column_stack([[100, 300], expected.accuracy])
    )
    assert display.figure_ is display.ax_.figure
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == ["observed", "Auto"]
    own = ac.AccuracyCurveDisplay(curves=pd.concat([seen, asked]), n_classes=40).plot()
    assert own.ax_.get_ylabel().startswith("accuracy")


def test_several_methods_and_tops():
    display = ac.AccuracyCurveDisplay.from_scores(
        MATRIX, method=["gaussian_tail", "auto"], k=80, top=3, splits=0
    )
    assert len(display.ax_.get_legend().get_texts()) == 3
    assert "top-3 accuracy" in display.ax_.get_ylabel()
    table = display.to_frame()
    at = table[(table["method"] == "gaussian_tail") & (table["k"] == 80)]
    fitted = ac.EXTRAPOLATORS["gaussian_tail"]().fit(MATRIX)
    np.testing.assert_array_equal(at["accuracy"], fitted.predict(80, 3))
    assert table["lower"].isna().all()


def test_axes_of_ones_own_and_drawing_again():
    _, (left, right) = plt.subplots(1, 2)
    display = ac.AccuracyCurveDisplay.from_scores(MATRIX, method="regression", splits=0, ax=left)
    assert display.ax_ is left
    drawn = [each.get_xydata() for each in left.get_lines()]
    assert display.plot(right) is display
    assert display.ax_ is right
    for one, other in zip(drawn, right.get_lines(), strict=True):
        np.testing.assert_array_equal(one, other.get_xydata())
    assert display.plot().ax_ is not right


def test_a_sample_too_small_for_an_interval_has_none():
    display = ac.AccuracyCurveDisplay.from_scores(simulated(5, 3), method="kde", splits=0)
    assert display.to_frame()["lower"].isna().all()


def test_distances_that_are_not_stored_and_ranks():
    gallery = np.random.default_rng(0).normal(size=(30, 5))
    matrix = ac.DistanceMatrix(gallery + 0.5, gallery, np.arange(30))
    display = ac.AccuracyCurveDisplay.from_scores(matrix, method="regression", splits=3)
    assert display.n_classes == 30
    found, stored = map(ac.ReversedROCDisplay.from_scores, (matrix, matrix.stored()))
    np.testing.assert_array_equal(found.curves, stored.curves)


def test_it_warns_as_the_library_does():
    wrong = ac.ScoreMatrix(MATRIX.scores, MATRIX.labels)
    with pytest.warns(ac.AccuracyWarning) as caught:
        ac.AccuracyCurveDisplay.from_scores(wrong, splits=0, method="empirical_bayes")
    assert "wrong_direction" in [each.message.reason for each in caught]
    assert {each.filename for each in caught} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ac.AccuracyCurveDisplay.from_scores(simulated(60, 4, variance=0.3), splits=0)


@pytest.mark.parametrize("display", [ac.DETDisplay, ac.FNIRDisplay])
def test_identification_warns_of_galleries_too_large(display):
    with pytest.warns(ac.AccuracyWarning) as caught:
        display.from_scores(SEARCHES, k=[100, 10**6])
    expected = ac.Identification(SEARCHES).cautions([100, 10**6])
    assert [str(each.message) for each in caught] == [str(each) for each in expected]
    assert [each.reason for each in expected] == ["too_far", "few_errors"]
    assert {each.filename for each in caught} == {__file__}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [({"method": "log_linear", "top": 5}, "top-5"), ({"k": 1}, "number of classes")],
)
def test_what_cannot_be_drawn_is_one_sentence(arguments, word):
    with pytest.raises(ac.InputError, match=word):
        ac.AccuracyCurveDisplay.from_scores(MATRIX, **{"splits": 3, **arguments})
    assert plt.get_fignums() == []


def test_reversed_rocs_share_axes():
    first = ac.ReversedROCDisplay.from_scores(MATRIX, name="first")
    second = ac.ReversedROCDisplay.from_scores(
        simulated(40, 4, variance=0.6), name="second", ax=first.ax_
    )
    assert second.figure_ is first.figure_
    label = f"first (rAUC = {ac.reversed_auc(MATRIX):.4f})"
    u, rate = line(first.ax_, label)
    np.testing.assert_array_equal(rate, ac.reversed_roc(MATRIX, u))
    np.testing.assert_array_equal(first.to_frame(), np.column_stack([u, rate]))
    # The area under the curve is what the legend says.
    assert np.trapezoid(rate, u) == pytest.approx(first.reversed_auc, abs=2e-3)


def test_identification_is_drawn_as_it_is_predicted():
    found = ac.Identification(SEARCHES, splits=3)
    det = ac.DETDisplay.from_scores(SEARCHES, k=[1000]).to_frame()
    part = det[(det["gallery_size"] == 1000) & (det["method"] == "auto")]
    np.testing.assert_array_equal(part["fnir"], found.fnir_at_fpir(1000, part["fpir"]))
    display = ac.FNIRDisplay.from_scores(SEARCHES, k=500, fpir=[0.3, 0.1], splits=3)
    part = display.to_frame().query("fpir == 0.1 and method == 'auto'")
    expected = found.fnir_at_fpir_interval(part["gallery_size"], 0.1)
    np.testing.assert_array_equal(part["upper"], expected.upper)
    assert part["gallery_size"].iloc[-1] == 500


def test_tables_of_ones_own_are_drawn():
    curves = pd.DataFrame(
        {"method": "auto", "gallery_size": 10, "fpir": [0.1, 0.2], "fnir": [0.3, 0.2]}
    )
    display = ac.DETDisplay(curves=curves).plot()
    np.testing.assert_array_equal(line(display.ax_, "10 enrolled"), [[0.1, 0.2], [0.3, 0.2]])


def test_where_groups_are_drawn_a_curve_counts_classes():
    matrix = ac.simulate(n_classes=60, variance=0.3).grouped(np.arange(60) // 2)
    display = ac.AccuracyCurveDisplay.from_scores(matrix, splits=3)
    assert (display.n_classes, display.curves["k"].max()) == (60, 600)
