import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import InputError

K, ACCURACY = [10, 20, 50, 100], [0.98, 0.97, 0.95, 0.93]


@pytest.mark.parametrize("method", ["two_parameter", "pitman_yor", "information", "regression"])
def test_a_whole_curve_gives_what_the_sample_gives(method):
    rng = np.random.default_rng(0)
    matrix = ac.ScoreMatrix(rng.normal(size=(60, 30)) + 2 * np.eye(60, 30), np.arange(60) % 30)
    k = np.arange(2, 31)
    model = ac.fit_curve(k[::-1], ac.average_accuracy(matrix, k[::-1]), method)
    expected = ac.extrapolate(matrix, [30, 1000], method)
    np.testing.assert_allclose(model.predict([30, 1000]), expected, rtol=1e-9)


def test_counts_weigh_the_points():
    # A straight line in log k by weighted least squares.
    counts = np.array([100, 1, 1, 40])
    line = np.polyfit(np.log(K), ACCURACY, 1, w=np.sqrt(counts))
    model = ac.fit_curve(K, ACCURACY, "log_linear", counts=counts * 7)
    assert (model.slope_, model.intercept_) == pytest.approx(tuple(line))
    alone = ac.fit_curve(K, ACCURACY, "log_linear")
    assert alone.slope_ == pytest.approx(np.polyfit(np.log(K), ACCURACY, 1)[0])


@pytest.mark.parametrize(
    ("curve", "options", "sentence"),
    [
        ((K, ACCURACY[:3]), {}, "4 k, 3 accuracies, 4 counts"),
        ((K[:2], ACCURACY[:2]), {}, "at 3 numbers of classes or more, each once"),
        (([10, 10, 20, 50], ACCURACY), {}, "each once"),
        ((K, [98, 97, 95, 93]), {}, "give shares, not per cent"),
        ((K, [*ACCURACY[:3], np.nan]), {}, "not from 0 to 1"),
        (([1, 20, 50, 100], ACCURACY), {}, "is not a number of classes"),
        ((K, ACCURACY), {"counts": [1, 2, 0, 3]}, "a count of the curve is not above 0"),
        ((K, ACCURACY), {"method": "auto"}, "auto needs the scores behind a curve"),
        ((K, ACCURACY), {"method": "spline"}, "spline needs the accuracy at every k"),
        (([2, 3, 4], ACCURACY[:3]), {"method": "spline", "counts": [1, 2, 3]}, "leave out"),
        ((K, ACCURACY), {"method": "log_linear", "knots": 3}, "no option 'knots'"),
    ],
)
def test_what_is_no_curve_gets_a_sentence(curve, options, sentence):
    with pytest.raises(InputError, match=sentence) as error:
        ac.fit_curve(*curve, **options)
    assert "\n" not in str(error.value)
