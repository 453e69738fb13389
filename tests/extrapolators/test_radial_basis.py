import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtri, owens_t
from scipy.stats import norm

from accuracy_curves.extrapolators.regression import radial_knots, radial_moments

LARGE = [1, 2, 3, 10, 1000, 10**6, 10**9, 10**12]


def test_uniform_favorability_gives_one_over_k():
    k = np.array(LARGE)
    np.testing.assert_allclose(radial_moments(0.0, 1.0, k)[:, 0], 1 / k, rtol=0, atol=1e-14)


def test_without_width_it_is_a_power():
    t, k = np.array([-2.0, 0.0, 1.5, 6.0]), np.array([1, 2, 7, 1000])
    powers = norm.cdf(t)[None, :] ** (k[:, None] - 1)
    np.testing.assert_allclose(radial_moments(t, 0.0, k), powers, rtol=0, atol=1e-12)
    np.testing.assert_allclose(radial_moments(t, 1e-7, k), powers, rtol=0, atol=1e-10)


@given(t=st.floats(-8, 8), h=st.floats(1e-3, 20))
def test_two_and_three_classes_in_closed_form(t, h):
    a = t / np.sqrt(1 + h**2)
    exact = [norm.cdf(a), norm.cdf(a) - 2 * owens_t(a, 1 / np.sqrt(1 + 2 * h**2))]
    np.testing.assert_allclose(radial_moments(t, h, [2, 3])[:, 0], exact, rtol=0, atol=1e-12)


@pytest.mark.parametrize("h", [0.02, 0.05, 0.1, 0.4, 1.0, 3.0])
def test_adaptive_quadrature_agrees(h):
    rng = np.random.default_rng(5)
    for k in (2, 30, 2000, 10**6, 10**9, 10**12):
        steep = -ndtri(1 / k)
        t = steep + rng.normal() * (h + 0.3)

        def integrand(z, t=t, k=k):
            return np.exp((k - 1) * norm.logcdf(z) - 0.5 * ((z - t) / h) ** 2)

        low, high = t - 9 * h, t + 9 * h
        points = [z for z in (steep - 0.3, steep, steep + 0.3) if low < z < high]
        area, _ = quad(integrand, low, high, points=points or None, epsabs=1e-12, limit=400)
        exact = area / (h * np.sqrt(2 * np.pi))
        assert radial_moments(t, h, k)[0, 0] == pytest.approx(exact, abs=1e-10)


@given(t=st.floats(-6, 12), h=st.floats(0, 5))
def test_moments_fall_with_k_from_one(t, h):
    moments = radial_moments(t, h, LARGE)[:, 0]
    assert moments[0] == pytest.approx(1, abs=1e-14)
    assert np.all(np.diff(moments) <= 1e-15)
    assert np.all((moments >= 0) & (moments <= 1))


def test_infinite_knot_is_the_constant_column():
    moments = radial_moments([0.0, np.inf], 0.3, LARGE)
    assert moments.shape == (len(LARGE), 2)
    np.testing.assert_allclose(moments[:, 1], 1, rtol=0, atol=1e-14)


@given(k1=st.integers(2, 10**6), h=st.floats(0.02, 10))
def test_knots_are_symmetric_and_follow_k1(k1, h):
    knots = radial_knots(k1, h)[:-1]
    t_max = norm.isf(1 / k1**2)
    assert len(knots) == 2 * np.ceil(t_max / h) - 1
    np.testing.assert_allclose(knots, -knots[::-1], atol=1e-12)
    if len(knots) > 1:
        assert knots[-1] == pytest.approx(t_max, rel=1e-12)
        assert np.ptp(np.diff(knots)) < 1e-9
    assert len(radial_knots(2 * k1, h)) >= len(knots) + 1
