import numpy as np
import pytest
from numpy.polynomial.legendre import leggauss
from scipy.stats import norm

from experiments.evaluation.bivariate_normal_model import (
    accuracy_of_labels,
    average_accuracy_of_classes,
    best_polynomial_error,
    chebyshev_points,
    distribution,
    favorability,
)

RHOS = [0.3, 0.5, 0.7, 0.9]


def draw(rho, n, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n)
    return y, rho * y + np.sqrt(1 - rho**2) * rng.normal(size=n)


@pytest.mark.parametrize("rho", [0.3, 0.7])
def test_accuracy_of_labels_is_that_of_simulated_points(rho):
    rng = np.random.default_rng(1)
    labels = rng.normal(size=5)
    true = rng.integers(5, size=400_000)
    x = rng.normal(rho * labels[true], np.sqrt(1 - rho**2))
    densities = norm.pdf(x[:, None], rho * labels, np.sqrt(1 - rho**2))
    found = (densities.argmax(axis=1) == true).mean()
    assert accuracy_of_labels(labels, rho) == pytest.approx(found, abs=0.004)
    assert accuracy_of_labels(labels[[3, 0, 4, 2, 1]], rho) == accuracy_of_labels(labels, rho)


@pytest.mark.parametrize("rho", RHOS)
def test_favorability_is_the_share_of_labels_that_are_farther(rho):
    others = np.random.default_rng(2).normal(size=200_000)
    for y, x in ((0.0, 0.0), (0.4, -1.0), (-1.5, -2.0), (2.0, 0.3)):
        share = (np.abs(rho * others - x) > abs(rho * y - x)).mean()
        assert favorability(y, x, rho) == pytest.approx(share, abs=0.005)
    assert favorability(0.8 / rho, 0.8, rho) == pytest.approx(1.0)


@pytest.mark.parametrize("rho", RHOS)
def test_distribution_is_that_of_simulated_favorabilities(rho):
    y, x = draw(rho, 200_000)
    found = np.sort(favorability(y, x, rho))
    u = np.linspace(0, 1, 201)
    share = np.searchsorted(found, u, side="right") / len(found)
    # Kolmogorov-Smirnov at a level of about 1e-4.
    assert np.abs(share - distribution(u, rho)).max() < 2.23 / np.sqrt(len(found))


@pytest.mark.parametrize("rho", [0.05, *RHOS, 0.97])
def test_two_classes_have_sheppards_accuracy(rho):
    # (rho Y - X)^2 < (rho Y' - X)^2 says that Y - Y' and rho (Y + Y') - 2 X differ in sign.
    exact = 0.5 + np.arcsin(rho / np.sqrt(2 - rho**2)) / np.pi
    assert average_accuracy_of_classes(2, rho)[0] == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("rho", RHOS)
def test_average_accuracy_is_the_mean_over_labels_and_the_integral_of_the_distribution(rho):
    rng = np.random.default_rng(3)
    for k in (2, 3, 10):
        found = accuracy_of_labels(rng.normal(size=(40_000, k)), rho)
        within = 4 * found.std() / np.sqrt(len(found))
        assert average_accuracy_of_classes(k, rho)[0] == pytest.approx(found.mean(), abs=within)

    # Gauss-Legendre in t, u = t^2 (3 - 2 t): the distribution is steep at both ends.
    nodes, weights = leggauss(300)
    t = (nodes + 1) / 2
    u = t**2 * (3 - 2 * t)
    levels = distribution(u, rho) * 3 * t * (1 - t) * weights
    for k in (2, 6):
        area = (levels * u ** (k - 2)).sum()
        assert average_accuracy_of_classes(k, rho)[0] == pytest.approx(1 - (k - 1) * area, abs=1e-6)


def test_one_class_is_always_right_and_more_correlation_is_better():
    k = np.arange(1, 30)
    curves = np.array([average_accuracy_of_classes(k, rho) for rho in RHOS])
    np.testing.assert_allclose(curves[:, 0], 1, atol=1e-12)
    assert (np.diff(curves, axis=1) < 0).all()
    assert (np.diff(curves[:, 1:], axis=0) > 0).all()
    u = np.linspace(0, 1, 50)
    levels = np.array([distribution(u, rho) for rho in RHOS])
    assert (np.diff(levels, axis=1) > 0).all()
    assert (np.diff(levels[:, 1:-1], axis=0) < 0).all()
    np.testing.assert_allclose(levels[:, [0, -1]], [[0, 1]] * 4, atol=1e-12)


@pytest.mark.parametrize("degree", [0, 1, 4])
def test_the_best_approximation_of_a_power_is_chebyshevs(degree):
    # x^(d + 1) on [-1, 1] is 2^-d from the polynomials of degree d; [0, 1] halves the interval.
    u = chebyshev_points(401)
    error = best_polynomial_error(u, (2 * u - 1) ** (degree + 1), degree)
    assert error == pytest.approx(2.0**-degree, rel=1e-3)


def test_the_best_parabola_of_the_absolute_value_is_an_eighth_off():
    u = chebyshev_points(401)
    for degree in (2, 3):
        error = best_polynomial_error(u, np.abs(2 * u - 1), degree)
        assert error == pytest.approx(0.125, rel=1e-3)
