import numpy as np
import pytest
from scipy.stats import beta, binom

from accuracy_curves import Identification, ScoreMatrix, Searches, ranks
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.identification.base import AtEachThreshold
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.identification.binomial_mixture import BinomialMixture, MixtureOfRanks


def test_the_ranks_of_mates_are_the_mean_of_the_roc_over_a_beta():
    rng = np.random.default_rng(0)
    genuine, impostor = rng.normal(1.5, 1, 400), rng.normal(size=5000)
    labels = np.repeat([0, -1], [400, 5000])
    found = Identification(Searches(np.r_[genuine, impostor][:, None], labels))
    u = (np.arange(200_000) + 0.5) / 200_000
    for k, rank in ((10, 1), (10, 3), (50, 2)):
        # ROC at the false match rate of the r-th best of k - 1 uniform draws.
        at = np.quantile(impostor, 1 - beta.ppf(u, rank, k - rank))
        roc = 1 - np.searchsorted(np.sort(genuine), at) / 400
        assert 1 - found.fnir(k, -np.inf, rank) == pytest.approx(roc.mean(), abs=1e-3)


def homogeneous(seed, k1=150):
    """Searches that do not differ."""
    rng = np.random.default_rng(seed)
    return Searches(rng.normal(size=(k1, k1)), np.arange(k1))


def two_kinds(seed, k1=150):
    """Half of the searches have a false match rate of 0.2 at 0, the others of 0."""
    rng = np.random.default_rng(seed)
    scores = np.where(rng.random((k1, k1)) < 0.2, 1.0, -1.0) + 0.01 * rng.random((k1, k1))
    scores[::2] -= 10
    return Searches(scores, np.arange(k1))


def test_pooled_scores_are_exact_where_searches_do_not_differ():
    k, at = np.array([10, 1000]), np.array([2.0, 2.0])
    found = np.mean([Binomial().fit(homogeneous(seed)).fpir(k, at) for seed in range(20)], axis=0)
    rate = 0.02275013
    np.testing.assert_allclose(found, 1 - (1 - rate) ** k, atol=0.01)
    model = Binomial().fit(homogeneous(0))
    np.testing.assert_array_equal(model.fpir(k, np.array([99.0, 99.0])), 0)
    share = np.mean(homogeneous(0).impostor >= 2)
    assert model.fpir(np.array([1]), at[:1]) == pytest.approx(share)


def by_one(k1):
    """Each mate is outscored by one other."""
    return ScoreMatrix(np.roll(np.eye(k1), 1, axis=1) + 0.5 * np.eye(k1), np.arange(k1))


@pytest.mark.parametrize("matrix", [two_kinds(2, 40).mated, by_one(40), by_one(300)])
def test_no_chance_would_make_the_ranks_more_probable(matrix):
    """The condition of Lindsay (1983) for a mixing distribution of largest likelihood."""
    n = matrix.n_classes - 1
    model, above = MixtureOfRanks().fit(matrix), n - ranks(matrix)[:, None]
    marginal = binom.pmf(above, n, 1 - model.favorability_) @ model.weights_
    # Of the others the mate is thought to outscore half of one at least.
    gain = binom.pmf(above, n, np.geomspace(1e-9, 1 - 0.5 / n, 2000)) / marginal[:, None]
    assert gain.mean(axis=0).max() < 1.02


def test_the_mixture_finds_two_kinds_where_pooled_scores_do_not():
    k, at = np.array([5, 149, 10_000]), np.zeros(3)
    truth = 0.5 * (1 - 0.8**k)
    searches = two_kinds(0)
    found = BinomialMixture().fit(searches).fpir(k, at)
    np.testing.assert_allclose(found, truth, atol=0.03)
    assert Binomial().fit(searches).fpir(k, at)[1] > 0.99


@pytest.mark.parametrize("method", ["regression", "pooled_tail", "log_quadratic"])
def test_thresholds_of_methods_that_are_fitted_anew_have_their_target_rates(method):
    searches = homogeneous(1, 60)
    model = AtEachThreshold(make_extrapolator(method)).fit(searches)
    k, targets = np.array([58, 58, 600, 600]), np.array([0.5, 0.2, 0.5, 0.2])
    at = model.threshold(k, targets)
    np.testing.assert_allclose(model.fpir(k, at), targets, rtol=0.25)
    assert len(model._fits) < 50
    assert at[0] < at[1] < at[3]
    # A rate that no score shows is met beyond all scores.
    (far,) = model.threshold(np.array([58]), np.array([1e-4]))
    assert far >= at[1]


def test_the_mixture_tells_the_ranks_of_the_mates():
    # Half of the mates are outscored by a fifth of the others, the rest by none.
    searches = two_kinds(1)
    mates = searches.scores.copy()
    mates[np.arange(150), np.arange(150)] = 0.5
    model = BinomialMixture().fit(Searches(mates, searches.labels))
    k, at = np.array([5, 150, 10_000]), np.zeros(3)
    np.testing.assert_allclose(model.fnir(k, at, 1), 0.5 * (1 - 0.8 ** (k - 1)), atol=0.03)
    none = model.fnir(k, np.full(3, 0.6), 1)
    np.testing.assert_array_equal(none, 1)
