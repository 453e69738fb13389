"""The covariate-adjusted risk against integrals, normal equations and populations."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import accuracy_curves as ac
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators.covariate_adjusted import (
    GAPS,
    CovariateAdjusted,
    rank_costs,
    seen_moments,
)
from accuracy_curves.extrapolators.spline import spline_moments
from conftest import simulated


def mean(t, a, b):
    return quad(lambda u: (u - t) * beta.pdf(u, a, b), t, 1)[0]


def test_moments_equal_integrals():
    expected = [[mean(t, m, 9 - m) for t in 1 - GAPS] for m in range(1, 9)]
    np.testing.assert_allclose(seen_moments(9), expected, atol=1e-9)


def test_coefficients_equal_the_normal_equations():
    sample = simulated(12, 20, variance=0.8)
    curve = CovariateAdjusted().fit(sample)
    costs = rank_costs(sample)
    share = (240 * costs + 0.5) / 241
    precision = np.diag(20 / (share * (1 - share)))
    seen = seen_moments(12)
    expected = np.linalg.solve(seen.T @ precision @ seen, seen.T @ precision @ costs)
    np.testing.assert_allclose(curve.coefficients_, expected, rtol=1e-3)
    moments = spline_moments(GAPS, np.array([5, 50]))
    np.testing.assert_allclose(curve.predict([5, 50]), 1 - moments @ expected, rtol=1e-4)


def with_favorabilities(rng, favorabilities, n_classes):
    # Scores in which point i outscores each incorrect class with probability favorabilities[i].
    labels = np.arange(len(favorabilities)) % n_classes
    scores = rng.uniform(size=(len(labels), n_classes))
    scores[np.arange(len(labels)), labels] = favorabilities
    return ac.ScoreMatrix(scores, labels)


def broken_line(rng, size):
    # D(u) = u / 2 + [u - t]+ / 2 (1 - t), in the basis, with t = 5/9.
    d = rng.uniform(size=size)
    return np.where(d < 5 / 18, 2 * d, (d + 5 / 8) / (1 / 2 + 9 / 8))


def test_is_hardly_biased_beyond_k1():
    rng = np.random.default_rng(12)
    k = np.array([5, 12, 20])
    n_classes, points = 12, 240
    found = []
    for _ in range(400):
        sample = with_favorabilities(rng, broken_line(rng, points), n_classes)
        found.append(CovariateAdjusted().fit(sample).predict(k))
    error = np.std(found, axis=0) / np.sqrt(len(found))
    # The weights of the rows depend on the data.
    risk = (k - 1) / k / 2 + 9 / 8 * (4 / 9 - (1 - (5 / 9) ** k) / k)
    assert (np.abs(np.mean(found, axis=0) - 1 + risk) < 4 * error + 0.002).all()


def test_follows_the_observed_curve():
    sample = simulated(80, 20, variance=0.3)
    k = np.arange(2, 81)
    accuracy = CovariateAdjusted().fit(sample).predict(k)
    np.testing.assert_allclose(accuracy, ac.average_accuracy(sample, k), atol=0.02)
    far = CovariateAdjusted().fit(sample).predict([10**6, 10**18])
    assert far[1] == pytest.approx(far[0], abs=1e-4)


def test_needs_enough_classes():
    with pytest.raises(InputError, match="needs at least k1 = 10 classes, the sample has 9"):
        CovariateAdjusted().fit(simulated(9, 2))
    assert np.isfinite(CovariateAdjusted().fit(simulated(10, 2)).predict(50)[0])
