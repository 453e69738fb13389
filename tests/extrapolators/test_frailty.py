"""A frailty of the tails: likelihood and posterior by direct quadrature, and a law that has one."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import comb, logsumexp
from scipy.stats import binom, norm

from accuracy_curves import ScoreMatrix
from accuracy_curves.extrapolators.auto import (
    LOG_CHANCES,
    NODES,
    Auto,
    GumbelTail,
    fit_frailty,
    log_joint,
    log_shares,
    posterior,
)

LOG_RHO = np.log([1e-4, 0.05, 0.3, 0.9])
LOSSES = np.array([0, 1, 2, 9])


def share(log_rho: float, s: float, u: float) -> float:
    """Chance to lose to a rival beyond the anchor, with log z = s u - s^2 / 2."""
    return 1 - (1 - np.exp(log_rho)) ** np.exp(s * u - s**2 / 2)


@pytest.mark.parametrize("s", [0.3, 1.0, 1.5])
def test_likelihood_and_posterior_are_those_of_direct_quadrature(s):
    likelihood = np.exp(logsumexp(log_joint(LOG_RHO, LOSSES, 9, s), axis=0))
    chances = posterior(LOG_RHO, LOSSES, 9, s)
    np.testing.assert_allclose(chances.sum(axis=0), 1)
    means = (chances * np.exp(log_shares(LOG_RHO, s))).sum(axis=0)
    for rho, lost, found, mean in zip(LOG_RHO, LOSSES, likelihood, means, strict=True):

        def density(u, rho=rho, lost=lost):
            return norm.pdf(u) * binom.pmf(lost, 9, share(rho, s, u)) / comb(9, lost)

        exact = quad(density, -9, 9)[0]
        # Of eleven nodes.
        assert found == pytest.approx(exact, rel=0.08)
        of_mean = quad(lambda u, at=density, rho=rho: at(u) * share(rho, s, u), -9, 9)[0] / exact
        assert mean == pytest.approx(of_mean, rel=0.08)
    # Without a frailty it is the binomial law.
    alone = logsumexp(log_joint(LOG_RHO, LOSSES, 9, 0.0), axis=0)
    expected = binom.pmf(LOSSES, 9, np.exp(LOG_RHO)) / comb(9, LOSSES)
    np.testing.assert_allclose(np.exp(alone), expected)
    assert np.exp(LOG_CHANCES).sum() == pytest.approx(1)
    assert (np.exp(LOG_CHANCES)[:, 0] * np.exp(s * NODES - s**2 / 2)).sum() == pytest.approx(1)


@pytest.mark.parametrize("s", [0.0, 1.2])
def test_the_spread_of_the_losses_shows_it(s):
    rng = np.random.default_rng(0)
    log_rho = np.log(rng.uniform(0.02, 0.9, 4000))
    losses = rng.binomial(9, share(log_rho, s, rng.normal(size=4000)))
    assert fit_frailty(log_rho, losses, 9, np.ones(4000)) == pytest.approx(s, abs=0.15)


def test_unlike_points_are_found_and_make_the_tail_less_heavy():
    """Points with as good a correct score have rivals of a tail of their own."""
    k, found = np.array([120, 1200]), []
    for seed in range(4):
        rng, labels = np.random.default_rng(seed), np.arange(120)
        # The hazard of a rival beyond any score is z exp(-score).
        z = np.exp(1.5 * rng.normal(size=120) - 1.5**2 / 2)
        scores = np.log(z)[:, None] + rng.gumbel(size=(120, 120))
        scores += np.where(scores > 3, np.log(z)[:, None], 0)
        scores[labels, labels] = rng.exponential(2, 120) + 4
        model = GumbelTail(seed=seed).fit(ScoreMatrix(scores, labels))
        found.append(model.frailty_)
        values = model.value_points(ScoreMatrix(scores, labels))
        np.testing.assert_allclose(values.accuracy(k), model.predict(k), rtol=1e-12)
        assert Auto(seed=seed).fit(ScoreMatrix(scores, labels)).tail_.frailty_ == model.frailty_
    assert np.median(found) > 0
