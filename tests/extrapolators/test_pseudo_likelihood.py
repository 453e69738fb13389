import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.stats import binom

from accuracy_curves import load_scores
from accuracy_curves.extrapolators import make_extrapolator, p_exp
from accuracy_curves.extrapolators.mple import (
    MPLE,
    NODES,
    counted_ranks,
    favorability_grid,
    mixture_weights,
)
from accuracy_curves.extrapolators.p_cons import PCons
from accuracy_curves.extrapolators.p_exp import PExp
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.parts import subsample
from accuracy_curves.scores.ranks import Ranks
from conftest import shared_data, simulated


def test_printed_telugu_value_of_p_exp(monkeypatch):
    # Draft of 2016: .973 for the deep network from 20 to 400 classes, with its own grid of rates.
    matrix = load_scores(shared_data("telugu_scores_deepslim_20.npz"))
    assert average_accuracy(matrix, 20)[0] == pytest.approx(0.995, abs=5e-4)
    assert PExp().fit(matrix).predict(400)[0] == pytest.approx(0.973, abs=2e-3)
    for step, predicted in ((0.1, 0.995), (0.002, 0.926)):
        monkeypatch.setattr(p_exp, "STEP", step)
        assert PExp().fit(matrix).predict(400)[0] == pytest.approx(predicted, abs=1e-3)


@settings(max_examples=20)
@given(weights=st.lists(st.floats(0, 1), min_size=5, max_size=5))
def test_p_exp_recovers_few_exponentials(weights):
    rates, k = np.array([0.0, 0.01, 0.1, 0.5, 1.5]), np.arange(2, 121)
    accuracy = np.exp(-np.outer(k, rates)) @ np.array(weights)
    method = PExp()
    method._fit_curve(k, accuracy)
    far = np.array([2, 50, 120, 240])
    true = np.exp(-np.outer(far, rates)) @ np.array(weights)
    np.testing.assert_allclose(method.predict(far), true, rtol=0, atol=2e-4)


def gains(likelihood, counts, weights):
    """Derivative of the log likelihood by each weight."""
    mixed = likelihood @ weights
    return (counts / mixed) @ likelihood


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), trials=st.integers(2, 60))
@example(seed=848, trials=53)  # Steps end here 0.00101 from the bound, the farthest that was seen.
def test_mple_is_the_largest_likelihood(seed, trials):
    rng = np.random.default_rng(seed)
    true = rng.beta(rng.uniform(0.5, 8), 1.0, size=200)
    outscored = rng.binomial(trials, true)
    sample = Ranks(outscored, np.zeros(200, int), np.zeros(200, int), trials + 1)
    method = MPLE().fit(sample)
    assert method.weights_.sum() == pytest.approx(1, abs=1e-6)
    seen, counts = counted_ranks(sample, 0, sample.n_points)
    grid = np.append(1.0, favorability_grid(sample.n_classes, NODES))
    weights = np.zeros(len(grid))
    weights[np.searchsorted(-grid, -method.favorability_)] = method.weights_
    likelihood = binom.pmf(seen[:, None], trials, grid)
    # No component would gain: the condition of Lindsay (1983) for the maximum.
    assert gains(likelihood, counts, weights).max() <= counts.sum() * (1 + 2e-3)


def test_p_cons_meets_the_accuracy_and_no_search_finds_a_larger_likelihood():
    sample = subsample(simulated(400, 6, variance=0.2), 40, seed=3)
    method = PCons().fit(sample)
    assert method.weights_.sum() == pytest.approx(1, abs=1e-6)
    assert method.predict(40)[0] == pytest.approx(average_accuracy(sample, 40)[0], abs=1e-6)
    seen, counts = counted_ranks(sample, 0, sample.n_points)

    def increasing(starts):
        """Likelihood and moment of uniform densities on [s, 1], by quadrature."""
        rows = [
            [quad(lambda u, r=r: binom.pmf(r, 39, u), s, 1)[0] / (1 - s) for s in starts]
            for r in seen
        ]
        return np.array(rows), np.array([quad(lambda u: u**39, s, 1)[0] / (1 - s) for s in starts])

    likelihood, moment = increasing(method.starts_)
    ours = counts @ np.log(likelihood @ method.weights_)
    likelihood, moment = increasing(np.array([0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995]))
    accuracy = average_accuracy(sample, 40)[0]
    found = minimize(
        lambda w: -counts @ np.log(np.maximum(likelihood @ w, 1e-300)),
        np.full(9, 1 / 9),
        bounds=[(0, 1)] * 9,
        constraints=[
            {"type": "eq", "fun": lambda w: w.sum() - 1},
            {"type": "eq", "fun": lambda w: moment @ w - accuracy},
        ],
        method="SLSQP",
        options={"maxiter": 500},
    )
    assert found.success
    assert ours >= -found.fun - 1e-6


def test_mixture_weights_of_a_closed_form():
    # Two components that never give the same rank: their shares, whatever the moments leave free.
    likelihood = np.array([[0.5, 0.0], [0.5, 0.0], [0.0, 1.0]])
    counts = np.array([3.0, 1.0, 6.0])
    found = mixture_weights(likelihood, counts, np.ones((1, 2)), np.ones(1))
    np.testing.assert_allclose(found, [0.4, 0.6], atol=1e-4)
    moments = np.array([[1.0, 1.0], [0.0, 1.0]])
    forced = mixture_weights(likelihood, counts, moments, np.array([1.0, 0.25]))
    np.testing.assert_allclose(forced, [0.75, 0.25], atol=1e-6)


@pytest.mark.parametrize("name", ["p_exp", "mple", "p_cons"])
def test_curves_fall_and_extremes_do_not_break_them(name):
    k = np.unique(np.geomspace(2, 10**9, 60).astype(np.int64))
    for outscored in (np.full(30, 9), np.zeros(30, int), np.arange(30) % 10):
        sample = Ranks(outscored, np.zeros(30, int), np.arange(30) % 10, 10)
        curve = make_extrapolator(name).fit(sample).predict(k)
        assert np.isfinite(curve).all()
        assert (curve >= -1e-9).all()
        assert (curve <= 1 + 1e-6).all()
        assert (np.diff(curve) <= 1e-12).all()
