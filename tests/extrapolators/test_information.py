import numpy as np
import pytest
from scipy.stats import norm

import accuracy_curves as ac
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.information import Information
from conftest import simulated


def test_passes_through_the_accuracy_at_k1():
    sample = simulated(60, 5, variance=0.3)
    model = Information().fit(sample)
    assert model.predict(60)[0] == pytest.approx(ac.average_accuracy(sample, 60)[0], abs=1e-12)


def test_two_classes_in_closed_form():
    # E[Phi(Z + c)] = Phi(c / sqrt 2), so that I = Phi^-1(accuracy)^2.
    model = Information()
    model._fit_curve(np.array([2]), np.array([0.9]))
    assert model.information_ == pytest.approx(norm.ppf(0.9) ** 2, rel=1e-9)


def test_equals_the_simulated_limit():
    rng = np.random.default_rng(1)
    shift, k, points = 2.5, 40, 40_000
    incorrect = rng.normal(size=(points, k - 1)).max(axis=1)
    right = np.mean(shift + rng.normal(size=points) > incorrect)
    model = Information()
    model.information_ = shift**2 / 2
    assert model.predict(k)[0] == pytest.approx(right, abs=4 * 0.5 / np.sqrt(points))


def test_finds_the_information_of_a_high_dimensional_normal_problem():
    # Y ~ N(0, I), X | Y ~ N(Y, s2 I) in d dimensions: I = d / 2 log(1 + 1 / s2) nats.
    d, information, k1, k2 = 500, 3.0, 60, 300
    variance = 1 / np.expm1(2 * information / d)
    rng = np.random.default_rng(2)
    y = rng.normal(size=(k2, d))
    x = y + np.sqrt(variance) * rng.normal(size=(20, k2, d))
    log_density = x @ y.T / variance - (y**2).sum(axis=1) / (2 * variance)
    matrix = ac.ScoreMatrix(log_density.reshape(-1, k2), np.tile(np.arange(k2), 20))
    model = Information().fit(ac.subsample(matrix, k1, 0))
    assert model.information_ == pytest.approx(information, rel=0.1)
    assert model.predict(k2)[0] == pytest.approx(ac.average_accuracy(matrix, k2)[0], abs=0.04)


def test_ends_of_the_range():
    k = np.arange(2, 11)
    chance, perfect = Information(), Information()
    chance._fit_curve(k, 1 / (2.0 * k))
    assert chance.information_ == 0
    np.testing.assert_allclose(chance.predict([2, 50]), [1 / 2, 1 / 50], rtol=1e-9)
    perfect._fit_curve(k, np.ones(9))
    assert perfect.information_ == np.inf
    np.testing.assert_allclose(perfect.predict([2, 10**18]), [1, 1], rtol=1e-12)


def test_refuses_bad_options():
    with pytest.raises(InputError, match="seed is -1"):
        Information(seed=-1)
