from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves.extrapolators.spline import spline_gaps, spline_moments


def exact_moment(gap: Fraction, k: int) -> Fraction:
    # (k - 1) times the integral of (u - t) u^(k - 2) from t to 1, term by term.
    t = 1 - gap
    return (k - 1) * ((1 - t**k) / k - t * (1 - t ** (k - 1)) / (k - 1))


@given(st.floats(1e-10, 1.0), st.integers(2, 300))
def test_moments_equal_exact_fractions(gap, k):
    expected = exact_moment(Fraction(gap), k)
    found = spline_moments(gap, k)[0, 0]
    # Relative to the moment: k * gap is not below the threshold of the series where it cancels.
    assert abs(Fraction(float(found)) / expected - 1) < 1e-14


def test_moments_of_the_ends():
    np.testing.assert_array_equal(spline_moments([0.3, 1.0], 1), [[0, 0]])
    np.testing.assert_allclose(spline_moments(1.0, [2, 5, 10**18])[:, 0], [1 / 2, 4 / 5, 1])
    np.testing.assert_allclose(spline_moments(0.25, 10**18), 0.25)
    assert spline_moments(0.0, [2, 10**18]).max() == 0


def test_knots_follow_the_papers():
    np.testing.assert_allclose(1 - spline_gaps(4, "linear"), [0.2, 0.4, 0.6, 0.8])
    np.testing.assert_allclose(1 - spline_gaps(4, "quadratic"), [0.36, 0.64, 0.84, 0.96])
    assert spline_gaps(10_000, "quadratic")[-1] == pytest.approx(10_001**-2, rel=1e-15)
