import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves.extrapolators.favorability import eta_of_log_p, favorability_of_eta
from accuracy_curves.extrapolators.gaussian_tail import calibrate_on_ranks


@given(p=st.floats(1e-9, 0.999999))
def test_eta_and_back_gives_one_minus_p(p):
    eta = eta_of_log_p(np.log([p]))
    np.testing.assert_allclose(favorability_of_eta(eta), 1 - p, atol=1e-14)


def test_eta_of_rare_events_is_their_log():
    log_p = np.array([-20.0, -29.999, -30.001, -100.0, -700.0])
    np.testing.assert_allclose(eta_of_log_p(log_p), log_p, rtol=1e-9)
    assert eta_of_log_p(np.array([-np.inf, 0.0])).tolist() == [-700.0, eta_of_log_p(np.zeros(1))[0]]


@pytest.mark.parametrize(("shift", "slope"), [(0.0, 1.0), (-1.0, 0.6), (0.8, 1.5)])
def test_calibrations_recover_the_truth_from_simulated_ranks(shift, slope):
    rng = np.random.default_rng(0)
    n_points, trials = 20_000, 99
    eta = rng.normal(-4, 2, size=n_points)
    outscored = rng.binomial(trials, np.exp(-np.exp(shift + slope * eta)))
    weights = np.full(n_points, 1 / n_points)
    by_ranks = calibrate_on_ranks(eta, outscored, trials, weights)
    np.testing.assert_allclose(by_ranks, [shift, slope], atol=0.02)


def test_perfect_and_hopeless_ranks_give_finite_numbers():
    eta = np.linspace(-5, 0, 30)
    weights = np.full(30, 1 / 30)
    for outscored in (np.full(30, 9), np.zeros(30, dtype=int)):
        found = calibrate_on_ranks(eta, outscored, 9, weights)
        assert np.isfinite(found).all()
        c = favorability_of_eta(found[0] + found[1] * eta)
        assert abs((c**9).mean() - (outscored == 9).mean()) < 0.05


def test_weights_count():
    rng = np.random.default_rng(1)
    eta = rng.normal(-3, 1, size=4000)
    half = np.arange(4000) < 2000
    outscored = rng.binomial(50, np.exp(-np.exp(np.where(half, eta, eta + 2))))
    weights = half / 2000
    found = calibrate_on_ranks(eta, outscored, 50, weights)
    np.testing.assert_allclose(found, [0, 1], atol=0.1)
