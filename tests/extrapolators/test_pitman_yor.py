from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.extrapolators.pitman_yor import PitmanYor, share_identified
from conftest import simulated


def by_recursion(concentration: float, discount: float, people: int) -> float:
    # Person n + 1 has a new signature with probability (alpha + d K_n) / (alpha + n).
    with localcontext() as context:
        context.prec = 50
        alpha, d, blocks = Decimal(concentration), Decimal(discount), Decimal(1)
        for n in range(1, people):
            blocks += (alpha + d * blocks) / (alpha + n)
        return float(blocks / people)


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-9, 14).map(lambda power: 10**power),
    st.one_of(
        # A fit may end at the smallest float.
        st.sampled_from([0.0, 5e-324, 1e-310, 1e-199]),
        st.floats(1e-12, 1e-6),
        st.floats(0.01, 0.999),
    ),
    st.integers(1, 300),
)
def test_equals_the_recursion_in_50_digits(concentration, discount, people):
    expected = by_recursion(concentration, discount, people)
    found = share_identified(concentration, discount, people)[0]
    assert found == pytest.approx(expected, rel=1e-13)


def test_large_crowds_follow_the_power_law():
    # E[K_n] ~ Gamma(alpha + 1) / (d Gamma(alpha + d)) n^d.
    alpha, d = 1.0, 0.5
    limit = 1 / (0.5 * np.sqrt(np.pi) / 2)
    assert share_identified(alpha, d, 10**18)[0] == pytest.approx(limit * 1e-9, rel=1e-8)


def test_predictions_of_the_authors_program():
    # The example in the README of the authors' package, whose optimiser stops at 1e-6.
    model = PitmanYor()
    model._fit_curve(np.array([10, 100]), np.array([0.99, 0.95]))
    expected = [0.99000117, 0.95000214, 0.88420427, 0.81462242]
    np.testing.assert_allclose(model.predict([10, 100, 1000, 10_000]), expected, atol=1e-5)


@pytest.mark.parametrize(("alpha", "d"), [(2.0, 0.8), (50.0, 0.0), (1e4, 0.3), (0.2, 0.95)])
def test_recovers_its_parameters(alpha, d):
    k = np.arange(2, 201)
    model = PitmanYor()
    model._fit_curve(k, share_identified(alpha, d, k))
    assert model.concentration_ == pytest.approx(alpha, rel=1e-2)
    assert model.discount_ == pytest.approx(d, abs=1e-2)
    expected = share_identified(alpha, d, 10_000)
    np.testing.assert_allclose(model.predict(10_000), expected, atol=1e-4)


@pytest.mark.parametrize(("alpha", "d"), [(50.0, 0.0), (1e4, 0.3), (2.0, 0.8)])
@pytest.mark.parametrize("largest", [10**6, 10**12, 10**18])
def test_curves_of_millions_of_people(alpha, d, largest):
    k = np.array([10, 1000, 100_000, largest])
    model = PitmanYor()
    model._fit_curve(k, share_identified(alpha, d, k))
    expected = share_identified(alpha, d, [100, 10_000, 10**7])
    np.testing.assert_allclose(model.predict([100, 10_000, 10**7]), expected, atol=1e-4)


def test_no_nearby_parameters_fit_better_under_the_authors_weights():
    sample = simulated(80, 5, variance=0.3)
    model = PitmanYor().fit(sample)
    k, accuracy = model.observed(sample)

    def loss(alpha, d):
        return (np.log(k) * (share_identified(alpha, d, k) - accuracy) ** 2).mean()

    best = loss(model.concentration_, model.discount_)
    for alpha in (0.99, 1.01):
        for d in (-0.002, 0.002):
            assert loss(alpha * model.concentration_, model.discount_ + d) > best


def test_ends_of_the_range():
    k = np.arange(2, 21)
    perfect, worst = PitmanYor(), PitmanYor()
    perfect._fit_curve(k, np.ones(19))
    np.testing.assert_allclose(perfect.predict([2, 10**4]), [1, 1], atol=1e-6)
    worst._fit_curve(k, np.zeros(19))
    # One guess is always right.
    np.testing.assert_allclose(worst.predict(k), 1 / k, atol=1e-6)
    model = PitmanYor().fit(simulated(3, 5))
    curve = model.predict([2, 3, 10**3, 10**12, 10**18])
    assert (np.diff(curve) <= 0).all()
