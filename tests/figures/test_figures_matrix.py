import numpy as np
import pandas as pd
import pytest

from accuracy_curves.exceptions import InputError
from drawn import E0, STYLES, errors_of
from experiments.figures.matrix import matrix_figure
from experiments.figures.shown import LabelledSetting

ERRORS = pd.concat(
    [
        # Medians .02 .04 .01.
        errors_of({"cleanex": [0.02, 0.02, 0.3], "regression": [0.04] * 3, "kde": [0.01] * 3}),
        errors_of({"cleanex": [0.002] * 4, "regression": [0.1] * 9, "kde": [0.002] * 9}, "e1"),
    ]
)


def cells(figure):
    """(column, row) -> number and weight."""
    axes = figure.axes[0]
    return {
        tuple(int(each) for each in text.get_position()): (text.get_text(), text.get_fontweight())
        for text in axes.texts
    }


def test_numbers_are_medians_and_the_smallest_of_a_row_is_bold():
    figure = matrix_figure(ERRORS, STYLES, [E0, LabelledSetting("e1", 10, "two", "one")], "cleanex")
    found = cells(figure)
    assert {place: text for place, (text, _) in found.items()} == {
        **{(0, 0): "20", (1, 0): "40", (2, 0): "10"},
        # The row between is the panel's name.
        **{(0, 2): "2.0", (1, 2): "100", (2, 2): "2.0"},
    }
    bold = {place for place, (_, weight) in found.items() if weight == "bold"}
    assert bold == {(2, 0), (0, 2), (2, 2)}
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["one, $k_1$ = 10, n = 3", "one", "two, n = 4"]


def test_colours_are_ratios_of_the_numbers_and_stop_at_four():
    figure = matrix_figure(ERRORS, STYLES, [E0, LabelledSetting("e1", 10, "two", "one")], "cleanex")
    shades = np.ma.filled(figure.axes[0].images[0].get_array(), np.nan)
    np.testing.assert_allclose(4.0 ** shades[[0, 2]], [[1, 2, 0.5], [1, 4, 1]])
    # The row of the panel's name has no colour.
    assert np.isnan(shades[1]).all()


def test_a_number_too_long_for_its_cell_is_cut():
    errors = errors_of({"cleanex": [0.5], "kde": [13.696]})
    figure = matrix_figure(errors, {key: STYLES[key] for key in ("cleanex", "kde")}, [E0], "kde")
    assert [text for text, _ in cells(figure).values()] == ["500", ">999"]


@pytest.mark.parametrize(
    ("show", "numbers", "bold", "shades", "said"),
    [
        # KDE has the first two repetitions alone: the row is of these.
        ("bias", ["−30", "60", "−25"], 2, [-0.3, 0.6, -0.25], "bias at $k_2$ in thousandths"),
        ("sd", ["10", "0.0", "5.0"], 1, [0, -1, -0.5], "sd at $k_2$ over that"),
    ],
)
def test_bias_and_sd_at_k2(show, numbers, bold, shades, said):
    at_k2 = {"cleanex": [-0.04, -0.02, 0.12], "regression": [0.06] * 3, "kde": [-0.03, -0.02]}
    errors = errors_of(at_k2).rename(columns={"rmse_curve": "error_at_k2"})
    figure = matrix_figure(errors, STYLES, [E0], "cleanex", show)
    found = cells(figure)
    assert [found[column, 0][0] for column in range(3)] == numbers
    assert [place for place, (_, weight) in found.items() if weight == "bold"] == [(bold, 0)]
    np.testing.assert_allclose(np.asarray(figure.axes[0].images[0].get_array())[0], shades)
    assert figure.axes[1].get_xlabel().startswith(said)


def test_a_reference_without_spread_has_no_ratio():
    errors = errors_of({"cleanex": [0.5], "kde": [0.25]}).rename(
        columns={"rmse_curve": "error_at_k2"}
    )
    styles = {key: STYLES[key] for key in ("cleanex", "kde")}
    figure = matrix_figure(errors, styles, [E0], "cleanex", "sd")
    assert np.isnan(np.ma.filled(figure.axes[0].images[0].get_array(), np.nan)[0, 1])


def test_numbers_and_colours_are_of_the_same_repetitions():
    # Alone, KDE's nine values have a smaller median than CleaneX's five; in the same five a larger.
    errors = errors_of({"cleanex": [0.04] * 5, "kde": [0.05] * 5 + [0.001] * 6})
    styles = {key: STYLES[key] for key in ("cleanex", "kde")}
    figure = matrix_figure(errors, styles, [E0], "cleanex")
    found = cells(figure)
    assert (found[0, 0][0], found[1, 0][0]) == ("40", "50")
    assert found[0, 0][1] == "bold"
    shades = 4.0 ** np.asarray(figure.axes[0].images[0].get_array())
    np.testing.assert_allclose(shades[0], [1, 1.25])
    apart = errors_of({"cleanex": [0.04, np.nan], "kde": [np.nan, 0.05]})
    with pytest.raises(InputError, match="no repetition of e0 at k1 = 10 has a rmse_curve of each"):
        matrix_figure(apart, styles, [E0], "cleanex")
