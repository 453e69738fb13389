"""A distribution of the favorability, and which methods have one."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import poisson

from accuracy_curves import EXTRAPOLATORS, FitError, InputError, average_accuracy
from accuracy_curves.extrapolators import favorability as module
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from conftest import simulated

WITH_DISTRIBUTION = [name for name, kind in EXTRAPOLATORS.items() if kind.has_tops]
WITH_DISTRIBUTION.remove("cleanex")
WITHOUT = [name for name, kind in EXTRAPOLATORS.items() if not kind.has_tops]


def even(n):
    return np.full(n, 1 / n)


def expected(favorability, k, top):
    c = np.atleast_1d(np.asarray(favorability, dtype=float))
    return Favorabilities.of(c, even(len(c))).accuracy(np.atleast_1d(k), top)


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
    found = Favorabilities.of_losses(losses * 1e-12, even(4)).accuracy(np.array([10**12]), 5)
    assert found[0] == pytest.approx(poisson.cdf(4, losses).mean(), rel=1e-9)


@pytest.mark.parametrize("top", [1, 3])
def test_blocks_change_nothing(top):
    c, k = np.linspace(0, 1, 17), np.array([2, 5, 9, 1000])
    many = expected(c, np.tile(k, 1500), top)
    np.testing.assert_array_equal(many, np.tile(expected(c, k, top), 1500))


def test_the_same_values_are_given_in_three_ways():
    c, k = np.array([0.0, 1e-3, 0.5, 0.999, 1.0]), np.array([2, 9, 300])
    with np.errstate(divide="ignore"):
        ways = [
            Favorabilities.of(c, even(5)),
            Favorabilities.of_losses(1 - c, even(5)),
            Favorabilities.of_logs(np.log(c), even(5)),
        ]
    for top in (1, 4):
        first, *others = [way.accuracy(k, top) for way in ways]
        for other in others:
            np.testing.assert_allclose(other, first, rtol=1e-12)


@pytest.mark.parametrize("method", WITH_DISTRIBUTION)
def test_every_distribution_gives_top_1_and_grows_with_t(method):
    sample = simulated(40, 3, variance=0.4)
    fitted = make_extrapolator(method).fit(sample)
    k = np.array([2, 5, 40, 400, 10**6, 10**12])
    by_t = np.array([fitted.predict(k, top) for top in (1, 2, 5, 20)])
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


@pytest.mark.parametrize("method", WITHOUT)
def test_a_curve_alone_has_no_top_t(method):
    fitted = EXTRAPOLATORS[method]().fit(simulated(20, 2, variance=0.4))
    fitted.predict(50, top=1)
    assert fitted.value_points(simulated(20, 2)) is None
    with pytest.raises(InputError, match=f"{method} fits the top-1 curve alone"):
        fitted.predict(50, top=2)


def test_many_terms_are_a_distribution_function(monkeypatch):
    """The same sums, by incomplete beta functions."""
    rng = np.random.default_rng(3)
    loss = 10 ** -rng.uniform(0.1, 9, 40)
    k = np.array([2, 20, 21, 60, 5000, 10**9, 10**15])
    found = []
    for most in (100, 1):
        monkeypatch.setattr(module, "MOST_TERMS", most)
        found.append(Favorabilities.of_losses(loss, even(40)).accuracy(k, 20))
    np.testing.assert_allclose(*found, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", WITH_DISTRIBUTION)
def test_points_are_valued_by_methods_that_estimate_each(method):
    """Their mean is the curve, but of auto, whose curve is of all points; a grid values none."""
    sample, k = simulated(30, 2, variance=0.4), np.array([2, 30, 900])
    model = make_extrapolator(method)
    values = model.value_points(sample)
    with pytest.raises(FitError):
        model.predict(9)
    assert (values is not None) == (method in ("auto", "gaussian_tail", "kde", "pooled_tail"))
    if values is not None:
        assert len(values.log_c) == sample.n_points
        fitted = model.fit(sample)
        mean = (fitted.tail_ if method == "auto" else fitted).predict(k)
        np.testing.assert_allclose(values.accuracy(k), mean, rtol=1e-12)
