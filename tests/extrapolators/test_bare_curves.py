from inspect import signature

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.extrapolators.regression import radial_favorabilities

K, ACCURACY = [10, 20, 50, 100], [0.98, 0.97, 0.95, 0.93]


@pytest.mark.parametrize(
    "method", ["two_parameter", "pitman_yor", "information", "regression", "spline"]
)
def test_a_whole_curve_gives_what_the_sample_gives(method):
    rng = np.random.default_rng(0)
    matrix = ac.ScoreMatrix(rng.normal(size=(60, 30)) + 2 * np.eye(60, 30), np.arange(60) % 30)
    k = np.arange(2, 31)
    model = ac.fit_curve(k[::-1], ac.average_accuracy(matrix, k[::-1]), method)
    expected = ac.extrapolate(matrix, [30, 1000], method)
    np.testing.assert_allclose(model.predict([30, 1000]), expected, rtol=1e-9)


WEIGHED = [
    name
    for name, kind in ac.EXTRAPOLATORS.items()
    if issubclass(kind, CurveExtrapolator) and "weights" in signature(kind._fit_curve).parameters
]


@pytest.mark.parametrize("method", WEIGHED)
def test_a_point_with_thrice_the_count_counts_as_three_points(method):
    k, accuracy = [3, 10, 40, 90], [0.97, 0.96, 0.85, 0.83]
    weighed = ac.fit_curve(k, accuracy, method, counts=[3, 3, 3, 9])
    repeated = make_extrapolator(method)
    repeated._fit_curve(np.array([*k, 90, 90]), np.array([*accuracy, 0.83, 0.83]))
    np.testing.assert_allclose(
        weighed.predict([2, 50, 1000]), repeated.predict([2, 50, 1000]), atol=1e-6
    )


@pytest.mark.parametrize("count", [1, 1000])
def test_many_points_weigh_as_they_are_counted(count):
    """A curve of 600 k, where all else is noise: each point counts, none is skipped."""
    k = np.arange(2, 602)
    right = 1 / (1 + 0.002 * k)
    heavy = k % 2 == 0
    seen = np.where(heavy, right, 0.5)
    counts = np.where(heavy, 10**9, count)
    model = ac.fit_curve(k, seen, "two_parameter", counts=counts)
    expected = ac.fit_curve(k[heavy], right[heavy], "two_parameter")
    np.testing.assert_allclose(
        model.predict([100, 10_000]), expected.predict([100, 10_000]), atol=1e-4
    )


def test_a_flat_or_noisy_curve_is_no_rise():
    for accuracy in ([0.97, 0.97, 0.97, 0.971], [1, 1, 1, 1], [0.96, 0.99, 0.95, 0.975]):
        ac.fit_curve(K, accuracy)


@pytest.mark.parametrize("top", [2, 10])
def test_hit_rates_at_t_tell_the_law_that_they_are_of(top):
    law = radial_favorabilities(1.3, 0.7, 1.0)
    k = np.array([20, 50, 100, 150, 200, 1000])
    model = ac.fit_curve(k, law.accuracy(k, top), top=top)
    for t in (1, top):
        expected = law.accuracy(np.array([3000, 10**5]), t)
        np.testing.assert_allclose(model.predict([3000, 10**5], t), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("curve", "options", "sentence"),
    [
        ((K, ACCURACY[:3]), {}, "4 k, 3 accuracies, 4 counts"),
        ((K[:2], ACCURACY[:2]), {}, "at 3 numbers of classes or more, each once"),
        (([10, 10, 20, 50], ACCURACY), {}, "each once"),
        ((K, [98, 97, 95, 93]), {}, "give shares, not per cent"),
        ((K, [*ACCURACY[:3], np.nan]), {}, "not from 0 to 1"),
        ((K[::-1], ACCURACY), {}, "rises with k, from 0.93 at 10 to 0.98 at 100"),
        (([2, 5, 9, 40], [0.85, 0.96, 0.985, 0.99]), {}, "no rank, as of a CMC"),
        ((K, ACCURACY), {"method": "pitman_yor", "top": 5}, "top 1 alone"),
        (([1, 20, 50, 100], ACCURACY), {}, "is not a number of classes"),
        ((K, ACCURACY), {"counts": [1, 2, 0, 3]}, "a count of the curve is not above 0"),
        ((K, ACCURACY), {"method": "auto"}, "auto needs the scores behind a curve"),
        (([2, 3, 4], ACCURACY[:3]), {"method": "spline", "counts": [1, 2, 3]}, "leave out"),
        ((K, ACCURACY), {"method": "log_linear", "knots": 3}, "keyword argument 'knots'"),
    ],
)
def test_what_is_no_curve_gets_a_sentence(curve, options, sentence):
    with pytest.raises(InputError, match=sentence) as error:
        ac.fit_curve(*curve, **options)
    assert "\n" not in str(error.value)
