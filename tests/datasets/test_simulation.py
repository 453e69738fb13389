import dataclasses
import tracemalloc

import numpy as np
import pytest
from scipy.stats import norm, uniform

from accuracy_curves.observed.accuracy import average_accuracy
from experiments.datasets.simulation import Simulation


@pytest.mark.parametrize(
    ("classes", "points", "convention", "law_y", "law_noise"),
    [
        ("normal", "normal", "covariance", norm(), norm(scale=0.2**0.5)),
        (
            "uniform",
            "uniform",
            "covariance",
            uniform(-(3**0.5), 2 * 3**0.5),
            uniform(-(0.6**0.5), 2 * 0.6**0.5),
        ),
        ("uniform", "uniform", "appendix", uniform(-1, 2), uniform(-0.2, 0.4)),
        ("normal", "uniform", "appendix", norm(), uniform(-0.2, 0.4)),
    ],
)
def test_draws_have_the_papers_distributions(classes, points, convention, law_y, law_noise):
    simulation = Simulation(
        classes=classes, points=points, uniform_convention=convention, variance=0.2, dimension=3
    )
    y, x = simulation.draw(0)
    assert y.shape == (2000, 3)
    assert x.shape == (20000, 3)
    noise = x - np.repeat(y, 10, axis=0)
    for sample, law in ((y, law_y), (noise, law_noise)):
        # Kolmogorov-Smirnov at a level of about 1e-4, for each component.
        for component in sample.T:
            level = law.cdf(np.sort(component))
            gap = np.abs(level - (np.arange(len(level)) + 0.5) / len(level)).max()
            assert gap < 2.23 / np.sqrt(len(level))
        correlation = np.corrcoef(sample.T)[np.triu_indices(3, 1)]
        assert np.abs(correlation).max() < 4 / np.sqrt(len(sample))
    assert np.abs(np.corrcoef(noise[:, 0], np.repeat(y[:, 0], 10))[0, 1]) < 0.03
    assert np.abs(np.corrcoef(noise[:2000].ravel(), y.ravel())[0, 1]) < 0.06


def test_covariance_convention_has_the_normal_cases_covariances():
    for classes in ("normal", "uniform"):
        y, x = Simulation(classes=classes, points=classes, variance=0.6, dimension=10).draw(1)
        np.testing.assert_allclose(np.cov(y.T), np.eye(10), atol=0.12)
        noise = x - np.repeat(y, 10, axis=0)
        np.testing.assert_allclose(np.cov(noise.T), 0.6 * np.eye(10), atol=0.03)


def test_simulated_scores_equal_brute_force():
    simulation = Simulation(n_classes=7, points_per_class=3, dimension=2)
    y, x = simulation.draw(5)
    matrix = simulation.score_matrix(5)
    expected = [[np.sqrt(((a - b) ** 2).sum()) for b in y] for a in x]
    np.testing.assert_allclose(matrix.scores, expected, rtol=1e-6)
    np.testing.assert_array_equal(matrix.labels, np.arange(21) // 3)
    assert matrix.scores.dtype == np.float32
    assert not matrix.higher_is_better


@pytest.mark.parametrize("variance", [0.1, 1.0])
def test_two_classes_in_one_dimension_have_the_closed_form_accuracy(variance):
    # x is misclassified when a = y' - y and b = 2x - y - y' have one sign; their correlation is
    # -1 / sqrt(1 + 2 sigma^2), and the orthant probability is Sheppard's.
    simulation = Simulation(dimension=1, variance=variance, points_per_class=5)
    found = [average_accuracy(simulation.score_matrix(seed), 2)[0] for seed in range(3)]
    exact = 0.5 + np.arcsin(1 / np.sqrt(1 + 2 * variance)) / np.pi
    assert np.mean(found) == pytest.approx(exact, abs=0.006)


def test_simulation_is_decided_by_its_seed():
    simulation = Simulation(n_classes=20)
    first = simulation.score_matrix(1).scores.tobytes()
    assert simulation.score_matrix(1).scores.tobytes() == first
    assert simulation.score_matrix(2).scores.tobytes() != first


@pytest.mark.parametrize("variance", [0.1, 1.0])
def test_labelled_examples_have_the_closed_form_accuracy_of_two_classes(variance):
    # Now a = g' - g and b = 2x - g - g'; var a = 2 (1 + s2), var b = 2 + 6 s2, cov(a, b) = -2.
    simulation = Simulation(dimension=1, variance=variance, points_per_class=5, gallery_noise=True)
    found = [average_accuracy(simulation.score_matrix(seed), 2)[0] for seed in range(3)]
    correlation = 1 / np.sqrt((1 + variance) * (1 + 3 * variance))
    exact = 0.5 + np.arcsin(correlation) / np.pi
    assert np.mean(found) == pytest.approx(exact, abs=0.012)


def test_labelled_examples_are_drawn_apart_from_the_points():
    plain = Simulation(n_classes=300, points_per_class=1, dimension=10, variance=0.3)
    noisy = dataclasses.replace(plain, gallery_noise=True)
    np.testing.assert_array_equal(plain.draw(3)[1], noisy.draw(3)[1])
    # Of a point and its own class's example: 2 sigma^2 a component, and sigma^2 to the class.
    for simulation, expected in ((plain, 0.3), (noisy, 0.6)):
        own = np.diagonal(simulation.score_matrix(3).scores) ** 2 / 10
        assert own.mean() == pytest.approx(expected, rel=0.1)


def test_ten_thousand_classes_with_one_point_each_need_no_second_matrix():
    simulation = Simulation(
        dimension=10, variance=0.3, n_classes=10_000, points_per_class=1, gallery_noise=True
    )
    tracemalloc.start()
    matrix = simulation.score_matrix(0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert matrix.scores.nbytes == 400_000_000
    assert peak < matrix.scores.nbytes + 200e6
