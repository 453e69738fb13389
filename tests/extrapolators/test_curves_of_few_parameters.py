"""Curves of few parameters: formulas, fitted to the observed accuracies alone."""

import numpy as np
import pytest
from scipy.stats import norm

import accuracy_curves as ac
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.information import Information
from conftest import simulated

K = np.arange(2, 101)
SIGNATURES = 2**8.5
CURVES = {
    # One guess for each of the distinct signatures among k people is right.
    "entropy": lambda k: SIGNATURES / k * (1 - (1 - 1 / SIGNATURES) ** k),
    "exponential_decay": lambda k: 0.7 * np.exp(-0.11 * np.sqrt(k)) + 1 - 0.7 * np.exp(-0.11),
    "cubic": lambda k: 1 - 0.03 * np.log10(k) - 0.02 * np.log10(k) ** 2 - 0.01 * np.log10(k) ** 3,
    "log_quadratic": lambda k: 0.95 - 0.02 * np.log(k) - 0.003 * np.log(k) ** 2,
    "log_linear": lambda k: 0.95 - 0.05 * np.log(k),
}


@pytest.mark.parametrize("method", CURVES)
def test_a_curve_of_its_own_kind_is_found_again(method):
    model = ac.fit_curve(K, CURVES[method](K), method)
    far = np.array([2, 100, 1000])
    np.testing.assert_allclose(model.predict(far), CURVES[method](far), atol=1e-6)
    assert model.predict(10**18)[0] >= 0


def test_the_straight_line_is_that_of_least_squares():
    sample = simulated(60, 5, variance=0.3)
    model = make_extrapolator("log_linear").fit(sample)
    k, accuracy = model.observed(sample)
    slope, intercept = np.polyfit(np.log(k), accuracy, 1)
    np.testing.assert_allclose(model.coefficients_, [intercept, slope], rtol=1e-10)
    assert model.predict(100)[0] == pytest.approx(intercept + slope * np.log(100))


@pytest.mark.parametrize("method", CURVES)
@pytest.mark.parametrize("accuracy", [1.0, 0.0])
def test_perfect_and_useless_classifiers(method, accuracy):
    model = ac.fit_curve(K, np.full(99, accuracy), method)
    found = model.predict([100, 10**6])
    # A cubic and a decay are 1 at one class, and an entropy of 0 bits is a guess.
    tolerance = {"cubic": 0.1, "exponential_decay": 0.01, "entropy": 0.011}.get(method, 1e-6)
    np.testing.assert_allclose(found, accuracy, atol=tolerance)


@pytest.mark.parametrize("method", CURVES)
def test_errors_of_few_classes_weigh_less(method):
    """As in the authors' program, each square by log k; two of the curves weigh all the same."""
    rng = np.random.default_rng(1)
    noisy = np.clip(CURVES[method](K) + 0.01 * rng.normal(size=99), 0, 1)
    weight = np.ones(99) if method in ("log_quadratic", "log_linear") else np.log(K)
    best = ac.fit_curve(K, noisy, method)
    least = (weight * (best.predict(K) - noisy) ** 2).sum()
    names = [name for name in vars(best) if name.endswith("_") and name != "seed"]
    for name in names:
        for factor in (0.99, 1.01):
            moved = ac.fit_curve(K, noisy, method)
            setattr(moved, name, getattr(best, name) * factor)
            assert (weight * (moved.predict(K) - noisy) ** 2).sum() >= least - 1e-12


def test_information_passes_through_the_accuracy_at_k1():
    sample = simulated(60, 5, variance=0.3)
    model = Information().fit(sample)
    assert model.predict(60)[0] == pytest.approx(ac.average_accuracy(sample, 60)[0], abs=1e-12)


def test_information_of_two_classes_in_closed_form():
    # E[Phi(Z + c)] = Phi(c / sqrt 2), so that I = Phi^-1(accuracy)^2.
    model = Information()
    model._fit_curve(np.array([2]), np.array([0.9]))
    assert model.information_ == pytest.approx(norm.ppf(0.9) ** 2, rel=1e-9)


def test_the_curve_of_information_equals_the_simulated_limit():
    rng = np.random.default_rng(1)
    shift, k, points = 2.5, 40, 40_000
    incorrect = rng.normal(size=(points, k - 1)).max(axis=1)
    right = np.mean(shift + rng.normal(size=points) > incorrect)
    model = Information()
    model.information_ = shift**2 / 2
    assert model.predict(k)[0] == pytest.approx(right, abs=4 * 0.5 / np.sqrt(points))


def test_ends_of_the_range_of_information():
    k = np.arange(2, 11)
    chance, perfect = Information(), Information()
    chance._fit_curve(k, 1 / (2.0 * k))
    assert chance.information_ == 0
    np.testing.assert_allclose(chance.predict([2, 50]), [1 / 2, 1 / 50], rtol=1e-9)
    perfect._fit_curve(k, np.ones(9))
    assert perfect.information_ == np.inf
    np.testing.assert_allclose(perfect.predict([2, 10**18]), [1, 1], rtol=1e-12)
