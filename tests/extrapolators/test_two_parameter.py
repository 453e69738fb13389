from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

import accuracy_curves as ac
from accuracy_curves.extrapolators.two_parameter import FixedNodes, TwoParameter
from conftest import simulated


def curve_and_slopes(mean, log_sd, k):
    return FixedNodes(k).curve_and_slopes(mean, log_sd)


def integral(mean, sd, k):
    edges = mean + sd * np.linspace(-9, 9, 37)
    pieces = pairwise(edges)
    return sum(
        quad(lambda z: norm.cdf(z) ** (k - 1) * norm.pdf(z, mean, sd), *piece)[0]
        for piece in pieces
    )


@pytest.mark.parametrize("mean", [-1.0, 0.5, 3.0])
@pytest.mark.parametrize("sd", [0.02, 0.149, 0.151, 1.0, 4.0])
def test_the_curve_equals_an_adaptive_integral(mean, sd):
    k = np.array([2, 20, 400, 20_000])
    curve, _ = curve_and_slopes(mean, np.log(sd), k)
    np.testing.assert_allclose(curve, [integral(mean, sd, one) for one in k], atol=1e-10)
    # E[Phi(Z)] in closed form.
    assert curve[0] == pytest.approx(norm.cdf(mean / np.hypot(1, sd)), abs=1e-11)


@settings(deadline=None, max_examples=30)
@given(st.floats(-2, 4), st.floats(-3, 2))
def test_slopes_equal_differences(mean, log_sd):
    k = np.array([2, 3, 50, 800])
    step = 1e-4
    _, slopes = curve_and_slopes(mean, log_sd, k)
    for column, (a, b) in enumerate([(step, 0), (0, step)]):
        high = curve_and_slopes(mean + a, log_sd + b, k)[0]
        low = curve_and_slopes(mean - a, log_sd - b, k)[0]
        np.testing.assert_allclose(slopes[:, column], (high - low) / (2 * step), atol=2e-5)


@pytest.mark.parametrize(("mean", "sd"), [(2.0, 1.0), (0.3, 0.2), (3.5, 2.5), (-0.5, 1.5)])
def test_recovers_its_parameters(mean, sd):
    k = np.arange(2, 101)
    model = TwoParameter()
    model._fit_curve(k, curve_and_slopes(mean, np.log(sd), k)[0])
    assert model.mean_ == pytest.approx(mean, abs=1e-4)
    assert model.sd_ == pytest.approx(sd, abs=1e-4)
    expected = curve_and_slopes(mean, np.log(sd), np.array([2000]))[0]
    np.testing.assert_allclose(model.predict(2000), expected, atol=1e-6)


def test_no_nearby_parameters_fit_better():
    sample = simulated(80, 5, variance=0.3)
    model = TwoParameter().fit(sample)
    k, accuracy = model.observed(sample)
    best = ((model.predict(k) - accuracy) ** 2).sum()
    for mean in (0.99, 1.01):
        for sd in (0.99, 1.01):
            other = curve_and_slopes(mean * model.mean_, np.log(sd * model.sd_), k)[0]
            assert ((other - accuracy) ** 2).sum() > best


@pytest.mark.parametrize(("variance", "n_classes"), [(0.3, 450), (0.1, 600)])
def test_some_k_tell_the_curve_of_all(monkeypatch, variance, n_classes):
    sample = simulated(n_classes, 1, variance=variance)
    k = [2, n_classes, 10 * n_classes, 1000 * n_classes]
    found = TwoParameter().fit(sample).predict(k)
    monkeypatch.setattr("accuracy_curves.extrapolators.two_parameter.MOST_K", n_classes)
    every = TwoParameter().fit(sample).predict(k)
    assert 0 < np.abs(found - every).max() < 1e-5


def test_ends_of_the_range():
    perfect, worst = TwoParameter(), TwoParameter()
    k = np.arange(2, 21)
    perfect._fit_curve(k, np.ones(19))
    np.testing.assert_allclose(perfect.predict([2, 10**18]), [1, 1], rtol=1e-12)
    worst._fit_curve(k, np.zeros(19))
    np.testing.assert_allclose(worst.predict([2, 10**18]), [0, 0], atol=1e-6)
    # A flat curve and a step are of no normal law: their fits end where the range does.
    for accuracy, end in ((np.full(19, 0.7), 10), (np.where(k < 6, 1.0, 0.0), 1e-3)):
        model = TwoParameter()
        model._fit_curve(k, accuracy)
        assert model.sd_ == pytest.approx(end)
    curve = TwoParameter().fit(ac.subsample(simulated(30, 2), 3, 0)).predict([2, 10**6, 10**18])
    assert (np.diff(curve) <= 0).all()
