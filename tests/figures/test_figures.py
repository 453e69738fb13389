import os
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from PIL import Image

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.prediction.plots.layout import text_width, wrapped, wrapped_label
from accuracy_curves.prediction.plots.style import method_styles, save_figure
from conftest import ROOT
from drawn import E0, STYLES, errors_of, tables
from experiments.figures.boxplots import rmse_boxplots
from experiments.figures.curves import curve_grid
from experiments.figures.experiments import experiments_figure
from experiments.figures.labelled_settings import LabelledSetting, thinned


def test_a_method_has_the_colour_and_label_of_its_extrapolator():
    styles = method_styles({"cleanex": "cleanex", "regression": "regression", "kde": "kde"})
    assert list(styles) == ["cleanex", "regression", "kde"]
    for name, style in styles.items():
        kind = EXTRAPOLATORS[name]
        assert (style.label, style.color) == (kind.label, to_hex(kind.color))
    assert styles == STYLES


def test_several_keys_of_an_extrapolator_differ_in_label_and_shade():
    keys = {"kde": "kde", "kde_ucv": "kde", "cleanex": "cleanex", "kde_sj": "kde"}
    styles = method_styles(keys)
    assert [style.label for style in styles.values()] == [
        *("KDE", "KDE, ucv", "CleaneX", "KDE, SJ")
    ]
    assert len({style.color for style in styles.values()}) == 4
    assert styles["kde"].color == STYLES["kde"].color
    assert method_styles(keys) == styles
    assert method_styles({"mine": "kde"})["mine"].label == "KDE"
    with pytest.raises(InputError, match="no method is called 'lda'"):
        method_styles({"lda": "lda"})


def save_small_figure(stem):
    predicted, observed, true, errors = tables([(10, 60)])
    settings = [LabelledSetting("e0", 10, r"one $\sigma^2$, σ²")]
    figure = curve_grid(predicted, observed, true, STYLES, settings, errors=errors)
    return save_figure(figure, stem, "commit 0123, σ² = 1")


def test_a_figure_of_fewer_curves_than_errors_says_how_many():
    predicted, observed, true, errors = tables([(10, 60)])
    settings = [LabelledSetting("e0", 10, "one")]
    for given, said in ((None, False), (2, True)):
        figure = curve_grid(
            predicted, observed, true, STYLES, settings, errors=errors, repetitions=given
        )
        legend = " ".join(text.get_text() for text in figure.legends[0].get_texts())
        assert ("(curves of 2 repetitions)" in legend) == said


def test_a_saved_figure_is_the_same_to_the_byte(tmp_path):
    # Another process, with another order of sets, and no display.
    script = "import sys, test_figures; test_figures.save_small_figure(sys.argv[1])"
    path = os.pathsep.join(
        str(ROOT / folder) for folder in ("workflow", "tests", "tests/support", "tests/figures")
    )
    subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "a")],
        check=True,
        env={"PYTHONHASHSEED": "1", "PYTHONPATH": path, "PATH": "", "OMP_NUM_THREADS": "2"},
    )
    with matplotlib.rc_context({"font.size": 20, "lines.linewidth": 9, "savefig.bbox": "tight"}):
        written = [save_small_figure(tmp_path / name) for name in "bc"]
    assert [path.name for path in written[0]] == ["b.pdf", "b.png"]
    for suffix in ("pdf", "png"):
        contents = {(tmp_path / f"{name}.{suffix}").read_bytes() for name in "abc"}
        assert len(contents) == 1


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


def test_letters_are_embedded_as_truetype(tmp_path):
    figure = rmse_boxplots(errors_of({"kde": [0.1, 0.2]}), {"kde": STYLES["kde"]}, [E0])
    written = save_figure(figure, tmp_path / "figure")[0].read_bytes()
    assert b"/CIDFontType2" in written
    assert b"/Type3" not in written


def test_a_figure_that_cannot_be_written_is_said_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write to the folder"):
        save_figure(Figure(), tmp_path / "file" / "figure")


def test_drawing_leaves_matplotlib_as_it_was():
    before = dict(matplotlib.rcParams)
    rmse_boxplots(errors_of({"kde": [0.1, 0.2]}), {"kde": STYLES["kde"]}, [E0])
    assert dict(matplotlib.rcParams) == before


def test_lines_break_within_their_width_and_not_in_mathematics():
    text = "one two $k_1 = 3$ three four"
    for width in (0.3, 0.6, 1.0, 5.0):
        lines = wrapped(text, width).split("\n")
        assert " ".join(lines) == text
        assert all(
            text_width(line) <= width or " " not in line.replace(" = ", "") for line in lines
        )
    assert wrapped(text, 5.0) == text
    assert wrapped("costs 5$ or\nmore", 5.0) == "costs 5$ or\nmore"


def test_labels_break_at_commas_first():
    assert wrapped_label("normal classes, normal points", 1.0) == "normal classes\nnormal points"
    assert wrapped_label("normal classes, normal points", 9.0) == "normal classes, normal points"
    assert wrapped_label("two words", 0.3) == "two\nwords"


def test_thinned_curves_keep_their_ends_and_follow_the_curve():
    k = np.arange(2, 2001)
    kept = thinned(k)
    assert kept[0] == 2
    assert kept[-1] == 2000
    assert len(kept) <= 150
    assert np.all(np.diff(kept) > 0)
    accuracy = 0.3 / (0.3 + (k - 1) / 100)
    drawn = np.interp(k, kept, accuracy[kept - 2])
    assert np.abs(drawn - accuracy).max() < 5e-4
    np.testing.assert_array_equal(thinned(k[:40]), k[:40])
    huge = np.unique(np.geomspace(2, 10**18, 1000).astype(np.int64))
    assert thinned(huge)[[0, -1]].tolist() == [2, huge[-1]]


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda p, o, t, e, s: curve_grid(p, o, t, STYLES, s), "no curve of kde in e0 at k1 = 10"),
        (lambda p, o, t, e, s: rmse_boxplots(e, STYLES, s), "no rmse_curve of kde in e0"),
        (
            lambda p, o, t, e, s: experiments_figure(p, o, t, e, STYLES, s),
            "no curve of kde in e0 at k1 = 10: the methods that have one are cleanex, regression",
        ),
        (
            lambda p, o, t, e, s: experiments_figure(p, o, t, e, {}, s),
            "the reference method 'cleanex' is not in the figure",
        ),
        (
            lambda p, o, t, e, s: experiments_figure(p, o, t, e, STYLES, []),
            "no data set is left",
        ),
        (
            lambda p, o, t, e, s: curve_grid(p, o[:0], t, {"cleanex": STYLES["cleanex"]}, s),
            "no curve of observed in e0",
        ),
        (
            lambda p, o, t, e, s: curve_grid(p, o, t[:0], {"cleanex": STYLES["cleanex"]}, s),
            "no true curve of e0",
        ),
        (lambda p, o, t, e, s: rmse_boxplots(e, STYLES, []), "at least one method and one setting"),
        (lambda p, o, t, e, s: curve_grid(p, o, t, {}, s), "at least one method and one setting"),
        (lambda p, o, t, e, s: rmse_boxplots(p, STYLES, s), "errors has no column rmse_curve"),
    ],
)
def test_what_a_figure_lacks_is_said_in_a_sentence(draw, sentence):
    made = tables([(10, 60)], methods=("cleanex", "regression"))
    with pytest.raises(InputError, match=sentence) as caught:
        draw(*made, [E0])
    assert "\n" not in str(caught.value)
