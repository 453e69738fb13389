"""The figures of the answers: marks where they were asked for, and files that are the same."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image

import accuracy_curves as ac
from accuracy_curves.answers.curves import ObservedAnswer
from accuracy_curves.answers.extension import ExtensionAnswer
from accuracy_curves.answers.plots import save_figure
from accuracy_curves.exceptions import InputError
from conftest import simulated
from plug_in import PlugIn

mpl.use("agg")
SAMPLE = simulated(40, 4, variance=0.3)


def one_sample(largest):
    k = np.unique(np.geomspace(2, largest, 50).astype(np.int64))
    seen = np.arange(2, 21)
    observed = pd.DataFrame({"top": 1, "k": seen, "accuracy": seen**-0.1})
    predicted = pd.concat(
        pd.DataFrame({"method": key, "top": 1, "k": k, "accuracy": k**-slope})
        for key, slope in (("cleanex", 0.1), ("regression", 0.2), ("kde", 0.05))
    )
    return observed, predicted, [int(k[10]), int(k[-1])]


@pytest.mark.parametrize(("largest", "scale"), [(200, "linear"), (201, "log"), (10**12, "log")])
def test_the_answer_has_marks_at_the_classes_of_the_question(largest, scale):
    observed, predicted, classes = one_sample(largest)
    methods = {"cleanex": "CleaneX", "regression": "Regression (rises)", "kde": "KDE"}
    drawn = {"methods": methods, "color": "C1", "observed": observed, "predicted": predicted}
    answer = ExtensionAnswer(classes=classes, tops=(1,), k1=20, models={}, runs=None, **drawn)
    axes = answer.plot(Figure().subplots())
    assert axes.get_xscale() == scale
    (marked,) = [line for line in axes.lines if line.get_marker() == "o"]
    np.testing.assert_array_equal(marked.get_xdata(), classes)
    np.testing.assert_allclose(marked.get_ydata(), np.array(classes) ** -0.1)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert labels == ["observed", *methods.values()]


def test_an_answer_is_drawn_on_axes_of_ones_own_and_again():
    answer = ac.predict(SAMPLE, [80, 200], ["gaussian_tail", "regression"], splits=3)
    _, (left, right) = plt.subplots(1, 2)
    assert answer.plot(left) is left
    assert answer.plot(right) is right
    for one, other in zip(left.lines, right.lines, strict=True):
        np.testing.assert_array_equal(one.get_xydata(), other.get_xydata())
    (drawn,) = [line for line in left.lines if line.get_label() == "Gaussian tail"]
    fitted = ac.EXTRAPOLATORS["gaussian_tail"]().fit(SAMPLE)
    k = drawn.get_xdata().astype(int)
    np.testing.assert_allclose(drawn.get_ydata(), fitted.predict(k), rtol=1e-12)
    assert answer.plot().figure is not left.figure
    plt.close("all")


def rates():
    rng = np.random.default_rng(0)
    scores = np.r_[rng.normal(size=(60, 60)) + 6 * np.eye(60), rng.normal(size=(30, 60))]
    searches = ac.Searches(scores, np.append(np.arange(60), np.full(30, -1)))
    return ac.identify(searches, [400, 2000], fpir=[0.1, 1 / 30], splits=3)


OTHER = simulated(40, 4, variance=0.2)
ANSWERS = {
    "near": lambda: ac.predict(SAMPLE, [50, 100], ["gaussian_tail", "regression"], splits=3),
    "far, two tops": lambda: ac.predict(SAMPLE, 1000, "gaussian_tail", tops=(1, 3), splits=3),
    "a method of one's own": lambda: ac.predict(SAMPLE, [50, 100], PlugIn(), splits=0),
    "two systems": lambda: ac.compare(SAMPLE, OTHER, 50, "regression", splits=3),
    "plan": lambda: ac.plan(SAMPLE, 50, 0.1, "regression", splits=3),
    "observed": lambda: ObservedAnswer(SAMPLE),
    "rates": rates,
}


@pytest.mark.filterwarnings("ignore::accuracy_curves.AccuracyWarning")
@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_drawn_is_within_the_axes_and_named_once(name):
    figure = ANSWERS[name]().figure()
    for axes in figure.axes:
        (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
        for line in (each for each in axes.lines if each.get_transform() == axes.transData):
            x, y = line.get_data()
            assert left <= min(x) <= max(x) <= right
            assert len(x) < 3 or min(x) < max(x)
            assert low <= np.nanmax(y) <= high
            # Rates are drawn from 1 in 10,000.
            assert low <= np.nanmin(y) or axes.get_yscale() == "log"
    for legend in (*figure.legends, *filter(None, (each.get_legend() for each in figure.axes))):
        labels = [each.get_text() for each in legend.get_texts()]
        assert len(set(labels)) == len(labels)


def test_a_saved_figure_says_where_it_comes_from_and_not_when(tmp_path):
    stem = tmp_path / "sub" / "sigma0.1"
    pdf, png = save_figure(Figure(figsize=(2, 1)), stem, "commit 0123")
    assert (pdf.name, png.name) == ("sigma0.1.pdf", "sigma0.1.png")
    written = pdf.read_bytes()
    assert b"commit 0123" in written
    assert b"CreationDate" not in written
    with Image.open(png) as image:
        assert image.text == {"Software": "accuracy-curves", "Description": "commit 0123"}
        assert image.size == (400, 200)
        assert image.info["dpi"][0] == pytest.approx(200, abs=0.1)
    assert sorted(path.name for path in stem.parent.iterdir()) == ["sigma0.1.pdf", "sigma0.1.png"]


def test_a_figure_that_cannot_be_written_is_said_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        save_figure(Figure(), tmp_path / "file" / "figure")
