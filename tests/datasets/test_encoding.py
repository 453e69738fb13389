import numpy as np
import pytest

from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix
from experiments.datasets.embeddings import encoding
from experiments.datasets.embeddings.encoding import fit_encoding_model, identification_scores


def brain(n, p=12, good=20, bad=60, noise=0.5, seed=0):
    """Features, responses, and the truth: the first voxels see the features, the others do not."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n, p)) * rng.uniform(0.1, 10, size=p) + rng.normal(size=p)
    weights = rng.normal(size=(p, good)) / features.std(axis=0)[:, None]
    mixing = np.eye(good) + 0.1 * rng.normal(size=(good, good))
    signal = 3 + features @ weights
    seen = signal + noise * rng.normal(size=(n, good)) @ mixing
    order = rng.permutation(good + bad)
    responses = np.hstack([seen, 100 * rng.normal(size=(n, bad))])[:, order]
    covariance = noise**2 * mixing.T @ mixing
    return features, responses, np.flatnonzero(order < good), order, weights, covariance


def ridge(features, response, penalty):
    """The closed form with an intercept, on standardised features: coefficients, intercept."""
    scale = features.std(axis=0)
    x = (features - features.mean(axis=0)) / scale
    b = np.linalg.solve(x.T @ x + penalty * np.eye(x.shape[1]), x.T @ (response - response.mean()))
    return b / scale, response.mean() - features.mean(axis=0) @ (b / scale)


@pytest.mark.parametrize("p", [5, 90])
def test_each_voxel_is_the_closed_form(p):
    features, responses, *_ = brain(60, p=p)
    model = fit_encoding_model(features, responses, n_voxels=15)
    new = features[:7] + 1
    for j, voxel in enumerate(model.voxels):
        b, a = ridge(features, responses[:, voxel], model.penalties[j])
        np.testing.assert_allclose(model.predict(new)[:, j], new @ b + a, rtol=1e-6)


def test_penalties_and_r_squared_are_those_of_leaving_each_image_out():
    features, responses, *_ = brain(50, p=30, noise=4)
    model = fit_encoding_model(features, responses, n_voxels=80)
    x = (features - features.mean(axis=0)) / features.std(axis=0)
    errors = np.zeros((len(encoding.PENALTIES), 80))
    for left_out in range(50):
        train = np.arange(50) != left_out
        centre, mean = x[train].mean(axis=0), responses[train].mean(axis=0)
        own = x[train] - centre
        for i, penalty in enumerate(30 * encoding.PENALTIES):
            b = np.linalg.solve(
                own.T @ own + penalty * np.eye(30), own.T @ (responses[train] - mean)
            )
            errors[i] += (responses[left_out] - mean - (x[left_out] - centre) @ b) ** 2
    np.testing.assert_array_equal(model.voxels, np.arange(80))
    np.testing.assert_allclose(model.penalties, 30 * encoding.PENALTIES[errors.argmin(axis=0)])
    expected = 1 - errors.min(axis=0) / (50 * responses.var(axis=0))
    np.testing.assert_allclose(model.r_squared, expected, rtol=1e-8, atol=1e-12)
    assert len(set(model.penalties)) > 3  # The voxels differ in what they need.


def test_the_voxels_that_see_the_images_are_chosen_and_their_noise_is_learnt():
    features, responses, good, order, _, covariance = brain(800)
    model = fit_encoding_model(features, responses, n_voxels=20)
    np.testing.assert_array_equal(model.voxels, good)
    assert model.r_squared.min() > 0.5
    expected = covariance[np.ix_(order[good], order[good])]
    np.testing.assert_allclose(model.covariance, expected, atol=0.2 * expected.max())


def test_scores_are_squared_mahalanobis_distances():
    features, responses, *_ = brain(70)
    model = fit_encoding_model(features[:50], responses[:50], n_voxels=10)
    matrix = identification_scores(model, features[50:], responses[50:])
    inverse = np.linalg.inv(model.covariance)
    for i in range(20):
        for y in range(20):
            away = model.predict(features[50 + y : 51 + y])[0] - responses[50 + i, model.voxels]
            np.testing.assert_allclose(matrix.scores[i, y], away @ inverse @ away, rtol=1e-4)
    assert matrix.labels.tolist() == list(range(20))
    assert not matrix.higher_is_better


@pytest.mark.parametrize("seed", [5, 6, 7])
def test_identification_is_about_as_good_as_with_the_true_brain_known(seed):
    p, n = 4, 400
    features, responses, good, order, weights, covariance = brain(
        750 + n, p=p, noise=2.0, seed=seed
    )
    model = fit_encoding_model(features[:750], responses[:750], n_voxels=20)
    matrix = identification_scores(model, features[750:], responses[750:])
    found = average_accuracy(matrix, np.array([2, 20, n]))
    true = order[good]
    expected = (3 + features[750:] @ weights)[:, true]
    white = np.linalg.inv(np.linalg.cholesky(covariance[np.ix_(true, true)]))
    away = (responses[750:][:, good][:, None] - expected[None]) @ white.T
    best = ScoreMatrix((away**2).sum(axis=2), np.arange(n), higher_is_better=False)
    optimum = average_accuracy(best, np.array([2, 20, n]))
    assert 0.2 < optimum[-1] < 0.9  # A hard task, far from chance 1 / 400.
    error = np.sqrt(optimum * (1 - optimum) / n)
    assert (np.abs(found - optimum) < 3 * error).all()


def test_features_and_voxels_that_do_not_vary():
    features, responses, *_ = brain(40)
    features[:, 3] = 5.1
    responses[:, 8] = 0.1
    model = fit_encoding_model(features, responses, n_voxels=79)
    assert 8 not in model.voxels
    new = features.copy()
    new[:, 3] = 7
    np.testing.assert_allclose(model.predict(new), model.predict(features))
