import numpy as np
import pytest
from scipy.optimize import nnls

import accuracy_curves as ac
from accuracy_curves.extrapolators.spline import (
    Spline,
    compressed_design,
    spline_gaps,
    spline_moments,
)
from conftest import shared_data, simulated

BASES = [(100, "linear"), (1000, "quadratic"), (10_000, "linear"), (10_000, "quadratic")]


@pytest.fixture(scope="module")
def sample():
    return simulated(120, 10)


@pytest.mark.parametrize(("m", "spacing"), BASES)
def test_compression_keeps_every_column(m, spacing):
    directions, design = compressed_design(np.arange(2, 301).tobytes(), m, spacing)
    whole = spline_moments(spline_gaps(m, spacing), np.arange(2, 301))
    lost = np.linalg.norm(whole - directions @ design, axis=0) / np.linalg.norm(whole, axis=0)
    assert lost.max() < 1e-13
    assert len(design) < 50
    np.testing.assert_allclose(directions.T @ directions, np.eye(len(design)), atol=1e-13)


@pytest.mark.parametrize(("m", "spacing"), BASES)
def test_equals_scipy_on_the_whole_problem(sample, m, spacing):
    model = Spline(knots=m, spacing=spacing).fit(sample)
    k, accuracy = model.observed(sample)
    gaps = spline_gaps(m, spacing)
    coefficients, size = nnls(spline_moments(gaps, k), 1 - accuracy)
    assert ((model.predict(k) - accuracy) ** 2).sum() == pytest.approx(size**2, rel=1e-6)
    far = np.array([2, 120, 500, 2000])
    expected = 1 - spline_moments(gaps, far) @ coefficients
    np.testing.assert_allclose(model.predict(far), expected, atol=1e-4)


def distribution(model, u):
    """D(u), the fitted distribution function of the favorabilities."""
    beyond = model.gaps_ - (1.0 - np.atleast_1d(u))[:, None]
    return (np.maximum(beyond, 0.0) * model.coefficients_).sum(axis=1)


def test_recovers_a_convex_distribution():
    # C_x ~ Beta(3, 1): D(u) = u^3, E_k[A] = 3 / (k + 2).
    k = np.arange(2, 51)
    model = Spline(knots=1000)
    model._fit_curve(k, 3 / (k + 2.0))
    u = np.linspace(0, 1, 21)
    np.testing.assert_allclose(distribution(model, u), u**3, atol=4e-3)
    np.testing.assert_allclose(model.predict([100, 500]), [3 / 102, 3 / 502], atol=4e-4)


def test_predictions_are_the_moments_of_the_distribution(sample):
    model = Spline(knots=200, spacing="quadratic").fit(sample)
    u = np.union1d(np.linspace(0, 1, 100_001), 1 - model.gaps_)
    for k in (2, 10, 200):
        integrand = (k - 1) * distribution(model, u) * u ** (k - 2.0)
        assert model.predict(k)[0] == pytest.approx(1 - np.trapezoid(integrand, u), abs=1e-5)
    density = np.diff(distribution(model, np.linspace(0, 1, 500)))
    assert (density >= 0).all()
    assert (np.diff(density) >= -1e-12).all()


def test_is_cut_at_zero():
    # Accuracy falls in a straight line: D has all its weight at u = 1, beyond what D(1) = 1 allows.
    k = np.arange(2, 41)
    model = Spline(knots=10_000, spacing="quadratic")
    model._fit_curve(k, 1 - 0.02 * (k - 1.0))
    np.testing.assert_allclose(model.predict([30, 40]), [0.42, 0.22], atol=1e-6)
    assert distribution(model, 1)[0] > 1
    np.testing.assert_array_equal(model.predict([60, 10**18]), [0, 0])


def test_perfect_accuracy_stays_perfect():
    model = Spline()
    model._fit_curve(np.arange(2, 11), np.ones(9))
    np.testing.assert_array_equal(model.predict([2, 10**12]), [1, 1])


def test_published_pattern_on_faces():
    from scipy.spatial.distance import cdist
    from sklearn.decomposition import PCA

    data = np.load(shared_data("lfw_mobilefacenet.npz"))
    embeddings = PCA(16, svd_solver="covariance_eigh").fit_transform(data["embeddings"])
    order = np.argsort(data["person"], kind="stable")
    _, first, counts = np.unique(data["person"][order], return_index=True, return_counts=True)
    gallery, probes = order[first[counts >= 2]], order[first[counts >= 2] + 1]
    distances = cdist(embeddings[probes], embeddings[gallery])
    matrix = ac.ScoreMatrix(distances, np.arange(len(gallery)), higher_is_better=False)
    true = ac.average_accuracy(matrix, 1672)[0]
    spread = {}
    for k1 in (100, 800):
        predicted = [Spline().fit(ac.subsample(matrix, k1, i)).predict(1672)[0] for i in range(25)]
        spread[k1] = np.std(predicted)
        assert abs(np.mean(predicted) - true) < 2 * spread[k1]
    # Zheng et al. 2017, Table 1: sd .277 at k1 = 100, .020 at 800.
    assert spread[100] > 0.1
    assert spread[800] < 0.04
