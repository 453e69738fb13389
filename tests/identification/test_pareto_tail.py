import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq, minimize
from scipy.special import logit
from scipy.stats import genpareto, nbinom, ncx2, norm, zscore

from accuracy_curves import FitError, Searches
from accuracy_curves.extrapolators.pooled_tail import shrinkage
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.identification.pareto_tail import (
    SHAPE_NODES,
    SHAPE_WEIGHTS,
    ParetoTail,
    _features,
    _fit_counts,
    _fit_mean_excess,
    _fit_pareto,
    _log1p_scaled,
    _upper,
)


def normal(seed, k1=150, location=0.55, n=4000):
    """Scores a_x + e_xy, and log F_x(T) of many other searches."""
    rng = np.random.default_rng(seed)
    a = location * rng.normal(size=k1)
    scores = a[:, None] + rng.normal(size=(k1, k1))
    others = location * np.random.default_rng(99).normal(size=n)
    return Searches(scores, np.arange(k1)), lambda at: norm.logsf(others - at)


def exponential(seed, k1=150, n=4000):
    """Scores a_x + e_xy with an exponential e: the tail is of the fitted kind."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=k1)
    scores = a[:, None] + rng.exponential(size=(k1, k1))
    others = np.random.default_rng(99).normal(size=n)
    return Searches(scores, np.arange(k1)), lambda at: np.log1p(
        -np.exp(-np.maximum(at - others, 1e-9))
    )


def distances(seed, k1=150, d=16, n=1000):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(k1, d))
    x = centres + 0.3 * rng.normal(size=(k1, d))
    searches = Searches(np.linalg.norm(x[:, None] - centres, axis=2), np.arange(k1), False)
    squares = np.square(np.random.default_rng(99).normal(size=(n, d)) * np.sqrt(1.09)).sum(axis=1)
    return searches, lambda at: np.log1p(
        -np.minimum(ncx2.cdf(np.square(at), d, squares), 1 - 1e-12)
    )


def test_the_tail_has_the_most_probable_shape_and_scale():
    rng = np.random.default_rng(0)
    above = genpareto.rvs(0.1, scale=2, size=60, random_state=rng)
    weights, exponents = rng.random(60), rng.uniform(0.5, 2, 60)

    def cost(at):
        """Of the density theta h S^theta, with the hazard h."""
        law = genpareto(at[0], scale=np.exp(at[1]))
        logs = law.logpdf(above) + (exponents - 1) * law.logsf(above)
        return -(weights / weights.mean() * logs).sum() - norm.logpdf(at[0], -0.15, 0.1)

    shape, log_scale = minimize(cost, [0.0, 0.5], method="Nelder-Mead").x
    found = _fit_pareto(above, exponents, weights)
    np.testing.assert_allclose(found, (shape, np.exp(log_scale)), atol=1e-3)


@pytest.mark.parametrize(("location", "equal"), [(0.3, True), (1.5, False)])
def test_the_base_is_reached_by_so_many_scores_and_features_are_of_those_below(location, equal):
    rng = np.random.default_rng(0)
    scores = np.sort(rng.normal(size=(60, 90)) + location * rng.normal(size=(60, 1)), axis=1)
    weights = np.ones(60) if equal else rng.random(60)
    weights /= weights.mean()
    base, excess, search = _upper(scores, weights, 5)
    reached = scores >= base
    # With the least of them 5 or more a search, without it fewer.
    assert (weights * (scores > base).sum(axis=1)).mean() < 5
    assert (weights * reached.sum(axis=1)).mean() >= 5 - 1e-9
    counts = reached.sum(axis=1)
    np.testing.assert_array_equal(excess, scores[reached] - base)
    np.testing.assert_array_equal(search, np.repeat(np.arange(60), counts))
    _, *features = _features(scores, counts, base, 5).T
    below = [row[row < base] for row in scores]
    by_hand = [(each.mean(), np.log(each.std()), np.log(base - each[-5:].mean())) for each in below]
    np.testing.assert_allclose(np.transpose(features), zscore(by_hand).clip(-3, 3), atol=1e-9)


def log_share_by_hand(z, units, exponents, weights):
    """Breslow's estimator: each excess below z adds its weight over the exponents at risk."""
    at_risk = [(weights * exponents)[units >= each].sum() for each in units]
    return -sum(w / risk for u, w, risk in zip(units, weights, at_risk, strict=True) if u < z)


@pytest.mark.parametrize(("n", "in_tail"), [(400, 100), (120, 50)])
@pytest.mark.parametrize("tied", [False, True])
def test_shares_are_breslows_and_past_the_largest_generalised_pareto(n, in_tail, tied):
    rng = np.random.default_rng(1)
    units, weights, exponents = rng.exponential(size=n), rng.random(n), rng.uniform(0.5, 2, n)
    units = units.round(1) if tied else units
    model, start = ParetoTail(), np.sort(units)[-in_tail]
    model._fit_tail(units, exponents, weights)
    near, far = np.append(np.linspace(0, start, 50), start), start + np.array([0.1, 1, 5])
    found = np.array(list(model._log_tails(np.append(near, far))))
    seen = [log_share_by_hand(z, units, exponents, weights) for z in near]
    np.testing.assert_allclose(found[:, :51], np.tile(seen, (3, 1)), atol=1e-12)
    # The tail takes so many and no more: ties at its start are cut.
    order = np.argsort(units)
    largest, cut = order[-in_tail:], order[:-in_tail]
    at_risk = [(weights * exponents)[units >= each].sum() for each in units[cut]]
    log_start = -(weights[cut] / at_risk).sum()
    shape, scale = _fit_pareto(units[largest] - start, exponents[largest], weights[largest])
    assert model.shape_ == shape
    mean = genpareto.mean(shape, scale=scale)
    off = np.hypot(model.shape_sd_, 0.04) * np.array([-(3**0.5), 0, 3**0.5])
    for each, logs in zip(shape + off, found[:, 51:], strict=True):
        # All three have the mean excess of the one that was fitted.
        alone = genpareto.logsf(far - start, each, scale=mean / genpareto.mean(each))
        np.testing.assert_allclose(logs, np.maximum(log_start + alone, -700), rtol=1e-6)


def test_without_a_mean_excess_the_scale_stays():
    rng = np.random.default_rng(0)
    units = genpareto.rvs(2.0, size=4000, random_state=rng)
    model = ParetoTail()
    model._fit_tail(units, np.ones(4000), np.ones(4000))
    assert model.shape_ > 1
    tails = np.array(list(model._log_tails(model._start + np.geomspace(1e-3, 1e6, 40))))
    assert (np.diff(tails, axis=0) > 0).all()  # A larger shape falls more slowly.
    assert (np.diff(tails, axis=1) < 0).all()


def test_the_posterior_of_the_shape_is_as_wide_as_its_likelihood_says():
    units = genpareto.ppf((np.arange(4000) + 0.5) / 4000, -0.15)
    model, above = ParetoTail(), units[-1000:] - units[-1000]
    model._fit_tail(units, np.ones(4000), np.ones(4000))

    def profile(shape):
        costs = [-genpareto.logpdf(above[1:], shape, scale=s).sum() for s in scales]
        return min(costs) - norm.logpdf(shape, -0.15, 0.1)

    scales = np.linspace(0.5, 1, 500)
    here, off = model.shape_, 0.03
    curvature = (profile(here + off) + profile(here - off) - 2 * profile(here)) / off**2
    assert model.shape_sd_ == pytest.approx(curvature**-0.5, rel=0.1)


def test_the_average_over_the_shape_is_that_of_a_normal_law():
    """A rule of three nodes has the moments 0 to 5 of the standard normal."""
    moments = [np.dot(SHAPE_WEIGHTS, np.power(SHAPE_NODES, power)) for power in range(6)]
    np.testing.assert_allclose(moments, [1, 0, 1, 0, 3, 0], atol=1e-12)


def test_chances_to_reach_the_base_have_the_largest_negative_binomial_likelihood():
    rng = np.random.default_rng(1)
    n, features = 400, np.column_stack([np.ones(300), rng.normal(size=300)])
    means = n * np.exp(-3 + 0.5 * features[:, 1]) * rng.gamma(4.0, 1 / 4, 300)
    counts, weights = rng.poisson(means).clip(max=n), rng.random(300)

    def cost(at):
        alpha, mean = np.exp(at[2]), n * np.exp(features @ at[:2])
        logs = nbinom.logpmf(counts, alpha, alpha / (alpha + mean))
        return at[1] ** 2 / 2 - (weights * logs).sum()

    tight = {"xatol": 1e-6, "fatol": 1e-9, "maxiter": 2000}
    found = minimize(cost, [-3.0, 0.0, 1.0], method="Nelder-Mead", options=tight).x
    rate, alpha = _fit_counts(counts, n, features, weights)
    np.testing.assert_allclose(rate, np.exp(features @ found[:2]), rtol=1e-3)
    assert alpha == pytest.approx(np.exp(found[2]), rel=1e-3)


def test_mean_excesses_are_as_far_apart_as_the_features_explain():
    rng = np.random.default_rng(2)
    features = np.column_stack([np.ones(200), rng.normal(size=(200, 2))])
    search = np.repeat(np.arange(200), rng.integers(1, 6, 200))
    excess = rng.exponential(np.exp(0.3 * features[search, 1]))
    counts, weights = np.bincount(search), rng.random(200)
    total = np.bincount(search, excess)

    def likelihood(eta):
        return -(weights * (counts * eta + total * np.exp(-eta))).sum()

    def cost(at):
        return (at[1:] ** 2).sum() / 2 - likelihood(features @ at)

    eta = features @ minimize(cost, np.zeros(3), options={"gtol": 1e-8}).x
    common = np.log((weights * total).sum() / (weights * counts).sum())
    units, of_units = excess / np.exp(eta[search]), weights[search]
    mean = np.average(units, weights=of_units)
    own = np.average((units / mean - 1) ** 2, weights=of_units)
    # Twice the gain for each of two features, in units of the excesses' own variance.
    gain = (likelihood(eta) - likelihood(np.full(200, common))) / own
    found = _fit_mean_excess(excess, search, features, weights)
    assert 0 < shrinkage(gain) < 1
    expected = np.exp(common + shrinkage(gain) * (eta - common))
    np.testing.assert_allclose(found, expected, rtol=1e-4)


def true_fpir(log_below, k, at):
    return 1 - np.exp(k * log_below(at)).mean()


def excess(at, log_below, k, rate):
    return true_fpir(log_below, k, at) - rate


POPULATIONS = [normal, exponential, distances]


@pytest.mark.parametrize("population", POPULATIONS)
def test_the_rate_is_near_the_truth_in_ten_and_a_thousand_times_the_gallery(population):
    errors = {times: [] for times in (10, 1000)}
    pooled = []
    for seed in range(6):
        searches, log_below = population(seed)
        model, binomial = ParetoTail().fit(searches), Binomial().fit(searches)
        for times in errors:
            k = 150 * times
            low, high = (-9, -1e-3) if population is distances else (-5, 60)
            for rate in (0.3, 0.1, 0.03):
                at = brentq(excess, low, high, (log_below, k, rate))
                where = np.array([k]), np.array([at])
                (found,) = model.fpir(*where)
                errors[times].append(logit(found) - logit(rate))
                pooled.append(logit(binomial.fpir(*where).clip(1e-6, 1 - 1e-6)) - logit(rate))
    # With four seeds of `normal` .99 of log odds at ten times; of pooled scores 5 and more.
    assert np.sqrt(np.mean(np.square(errors[10]))) < 1.3
    assert np.sqrt(np.mean(np.square(errors[1000]))) < 2.2
    assert np.sqrt(np.mean(np.square(pooled))) > 4


def test_a_grid_has_thresholds_below_the_base():
    """Where few scores are beyond it a rate near 1 lies below."""
    model, k, rate = ParetoTail().fit(normal(3, 16)[0]), np.array([15]), np.array([0.99])
    at = model.on_grid().threshold(k, rate)
    assert at < model.base_
    np.testing.assert_allclose(model.fpir(k, at), rate, rtol=0.02)


@pytest.mark.parametrize(("k1", "shift"), [(60, 0.0), (200, 100.0)])
def test_a_grid_tells_the_rates_of_the_model(k1, shift):
    searches, _ = normal(3, k1)
    searches = Searches(searches.scores + shift, searches.labels)
    model = ParetoTail().fit(searches)
    grid, k = model.on_grid(), np.array([k1 - 1, 10 * k1, 10**5 * k1])
    for at in np.linspace(searches.impostor.min() - 1, searches.impostor.max() + 1, 60):
        found, exact = (each.fpir(k, np.full(3, at)) for each in (grid, model))
        some = np.clip([found, exact], 1e-3, 0.95)
        np.testing.assert_allclose(*logit(some), atol=0.1)
    rates = np.array([0.3, 0.01, 0.1])
    at = grid.threshold(k, rates)
    inside = at < np.inf  # What lies beyond every score is no threshold.
    assert inside[0]
    assert (model.fpir(k, np.full(3, model.largest)) > rates).tolist() == (~inside).tolist()
    np.testing.assert_allclose(model.fpir(k[inside], at[inside]), rates[inside], rtol=0.05)
    # Pairs that are a grid are those one by one.
    sizes, at = np.tile(k, 2), np.repeat([2.0, 3.5], 3) + shift
    alone = [model.fpir(k[i : i + 1], at[3 * n : 3 * n + 1])[0] for n in (0, 1) for i in range(3)]
    np.testing.assert_allclose(model.fpir(sizes, at), alone, rtol=1e-12)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([None, 0, 1]), st.booleans(), st.integers(8, 40))
def test_the_rate_rises_with_the_gallery_and_falls_with_the_threshold(seed, digits, lower, k1):
    rng = np.random.default_rng(seed)
    scores = rng.gamma(1.0, size=(2 * k1, k1)) * np.exp(rng.normal(size=2 * k1))[:, None]
    if digits is not None:
        scores = scores.round(digits) + (0.0 if lower else 1.0)
    searches = Searches(scores, np.arange(2 * k1) % k1, not lower)
    try:
        model = ParetoTail().fit(searches)
    except FitError:
        assert digits == 0
        return
    low, high = searches.impostor.min(), searches.impostor.max()
    grid = np.concatenate([np.linspace(low - 1, high, 40), high + np.geomspace(1e-3, 1e3, 20)])
    sizes = np.array([1, 10, 10**3, 10**6, 10**12])
    found = np.array([model.fpir(sizes, np.full(5, at)) for at in grid])
    assert np.isfinite(found).all()
    assert found.min() >= 0
    assert found.max() <= 1
    assert (np.diff(found, axis=1) >= -1e-12).all()
    assert (np.diff(found, axis=0) <= 1e-12).all()
    rates = np.array([0.5, 0.1, 0.01, 0.003, 0.3])
    at = model._find_threshold(sizes, rates)
    # Far beyond all scores, where no threshold is given, the search ends.
    assert ((model.fpir(sizes, at) <= rates + 1e-12) | (at > 1e9 * high)).all()
    looser = model.fpir(sizes, at - 1e-6 * (1 + np.abs(at)))
    assert ((looser >= rates - 1e-3) | (at <= low)).all()


def test_searches_that_do_not_differ_have_one_exponent():
    rng = np.random.default_rng(1)
    same = Searches(rng.normal(size=(60, 60)), np.arange(60))
    differ = Searches(same.scores * np.linspace(0.3, 3, 60)[:, None], same.labels)
    spread = [np.std(np.log(ParetoTail().fit(each)._exponents)) for each in (same, differ)]
    assert spread[0] < 0.05
    assert spread[1] > 0.3


def test_given_the_counts_the_chance_of_a_search_is_gamma_distributed():
    searches, _ = normal(2, 60)
    model = ParetoTail().fit(searches)
    rng, shape = np.random.default_rng(0), model._gamma_shape
    chance = rng.gamma(shape, np.exp(model._log_chance) / shape, size=(20_000, 60))
    k = np.array([1, 30])
    drawn = [1 - np.exp(-each * chance).mean() for each in k]
    np.testing.assert_allclose(model.fpir(k, np.full(2, model.base_)), drawn, rtol=0.01)


def test_beyond_the_gallery_that_was_seen_chances_differ_more_and_miss_it_as_often():
    searches, _ = normal(2, 60)
    model, log_tail = ParetoTail().fit(searches), -2.0
    log_shares = log_tail * model._exponents
    means, shape = np.exp(model._log_chance + log_shares), model._gamma_shape
    lower, higher, differing = model.with_other_shapes()
    assert np.diff([lower.shape_, model.shape_, higher.shape_]) == pytest.approx(model.shape_sd_)

    def missed(k, mean, v):
        """Log of the chance of a gamma law with relative variance v to miss k."""
        return -np.log1p(k * mean * v) / v

    # What is added is 0.1 log H, or 0.3 log H.
    for fitted, added in ((model, 0.1 * log_shares), (differing, 0.3 * log_shares)):
        for k in (10, 59, 590, 10**6):
            wide = 1 / shape + added**2 if k > 59 else 1 / shape
            found = fitted._hazard(np.full(60, float(k)), np.full(60, log_tail))
            for mean, v, a, each in zip(means, wide, shape, found, strict=True):
                seen = missed(59, mean, 1 / a)
                moved = brentq(lambda m, v=v, p=seen: missed(59, m, v) - p, 0, 9, xtol=1e-14)
                assert each == pytest.approx(-missed(k, moved, v), rel=1e-6)
    # Where neither power can be written.
    np.testing.assert_allclose(_log1p_scaled(np.array([900.0]), np.array([2.0])), 900 + np.log(2))


@pytest.mark.parametrize(("n", "m"), [(14, 3), (200, 20)])
def test_below_the_base_the_counts_tell_the_rate(n, m):
    """Of 14 scores all are kept; between those of 200, evenly apart, the count is a line."""
    rng = np.random.default_rng(n)
    even = np.sort(rng.random((n + 1, n)), axis=1) if n == 14 else np.arange(n) / n
    scores = rng.normal(size=(n + 1, 1)) + rng.uniform(0.5, 2, (n + 1, 1)) * even
    searches = Searches(np.vstack([scores, scores[:1]]), np.append(np.full(n + 1, -1), 0))
    model, k = ParetoTail().fit(searches), np.array([1, 7])
    assert np.count_nonzero(searches.impostor >= model.base_) == m * (n + 1)
    (at_base,) = model.fpir(k[1:], np.array([model.base_]))
    for at in np.quantile(searches.impostor, [0.0005, 0.2, 0.5, 0.7]):
        counts = (searches.impostor >= at).sum(axis=1)
        np.testing.assert_array_equal(model._counts_at(at), counts)
        # No score is certain to be reached: half of one of each search is not.
        rates = 1 - ((1 - counts.clip(max=n - 0.5) / n) ** k[:, None]).mean(axis=1)
        found = model.fpir(k, np.full(2, at))
        np.testing.assert_allclose(found, np.maximum(rates, [0, at_base]), rtol=1e-6)
    np.testing.assert_array_equal(model._counts_at(searches.impostor.max() + 1), 0)


def test_single_precision_costs_nothing():
    searches, _ = normal(4)
    single = Searches(searches.scores.astype(np.float32), searches.labels)
    assert single.impostor.dtype == np.float32
    k, at = np.array([100, 10_000]), np.array([3.0, 4.0])
    found = [ParetoTail().fit(each).fpir(k, at) for each in (searches, single)]
    np.testing.assert_allclose(*found, rtol=1e-3)


def test_constant_scores_have_no_tail():
    searches = Searches(np.ones((20, 20)), np.arange(20))
    with pytest.raises(FitError, match="there is no tail"):
        ParetoTail().fit(searches)
