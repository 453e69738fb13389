"""The covariate-adjusted risk against integrals, normal equations and populations."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

import accuracy_curves as ac
from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators.covariate_adjusted import CovariateAdjusted, rank_costs
from accuracy_curves.extrapolators.spline import spline_gaps
from conftest import simulated

POLYNOMIAL, SPLINE = CovariateAdjusted(basis="polynomial"), CovariateAdjusted(knots=2)


def functions(basis):
    if basis.basis == "polynomial":
        return [lambda u, power=power: u**power for power in range(basis.degree + 1)]
    knots = [0, *(1 - spline_gaps(basis.knots, basis.spacing))]
    return [lambda u, t=t: np.maximum(u - t, 0) for t in knots]


def mean(function, a, b):
    # The knots of SPLINE are 5/9 and 8/9.
    pieces = zip([0, 5 / 9, 8 / 9], [5 / 9, 8 / 9, 1], strict=True)
    return sum(quad(lambda u: function(u) * beta.pdf(u, a, b), *piece)[0] for piece in pieces)


@pytest.mark.parametrize("basis", [POLYNOMIAL, SPLINE])
def test_moments_equal_integrals(basis):
    expected = [[mean(h, m, 9 - m) for h in functions(basis)] for m in range(1, 9)]
    np.testing.assert_allclose(basis._seen(9), expected, atol=1e-9)
    expected = [[mean(h, k - 1, 1) for h in functions(basis)] for k in (2, 3, 30)]
    np.testing.assert_allclose(basis._moments(np.array([2, 3, 30])), expected, atol=1e-9)


@pytest.mark.parametrize("basis", ["polynomial", "spline"])
def test_coefficients_equal_the_normal_equations(basis):
    sample = simulated(9, 20, variance=0.8)
    curve = CovariateAdjusted(basis=basis, degree=3, knots=2).fit(sample)
    costs = rank_costs(sample)
    share = (180 * costs + 0.5) / 181
    precision = np.diag(20 / (share * (1 - share)))
    seen = (POLYNOMIAL if basis == "polynomial" else SPLINE)._seen(9)
    covariance = np.linalg.inv(seen.T @ precision @ seen)
    expected = covariance @ seen.T @ precision @ costs
    np.testing.assert_allclose(curve.coefficients_, expected, rtol=1e-6)
    moments = curve._moments(np.array([5, 50]))
    np.testing.assert_allclose(curve.predict([5, 50]), 1 - moments @ expected, rtol=1e-6)


def with_favorabilities(rng, favorabilities, n_classes):
    # Scores in which point i outscores each incorrect class with probability favorabilities[i].
    labels = np.arange(len(favorabilities)) % n_classes
    scores = rng.uniform(size=(len(labels), n_classes))
    scores[np.arange(len(labels)), labels] = favorabilities
    return ac.ScoreMatrix(scores, labels)


def cube(rng, size):
    # D(u) = u^3.
    return rng.uniform(size=size) ** (1 / 3)


def broken_line(rng, size):
    # D(u) = u / 2 + [u - 1/2]+, in the basis of one linear knot.
    d = rng.uniform(size=size)
    return np.where(d < 0.25, 2 * d, (d + 0.5) / 1.5)


@pytest.mark.parametrize(
    ("draw", "options", "risk"),
    [
        (cube, {"basis": "polynomial", "degree": 3}, lambda k: (k - 1) / (k + 2)),
        (
            broken_line,
            {"basis": "spline", "knots": 1, "spacing": "linear"},
            lambda k: 0.5 * (k - 1) / k + 0.5 - (1 - 0.5**k) / k,
        ),
    ],
)
def test_is_hardly_biased_beyond_k1(draw, options, risk):
    rng = np.random.default_rng(12)
    k = np.array([5, 12, 40])
    n_classes, points = 12, 240
    found = []
    for _ in range(400):
        sample = with_favorabilities(rng, draw(rng, points), n_classes)
        found.append(CovariateAdjusted(**options).fit(sample).predict(k))
    error = np.std(found, axis=0) / np.sqrt(len(found))
    # The weights of the rows depend on the data.
    assert (np.abs(np.mean(found, axis=0) - 1 + risk(k)) < 4 * error + 0.002).all()


def test_follows_the_observed_curve():
    sample = simulated(80, 20, variance=0.3)
    k = np.arange(2, 81)
    accuracy = CovariateAdjusted().fit(sample).predict(k)
    np.testing.assert_allclose(accuracy, ac.average_accuracy(sample, k), atol=0.02)
    far = CovariateAdjusted().fit(sample).predict([10**6, 10**18])
    assert far[1] == pytest.approx(far[0], abs=1e-4)


def test_needs_enough_classes():
    with pytest.raises(InputError, match="9 basis functions need at least k1 = 10 classes"):
        CovariateAdjusted().fit(simulated(9, 2))
    assert np.isfinite(CovariateAdjusted().fit(simulated(10, 2)).predict(50)[0])
    with pytest.raises(FitError, match="too few for 41 basis functions"):
        CovariateAdjusted(basis="polynomial", degree=40).fit(simulated(60, 2))
