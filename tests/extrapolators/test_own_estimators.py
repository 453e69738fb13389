import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import binom, norm, zscore

from accuracy_curves import FitError, InputError, ScoreMatrix, average_accuracy, load_scores
from accuracy_curves.extrapolators.auto import Auto
from accuracy_curves.extrapolators.empirical_bayes import EmpiricalBayes, _deconvolve
from accuracy_curves.extrapolators.gaussian_tail import GaussianTail
from accuracy_curves.extrapolators.pooled_tail import (
    PooledTail,
    _fit_exponent,
    log_mean_excess,
    nearest_scores,
    own_scale,
    shrinkage,
)
from accuracy_curves.scores import rivals
from accuracy_curves.scores.parts import split, subsample
from conftest import shared_data, simulated

OWN = (GaussianTail, EmpiricalBayes, PooledTail, Auto)
K = np.array([2, 5, 30, 60, 100, 300, 1000, 10**6, 10**12])


def power_law(n_points: int, n_classes: int, d: float, p: np.ndarray, seed: int = 0) -> ScoreMatrix:
    """Incorrect distances r with P(r < t) = t ** d, correct ones at P = p: C_x = 1 - p_x."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n_points) % n_classes
    scores = rng.random((n_points, n_classes)) ** (1 / d)
    scores[np.arange(n_points), labels] = p ** (1 / d)
    return ScoreMatrix(scores * rng.gamma(5, size=(n_points, 1)), labels, higher_is_better=False)


def gaussian(n_points: int, n_classes: int, c: np.ndarray, seed: int = 0) -> ScoreMatrix:
    """Incorrect scores N(m_x, s_x ** 2), correct ones at their quantile C_x."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n_points) % n_classes
    scores = rng.normal(size=(n_points, n_classes))
    scores[np.arange(n_points), labels] = norm.ppf(c)
    scale, shift = rng.gamma(5, size=(n_points, 1)), rng.normal(size=(n_points, 1))
    return ScoreMatrix(scores * scale + shift, labels)


def curve(c: np.ndarray) -> np.ndarray:
    return np.array([(c ** (k - 1)).mean() for k in K[:7]])


@pytest.mark.parametrize("d", [1.0, 5.0, 20.0])
def test_pooled_tail_knows_power_laws(d):
    p = np.exp(np.random.default_rng(1).normal(-5, 2, size=3000)).clip(max=0.9)
    method = PooledTail().fit(power_law(3000, 100, d, p))
    np.testing.assert_allclose(method.predict(K[:7]), curve(1 - p), atol=0.015)
    assert abs(method.exponent_ - 1) < 0.05
    # Per point too: sd of log(p_m) with m = 10 is 0.32, its mean is right.
    deep = p < 1e-3
    ratio = np.log((1 - method.favorability_[deep]) / p[deep])
    assert abs(ratio.mean()) < 0.2
    assert ratio.std() < 0.45


@pytest.mark.parametrize("d", [2.0, 9.0])
def test_pooled_tail_is_unbiased_where_correct_scores_are_rarer_than_any_rank_can_tell(d):
    # p = 10^-4 where 40 classes were seen: the answer rests on the tail alone.
    p = np.full(1000, 1e-4)
    errors = []
    for seed in range(15):
        found = PooledTail().fit(power_law(1000, 40, d, p, seed)).favorability_
        errors.append(np.log((1 - found) / p).mean())
    assert abs(np.mean(errors)) < 0.15
    assert np.std(errors) < 0.35


def test_perfect_accuracy_leaves_the_exponent_near_one():
    # Nothing was lost, so that the likelihood alone would let it grow without end.
    sample = gaussian(200, 40, np.full(200, 1 - 1e-7))
    assert average_accuracy(sample, 40) == 1
    method = PooledTail().fit(sample)
    assert 0.8 < method.exponent_ < 1.5
    assert method.misfit_ < 1


def test_exponent_recovers_a_tail_that_differs_between_correct_and_incorrect_scores():
    rng = np.random.default_rng(0)
    log_share = -rng.exponential(3, size=50_000) - 1e-3
    losses = rng.binomial(9, np.exp(1.4 * log_share))
    labels = np.arange(50_000) // 10
    found, misfit = _fit_exponent(log_share, losses, 9, np.ones(50_000), labels)
    np.testing.assert_allclose(np.exp(found), 1.4, rtol=0.02)
    assert misfit > 100
    losses = rng.binomial(9, np.exp(log_share))
    found, misfit = _fit_exponent(log_share, losses, 9, np.ones(50_000), labels)
    np.testing.assert_allclose(np.exp(found), 1, rtol=0.02)
    assert misfit < 10


def test_misfit_has_the_size_of_a_squared_standard_normal():
    rng = np.random.default_rng(5)
    misfits = []
    for _ in range(200):
        log_share = -rng.exponential(3, size=600) - 1e-3
        losses = rng.binomial(9, np.exp(log_share))
        misfits.append(_fit_exponent(log_share, losses, 9, np.ones(600), np.arange(600))[1])
    # The spread is never taken for less than the information, so slightly below 1.
    assert 0.6 < np.mean(misfits) < 1.2


def test_points_of_one_class_count_once_in_the_misfit():
    rng = np.random.default_rng(6)
    log_share = -rng.exponential(3, size=400) - 1e-3
    losses = rng.binomial(9, np.exp(1.3 * log_share))
    once = _fit_exponent(log_share, losses, 9, np.ones(400), np.arange(400))
    repeated = [np.repeat(a, 10) for a in (log_share, losses, np.arange(400))]
    ten = _fit_exponent(repeated[0], repeated[1], 9, np.ones(4000), repeated[2])
    np.testing.assert_allclose(ten[0], once[0], atol=2e-3)  # The prior is the same.
    np.testing.assert_allclose(ten[1], once[1], rtol=0.2)


@pytest.mark.parametrize(("misfit", "factor"), [(0.0, 0.0), (1.0, 0.0), (2.0, 0.5), (100.0, 0.99)])
def test_shrinkage(misfit, factor):
    assert shrinkage(misfit) == pytest.approx(factor)


def nearest_ten(sample):
    return nearest_scores(sample, 10, own_scale(sample))


def test_nearest_scores_are_those_of_a_sort():
    sample = simulated(30, 3, seed=4)
    correct, incorrect = split(sample)
    plain = ScoreMatrix(-sample.scores, sample.labels)
    found = nearest_scores(plain, 6, own_scale(plain))
    np.testing.assert_allclose(found.lead, correct - incorrect[:, -6])
    np.testing.assert_allclose(np.sort(found.excess), incorrect[:, -5:] - incorrect[:, [-6]])
    below, anchor = incorrect[:, :-5], incorrect[:, -6]
    gap, sd = anchor - incorrect[:, -12:-6].mean(axis=1), below.std(axis=1)
    by_hand = zscore([np.log(sd), (anchor - below.mean(axis=1)) / sd, np.log(gap)], axis=1)
    np.testing.assert_allclose(found.features[:, 1:].T, by_hand.clip(-3, 3), atol=1e-9)
    logs = nearest_scores(sample, 6, own_scale(sample))
    np.testing.assert_allclose(logs.lead, np.log(incorrect[:, -6] / correct))


def test_some_of_many_scores_below_the_anchor_tell_their_mean_and_spread(monkeypatch):
    sample = simulated(700, 1, seed=4)
    some = nearest_ten(sample)
    monkeypatch.setattr(rivals, "MOST_BELOW", 700)
    every = nearest_ten(sample)
    for name in ("lead", "excess"):
        np.testing.assert_array_equal(getattr(some, name), getattr(every, name))
    for one, other in zip(some.features.T[1:], every.features.T[1:], strict=True):
        assert np.corrcoef(one, other)[0, 1] > 0.98


def test_of_very_many_classes_the_best_are_found_among_all(monkeypatch):
    sample = simulated(700, 1, seed=4)
    every, curve = (nearest_ten(sample), PooledTail().fit(sample).predict(K))
    monkeypatch.setattr(rivals, "MOST_SORTED", 200)
    some = nearest_ten(sample)
    for name in ("lead", "excess"):
        np.testing.assert_array_equal(getattr(some, name), getattr(every, name))
    assert np.corrcoef(some.features[:, 1], every.features[:, 1])[0, 1] > 0.9
    np.testing.assert_allclose(PooledTail().fit(sample).predict(K), curve, atol=3e-3)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(5, 12), st.sampled_from([1, 3]))
def test_mean_excesses_are_where_the_likelihood_with_a_ridge_is_flat(seed, n, scale):
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(n), scale * rng.normal(size=(n, 3))])
    excess = rng.exponential(np.exp(x @ rng.normal(size=4))[:, None], size=(n, 2))
    found = np.exp(log_mean_excess(x, excess.mean(axis=1), np.ones(n)))
    beta = np.linalg.lstsq(x, np.log(found), rcond=None)[0]
    gradient = x.T @ (1 - excess.mean(axis=1) / found) + np.append(0, beta[1:])
    np.testing.assert_allclose(gradient, 0, atol=1e-3 * n)


def test_gaussian_tail_knows_gaussians():
    c = 1 - np.exp(np.random.default_rng(1).normal(-5, 2, size=3000)).clip(max=0.9)
    sample = gaussian(3000, 400, c)
    method = GaussianTail().fit(sample)
    np.testing.assert_allclose(method.predict(K[:7]), curve(c), atol=0.02)
    assert abs(method.slope_ - 1) < 0.1


def test_calibration_mends_a_tail_that_is_not_gaussian():
    # A power law: log distances have an exponential tail where the Gaussian has a lighter one.
    p = np.exp(np.random.default_rng(1).normal(-5, 1.5, size=3000)).clip(max=0.9)
    sample = power_law(3000, 200, 3.0, p)
    method = GaussianTail().fit(sample)
    assert abs(method.slope_ - 1) > 0.1
    np.testing.assert_allclose(method.predict(K[:7]), curve(1 - p), atol=0.04)


@pytest.mark.parametrize("mean", [-6.0, -4.0, -2.0])
def test_empirical_bayes_recovers_a_normal_distribution_of_log_p(mean):
    rng = np.random.default_rng(2)
    c = 1 - np.exp(rng.normal(mean, 1, size=20_000)).clip(max=0.99)
    n_classes = 200
    outscored = rng.binomial(n_classes - 1, c)
    # Distances 0, 1, 2, ... with the correct one between: only its rank counts.
    columns = np.argsort(rng.random((20_000, n_classes)), axis=1)
    labels = np.arange(20_000) % n_classes
    scores = columns.astype(float)
    below = np.sort(np.where(np.arange(n_classes) == labels[:, None], np.inf, scores), axis=1)
    scores[np.arange(20_000), labels] = np.where(
        outscored > 0, below[np.arange(20_000), outscored - 1] + 0.5, -1
    )
    sample = ScoreMatrix(scores, labels)
    method = EmpiricalBayes().fit(sample)
    k = np.array([2, 50, 200, 600])
    truth = [(c ** (each - 1)).mean() for each in k]
    np.testing.assert_allclose(method.predict(k), truth, atol=0.03)
    np.testing.assert_allclose(method.weights_.sum(), 1)


def test_empirical_bayes_has_the_largest_penalised_likelihood(monkeypatch):
    counts, nodes = np.array([1.0, 1, 2, 4, 9, 12]), np.linspace(0.05, 0.95, 20)
    likelihood = binom.pmf(np.arange(6)[:, None], 5, nodes)
    basis = np.polynomial.legendre.legvander(np.linspace(-1, 1, 20), 2)[:, 1:]

    def cost(alpha):
        g = np.exp(basis @ alpha)
        return 2 * np.linalg.norm(alpha) - counts @ np.log(likelihood @ g / g.sum())

    best = np.exp(basis @ minimize(cost, [0.1, 0.1], method="Nelder-Mead").x)
    # As many polynomials as Nelder and Mead's method finds the maximum of.
    for name, value in (("DEGREE", 2), ("PENALTY", 2.0)):
        monkeypatch.setattr(f"accuracy_curves.extrapolators.empirical_bayes.{name}", value)
    found = _deconvolve(counts, likelihood)
    np.testing.assert_allclose(found, best / best.sum(), rtol=1e-3)


@pytest.mark.parametrize("transform", [np.square, lambda r: 3 * r, lambda r: 0.1 * np.sqrt(r)])
def test_pooled_tail_does_not_see_powers_of_distances(transform):
    sample = simulated(40, 5, seed=7)
    moved = ScoreMatrix(transform(sample.scores), sample.labels, higher_is_better=False)
    curves = [PooledTail().fit(each).predict(K) for each in (sample, moved)]
    np.testing.assert_allclose(*curves, atol=1e-6)


@pytest.mark.parametrize("method", [PooledTail, GaussianTail, Auto])
def test_affine_transformations_of_similarities_change_nothing(method):
    sample = gaussian(200, 40, np.random.default_rng(0).beta(20, 1, size=200))
    moved = ScoreMatrix(2.5 * sample.scores - 7, sample.labels)
    flipped = ScoreMatrix(-sample.scores - 100 * sample.scores.min(), sample.labels, False)
    shifted = ScoreMatrix(-sample.scores - 1, sample.labels, higher_is_better=False)
    assert flipped.scores.min() > 0 > shifted.scores.min()
    curves = [method().fit(each).predict(K) for each in (sample, moved, shifted)]
    np.testing.assert_allclose(curves[1], curves[0], atol=1e-6)
    np.testing.assert_allclose(curves[2], curves[0], atol=1e-6)


@pytest.mark.parametrize("method", OWN)
def test_curves_are_curves(method):
    sample = simulated(60, 4, seed=8)
    fitted = method().fit(sample)
    found = fitted.predict(np.unique(np.geomspace(2, 1e9, 50).astype(int)))
    assert (np.diff(found) <= 0).all()
    assert 0 <= found[-1] <= found[0] <= 1
    assert all((part.favorabilities.log_c <= 0).all() for _, part in fitted.parts)
    observed = average_accuracy(sample, [2, 10, 30, 60])
    np.testing.assert_allclose(fitted.predict([2, 10, 30, 60]), observed, atol=0.06)
    np.testing.assert_array_equal(method().fit(sample).predict(K), fitted.predict(K))


@pytest.mark.parametrize("method", OWN)
@pytest.mark.parametrize("better", [True, False])
def test_awkward_scores(method, better):
    rng = np.random.default_rng(0)
    labels = np.arange(40) % 8
    perfect = rng.random((40, 8)) + 1
    perfect[np.arange(40), labels] = 100 if better else 0
    tied = rng.integers(0, 3, size=(40, 8)).astype(float)
    constant_row = rng.random((40, 8))
    constant_row[3] = 0.5
    for scores in (perfect, tied, constant_row, perfect.astype(np.float32)):
        found = method().fit(ScoreMatrix(scores, labels, better)).predict(K)
        assert np.isfinite(found).all()
    fitted = method().fit(ScoreMatrix(perfect, labels, better))
    assert fitted.predict(8)[0] > 0.9


@pytest.mark.parametrize("kind", [PooledTail, Auto])
def test_scores_without_a_tail_are_refused(kind):
    zero = ScoreMatrix(np.zeros((8, 8)), np.arange(8), higher_is_better=False)
    why = "every distance is zero: " if kind is PooledTail else "every data point are equal: "
    with pytest.raises(FitError, match=f"^auto and pooled_tail.* {why}"):
        kind().fit(zero)
    with pytest.raises(FitError, match="every data point are equal: are the scores") as caught:
        kind().fit(ScoreMatrix(np.ones((8, 8)), np.arange(8)))
    assert "such as empirical_bayes" in str(caught.value)
    with pytest.raises(InputError, match="needs at least k1 = 6 classes, the sample has 5"):
        kind().fit(simulated(5, 2))
    kind().fit(simulated(6, 2))


def test_classes_without_points_and_one_point():
    rng = np.random.default_rng(0)
    for labels in ([3], [3, 3, 5]):
        sample = ScoreMatrix(rng.random((len(labels), 8)), np.array(labels))
        for method in OWN:
            assert np.isfinite(method().fit(sample).predict(K)).all()


def test_telugu_characters():
    whole = load_scores(shared_data("telugu_scores_logistic_100.npz"))
    errors = [Auto().fit(subsample(whole, 20, seed)).predict(100)[0] - 0.849 for seed in range(8)]
    # The accuracy at 20 classes is 0.10 too high.
    assert np.median(np.abs(errors)) < 0.05
