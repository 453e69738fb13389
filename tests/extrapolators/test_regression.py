import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators._radial_basis import radial_knots, radial_moments
from accuracy_curves.extrapolators.regression import Regression
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix, subsample
from conftest import simulated


def fit_curve(accuracy, **options):
    method = Regression(**options)
    method._fit_curve(np.arange(2, len(accuracy) + 2), np.asarray(accuracy))
    return method


def test_fits_the_observed_curve_as_well_as_least_squares():
    sample = subsample(simulated(300, 5), 100, seed=1)
    method = Regression().fit(sample)
    k, accuracy = method.observed(sample)
    np.testing.assert_array_equal(method.knots_, radial_knots(100, 0.4))
    basis = radial_moments(method.knots_, 0.4, k)
    best = basis @ np.linalg.lstsq(basis, accuracy)[0]
    np.testing.assert_allclose(method.predict(k), best, rtol=0, atol=5e-4)
    assert np.mean((method.predict(k) - accuracy) ** 2) < np.mean((best - accuracy) ** 2) + 1e-7


def test_predicts_held_out_classes():
    matrix = simulated(1000, 10, d=5, variance=0.2)
    k = np.arange(2, 1001)
    true = average_accuracy(matrix, k)
    errors = []
    for seed in range(5):
        predicted = Regression().fit(subsample(matrix, 100, seed)).predict(k)
        errors.append(np.sqrt(np.mean((predicted - true) ** 2)))
    assert np.median(errors) < 0.06


@settings(max_examples=15)
@given(weights=st.lists(st.floats(0, 1), min_size=20, max_size=20))
def test_a_curve_of_the_span_is_recovered(weights):
    weights = np.array(weights) + 1e-3
    weights /= weights.sum()
    knots = radial_knots(100, 0.4)
    assert len(knots) == len(weights)
    k = np.array([2, 5, 20, 100, 200, 500])
    true = radial_moments(knots, 0.4, k) @ weights
    observed = radial_moments(knots, 0.4, np.arange(2, 101)) @ weights
    error = np.abs(fit_curve(observed).predict(k) - true)
    # Newton-CG stops before the minimum: over many drawn weights up to .0012 were seen.
    assert error[:4].max() < 2e-3
    assert error[4:].max() < 0.04


def test_solution_has_a_vanishing_gradient_and_starts_at_zero():
    # With h = 10 the basis is one knot at 0 and the constant: a well-conditioned problem.
    accuracy = 0.3 + 0.5 / np.arange(2, 40)
    method = fit_curve(accuracy, bandwidth=10.0, xtol=1e-10)
    np.testing.assert_array_equal(method.knots_, [0, np.inf])
    basis = radial_moments(method.knots_, 10.0, np.arange(2, 40))
    exact = np.linalg.lstsq(basis, accuracy)[0]
    np.testing.assert_allclose(method.coefficients_, exact, rtol=1e-6)
    np.testing.assert_array_equal(fit_curve(np.zeros(30)).coefficients_, 0)


def test_iterations_regularise():
    accuracy = Regression().observed(subsample(simulated(300, 5), 50, seed=2))[1]
    norms = [
        np.linalg.norm(fit_curve(accuracy, max_iterations=n, bandwidth=0.2).coefficients_)
        for n in (1, 3, 1000)
    ]
    assert norms[0] < norms[1] < norms[2]


def test_coefficients_may_be_negative_and_curves_leave_the_unit_interval():
    rising = 0.5 + 0.4 * np.linspace(0, 1, 29)
    method = fit_curve(rising)
    assert method.coefficients_.min() < 0
    assert method.predict(30)[0] > method.predict(2)[0]


def test_very_many_classes_reach_the_constant():
    method = Regression().fit(subsample(simulated(200, 5), 60, seed=3))
    k = np.array([2, 10**6, 10**12, 10**18])
    curve = method.predict(k)
    assert np.isfinite(curve).all()
    assert curve[-1] == pytest.approx(method.coefficients_[-1], abs=1e-6)


def test_unequal_points_weigh_their_classes_equally():
    matrix = simulated(40, 4)
    rows = np.concatenate([np.arange(160), np.arange(4).repeat(25)])
    # Class 0 has its four points 25 times more often, each: the curve must not change.
    repeated = ScoreMatrix(matrix.scores[rows], matrix.labels[rows], higher_is_better=False)
    k = [2, 40, 1000]
    np.testing.assert_allclose(
        Regression().fit(repeated).predict(k), Regression().fit(matrix).predict(k), atol=1e-6
    )


def test_same_sample_same_bits_and_three_classes_suffice():
    sample = subsample(simulated(50, 3), 3, seed=1)
    first, second = (Regression(seed=4).fit(sample).predict([2, 3, 99]) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(first[:2], average_accuracy(sample, [2, 3], seed=4), atol=1e-4)


def test_accuracies_that_are_no_numbers():
    with pytest.raises(FitError, match="no finite coefficients"):
        fit_curve(np.full(20, np.nan))


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("bandwidth", 0.0),
        ("bandwidth", "wide"),
        ("xtol", -1.0),
        ("max_iterations", 0),
        ("seed", -1),
    ],
)
def test_options_out_of_range(option, value):
    with pytest.raises(InputError, match=option):
        make_extrapolator("regression", **{option: value})
