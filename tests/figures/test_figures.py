import matplotlib
import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from accuracy_curves.answers.plots import paper_style, save_figure
from accuracy_curves.extrapolators import EXTRAPOLATORS
from drawn import E0, STYLES, tables
from experiments.evaluation.thinning import thinned
from experiments.figures.curves import AccuracyCurves
from experiments.figures.panels import text_width, wrapped
from experiments.figures.shown import key_styles


def test_a_method_has_the_colour_and_label_of_its_extrapolator():
    styles = key_styles({"cleanex": "cleanex", "regression": "regression", "kde": "kde"})
    assert list(styles) == ["cleanex", "regression", "kde"]
    for name, style in styles.items():
        kind = EXTRAPOLATORS[name]
        assert (style.label, style.color) == (kind.label, to_hex(kind.color))
    assert styles == STYLES


def test_several_keys_of_an_extrapolator_differ_in_label_and_shade():
    keys = {"kde": "kde", "kde_ucv": "kde", "cleanex": "cleanex", "kde_sj": "kde"}
    styles = key_styles(keys)
    assert [style.label for style in styles.values()] == [
        *("KDE", "KDE, ucv", "CleaneX", "KDE, SJ")
    ]
    assert len({style.color for style in styles.values()}) == 4
    assert styles["kde"].color == STYLES["kde"].color
    assert key_styles(keys) == styles
    assert key_styles({"mine": "kde"})["mine"].label == "KDE"


def test_a_saved_figure_is_the_same_whatever_the_users_settings(tmp_path):
    predicted, observed, true, errors = tables([(10, 60)])
    written = []
    for name in "ab":
        with paper_style():
            curves = pd.concat([predicted, observed, true])
            figure = AccuracyCurves().draw(curves, STYLES, [E0], errors)
        with matplotlib.rc_context({"font.size": 20, "savefig.bbox": "tight"} if written else {}):
            written.append([path.read_bytes() for path in save_figure(figure, tmp_path / name)])
    assert written[0] == written[1]


def test_texts_break_at_commas_within_their_width():
    text = "one two three four"
    for width in (0.3, 0.6, 1.0, 5.0):
        lines = wrapped(text, width).split("\n")
        assert " ".join(lines) == text
        assert all(text_width(each) <= width or " " not in each for each in lines)
    assert wrapped(text, 5.0) == text
    assert wrapped("normal classes, normal points", 1.2) == "normal classes\nnormal points"
    assert wrapped("normal classes, normal points", 9.0) == "normal classes, normal points"
    assert wrapped("two words", 0.3) == "two\nwords"


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
