"""The figures of the answers: marks where they were asked for, and files that are the same."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from PIL import Image
from test_looks import FIGURES

from accuracy_curves.answers.accuracy_plots import predicted_curves_figure
from accuracy_curves.answers.style import gradient, method_styles, save_figure
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
    return observed, predicted, [int(k[10]), int(k[-1])]


@pytest.mark.parametrize(("largest", "scale"), [(200, "linear"), (201, "log"), (10**12, "log")])
def test_predicted_curves_have_marks_where_they_were_asked_for(largest, scale):
    observed, predicted, asked = one_sample(largest)
    (axes,) = predicted_curves_figure(observed, predicted, STYLES, 20, classes=asked).axes
    assert axes.get_xscale() == scale
    marked = [line for line in axes.lines if line.get_marker() == "o"]
    for line, slope in zip(marked, (0.05, 0.2, 0.1), strict=True):
        np.testing.assert_array_equal(line.get_xdata(), asked)
        np.testing.assert_allclose(line.get_ydata(), np.array(asked) ** -slope)


@pytest.mark.filterwarnings("ignore::accuracy_curves.AccuracyWarning")
@pytest.mark.parametrize("name", FIGURES)
def test_what_is_drawn_is_within_the_axes_and_named_once(name):
    figure = FIGURES[name]()
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


@pytest.mark.parametrize("n", [2, 5])
def test_a_gradient_ends_dark(n):
    assert gradient(n)[-1] == mpl.colors.to_hex(mpl.colormaps["viridis_r"](1.0))


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
