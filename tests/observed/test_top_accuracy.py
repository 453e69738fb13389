from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc
from scipy.stats import hypergeom, poisson

from accuracy_curves import EXTRAPOLATORS, InputError, ScoreMatrix, average_accuracy
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.observed.top_accuracy import expected_top_accuracy, observed_top_accuracy
from conftest import simulated

CHEAP = ["auto", "gaussian_tail", "pooled_tail", "empirical_bayes"]
WITH_DISTRIBUTION = [*CHEAP, "spline", "radial_nnls", "regression", "two_parameter", "information"]


def expected(favorability, k, top):
    c = np.atleast_1d(np.asarray(favorability, dtype=float))
    with np.errstate(divide="ignore"):
        logs = np.log(c), np.log1p(-c)
    return expected_top_accuracy(*logs, np.full(len(c), 1 / len(c)), np.atleast_1d(k), top)


@given(
    tenths=st.lists(st.integers(0, 10), min_size=1, max_size=4),
    k=st.integers(2, 40),
    top=st.integers(1, 45),
)
def test_expected_top_accuracy_is_the_exact_binomial_tail(tenths, k, top):
    exact = Fraction(0)
    for c in (Fraction(tenth, 10) for tenth in tenths):
        exact += sum(comb(k - 1, j) * (1 - c) ** j * c ** (k - 1 - j) for j in range(min(top, k)))
    exact /= len(tenths)
    assert expected(np.array(tenths) / 10, k, top)[0] == pytest.approx(float(exact), rel=1e-12)


def test_expected_top_accuracy_of_very_many_classes():
    # With 10^12 classes the binomial is a Poisson distribution to 12 digits.
    losses = np.array([0.0, 1.0, 5.0, 30.0])
    with np.errstate(divide="ignore"):
        logs = np.log1p(-losses * 1e-12), np.log(losses * 1e-12)
    found = expected_top_accuracy(*logs, np.full(4, 0.25), np.array([10**12]), 5)
    assert found[0] == pytest.approx(poisson.cdf(4, losses).mean(), rel=1e-9)


@pytest.mark.parametrize("top", [1, 3])
def test_blocks_change_nothing(top):
    c, k = np.linspace(0, 1, 17), np.array([2, 5, 9, 1000])
    many = expected(c, np.tile(k, 1500), top)
    np.testing.assert_array_equal(many, np.tile(expected(c, k, top), 1500))


@pytest.mark.parametrize("top", [1, 2, 3, 5, 9])
def test_observed_top_accuracy_is_the_mean_over_all_subsets(top):
    rng = np.random.default_rng(3)
    scores = rng.normal(size=(21, 7))
    labels = np.arange(21) % 7
    for k in range(2, 8):
        seen = []
        for subset in combinations(range(7), k):
            rows = np.isin(labels, subset)
            among = scores[rows][:, subset]
            own = scores[rows, labels[rows]]
            seen.append(((among > own[:, None]).sum(axis=1) < top).mean())
        found = average_accuracy(ScoreMatrix(scores, labels), k, top=top)
        assert found[0] == pytest.approx(np.mean(seen), rel=1e-12)


@pytest.mark.parametrize("method", WITH_DISTRIBUTION)
def test_every_distribution_gives_top_1_and_grows_with_t(method):
    sample = simulated(40, 3, variance=0.4)
    fitted = make_extrapolator(method).fit(sample)
    k = np.array([2, 5, 40, 400, 10**6, 10**12])
    by_t = np.array([fitted._predict_top(k, top) for top in (1, 2, 5, 20)])
    np.testing.assert_allclose(by_t[0], fitted.predict(k), rtol=1e-7, atol=1e-12)
    if method != "regression":  # Its weights may be negative.
        assert (np.diff(by_t, axis=0) >= -1e-12).all()
    np.testing.assert_array_equal(fitted.predict([2, 5], top=5), 1.0)
    near = fitted.predict(40, top=3)[0]
    assert near == pytest.approx(average_accuracy(sample, 40, top=3)[0], abs=0.1)


def test_uniform_favorability_in_closed_form():
    # C uniform on [0, 1]: every number of outscoring classes has probability 1 / k.
    c = (np.arange(200_000) + 0.5) / 200_000
    found = expected(c, [10, 1000], 3)
    np.testing.assert_allclose(found, [3 / 10, 3 / 1000], rtol=1e-4)
    spline = make_extrapolator("spline")
    spline.gaps_, spline.coefficients_ = np.array([1.0]), np.array([1.0])
    np.testing.assert_allclose(spline.predict([10, 10**12], top=3), [0.3, 3e-12], rtol=1e-3)
    # C uniform on [1 - g, 1]: the integral of the binomial tail.
    spline.gaps_, spline.coefficients_ = np.array([0.2]), np.array([5.0])
    grid = 1 - 0.2 * c
    tail = betainc(30 - 4, 4, grid).mean()  # P(Binomial(29, 1 - u) <= 3)
    assert spline.predict(30, top=4)[0] == pytest.approx(tail, rel=1e-8)


@pytest.mark.parametrize("method", ["log_linear", "pitman_yor", "covariate_adjusted"])
def test_a_curve_alone_has_no_top_t(method):
    fitted = EXTRAPOLATORS[method]().fit(simulated(20, 2, variance=0.4))
    fitted.predict(50, top=1)
    with pytest.raises(InputError, match=f"{method} fits the top-1 curve alone"):
        fitted.predict(50, top=2)


@pytest.mark.parametrize("top", [0, -1, 1.5, True])
def test_top_must_be_a_whole_number(top):
    sample = simulated(12, 2)
    with pytest.raises(InputError, match="top is"):
        average_accuracy(sample, 5, top=top)
    with pytest.raises(InputError, match="top is"):
        EXTRAPOLATORS["gaussian_tail"]().fit(sample).predict(5, top=top)


def test_many_terms_are_a_distribution_function(monkeypatch):
    """The same sums, by incomplete beta functions."""
    rng = np.random.default_rng(3)
    loss = 10 ** -rng.uniform(0.1, 9, 40)
    weights = np.full(40, 1 / 40)
    k = np.array([2, 20, 21, 60, 5000, 10**9, 10**15])
    found = []
    for most in (100, 1):
        monkeypatch.setattr("accuracy_curves.observed.top_accuracy.MOST_TERMS", most)
        found.append(expected_top_accuracy(np.log1p(-loss), np.log(loss), weights, k, 20))
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("top", [2, 20, 59, 60])
def test_observed_top_accuracy_is_hypergeometric(top):
    outscored, k = np.arange(0, 60, 3), np.arange(2, 61)
    found = observed_top_accuracy(outscored, 60, k, np.full(20, 0.05), top)
    chances = hypergeom.cdf(top - 1, 59, 59 - outscored, k[:, None] - 1)
    np.testing.assert_allclose(found, chances.mean(axis=1), rtol=1e-9)
