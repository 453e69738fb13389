import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike
from scipy.special import logit
from scipy.stats import norm

from accuracy_curves import (
    ClassIntervals,
    DistanceMatrix,
    FitError,
    ScoreMatrix,
    average_accuracy,
    extrapolate,
)
from accuracy_curves.extrapolators import _gumbel_scores
from accuracy_curves.extrapolators._gumbel_scores import PlacedScores, _continued, count_losses
from accuracy_curves.extrapolators.auto import Auto, GumbelTail
from accuracy_curves.extrapolators.two_parameter import TwoParameter
from accuracy_curves.observed.accuracy import attracting_classes, effective_classes
from accuracy_curves.scores.parts import random_halves
from accuracy_curves.utils import arrays
from accuracy_curves.utils.seeds import uniform_of
from conftest import simulated

K = np.array([2, 10, 100, 1000, 10**6])


def independent(n_classes: int, points: int, log_loss: np.ndarray, seed: int = 0) -> ScoreMatrix:
    """Incorrect scores N(0, 1), correct ones where a share exp(log_loss) is higher."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_classes), points)
    scores = rng.normal(size=(len(labels), n_classes))
    scores[np.arange(len(labels)), labels] = norm.isf(np.exp(log_loss))
    return ScoreMatrix(scores, labels)


def predicted(sample: ScoreMatrix, k: ArrayLike = K) -> np.ndarray:
    return Auto().fit(sample).predict(k)


LAWS = {
    "tied": lambda rng, n: rng.integers(-3, 4, n) * 0.5,
    "signed zeros": lambda rng, n: rng.choice([-1.0, -0.0, 0.0, 1.0], n),
    "normal": lambda rng, n: rng.normal(size=n),
    "many sizes": lambda rng, n: rng.choice([-1, 1], n) * np.exp(20 * rng.normal(size=n)),
    "of one cell": lambda rng, n: 1 + 1e-9 * rng.normal(size=n),
    "one value": lambda rng, n: np.full(n, 0.1),
}


@settings(deadline=None, max_examples=80)
@given(
    st.integers(0, 10**6),
    st.sampled_from(list(LAWS)),
    st.sampled_from(list(LAWS)),
    st.sampled_from([np.float32, np.float64]),
    st.integers(1, 400),
)
def test_places_are_those_of_a_comparison_with_every_pooled_score(seed, law, other, kind, n):
    rng = np.random.default_rng(seed)
    pooled = LAWS[law](rng, n).astype(kind)
    scores = np.concatenate([pooled, LAWS[other](rng, 50).astype(kind)])
    below = (pooled < scores[:, None]).sum(axis=1) + (pooled == scores[:, None]).sum(axis=1) / 2
    expected = -np.log(-np.log((below + 0.5) / (n + 1)))
    np.testing.assert_array_equal(PlacedScores.of(pooled).gumbel(scores), expected)


@pytest.mark.parametrize("slope", [0.5, 1.0, 3.0])
def test_independent_scores_are_extrapolated_without_bias(slope):
    # C = 1 - U ** slope.
    nodes = (np.arange(200_000) + 0.5) / 200_000
    k = np.array([200, 400, 1000])
    truth = np.array([np.exp((n - 1) * np.log1p(-(nodes**slope))).mean() for n in k])
    found = [
        predicted(
            independent(100, 5, slope * np.log(np.random.default_rng(seed).random(500)), seed), k
        )
        for seed in range(12)
    ]
    np.testing.assert_allclose(np.mean(found, axis=0), truth, atol=0.02)


ORDERED = {
    "scaled": lambda s: 3e-6 * s - 2,
    "exponential": lambda s: np.exp(s / 50),
    "logarithm": lambda s: np.log(s + 201),
    "ranks": lambda s: np.unique(s, return_inverse=True)[1].reshape(s.shape).astype(float),
}


@given(
    st.integers(0, 10**6),
    st.integers(7, 15),
    st.integers(1, 3),
    st.integers(3, 100),
    st.sampled_from(sorted(ORDERED)),
    st.booleans(),
)
@settings(max_examples=40)
def test_only_the_order_of_the_scores_counts(seed, n_classes, points, values, way, distances):
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(n_classes), points)
    scores = rng.integers(-values, values, size=(len(labels), n_classes)).astype(float)
    scores[np.arange(len(labels)), labels] += rng.integers(values, size=len(labels))
    written = ORDERED[way](scores)
    other = ScoreMatrix(-written if distances else written, labels, not distances)
    try:
        expected = predicted(ScoreMatrix(scores, labels))
    except FitError:
        with pytest.raises(FitError):
            predicted(other)
        return
    np.testing.assert_array_equal(predicted(other), expected)
    assert (np.diff(expected) <= 0).all()
    assert expected.min() >= 0
    assert expected.max() <= 1


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_bad_points_cost_their_share_and_no_more(share):
    found = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        loss = np.where(np.arange(400) % 100 < 100 * share, np.log(rng.random(400)), -40.0)
        found.append(predicted(independent(100, 4, loss, seed), [200, 1000]))
    np.testing.assert_allclose(np.mean(found, axis=0), 1 - share, atol=0.03)


def test_the_hazard_goes_on_beyond_the_last_incorrect_score():
    # Correct scores of constant hazard 1/4; the pool of 1000 ends near 7.3.
    v = np.random.default_rng(0).exponential(4, size=20_000)
    end = np.log(1000 / _gumbel_scores.END_COUNT)
    seen = np.where(v > end, 8.0, v)
    found = _continued(seen, v, np.full(len(v), 1 / len(v)), 1000)
    np.testing.assert_array_equal(found[v <= end], v[v <= end])
    beyond = v > end
    assert (found[beyond] > end).all()
    np.testing.assert_allclose((found[beyond] - end).mean(), 4, rtol=0.1)
    np.testing.assert_allclose(np.median(found[beyond] - end), 4 * np.log(2), rtol=0.1)
    np.testing.assert_array_equal(np.argsort(found[beyond]), np.argsort(v[beyond]))


def test_without_errors_none_are_predicted_at_once():
    curve = predicted(independent(40, 2, np.full(80, -60.0)), np.array([40, 80, 400, 10**9]))
    assert curve[0] == pytest.approx(1, abs=1e-6)
    assert curve[2] > 0.99
    assert (np.diff(curve) <= 0).all()


def test_where_every_point_errs_the_accuracy_is_near_zero():
    sample = independent(40, 2, np.full(80, np.log(0.999)))
    np.testing.assert_allclose(predicted(sample, [40, 400]), 0, atol=1e-3)


def in_levels(seed: int, k1: int = 100, points: int = 4, step: float = 0.5) -> ScoreMatrix:
    """Independent scores in steps: N(0, 1) of incorrect classes, N(3, 1) of the correct one."""
    rng, labels = np.random.default_rng(seed), np.repeat(np.arange(k1), points)
    scores = rng.normal(size=(len(labels), k1))
    scores[np.arange(len(labels)), labels] += 3
    return ScoreMatrix(np.round(scores / step), labels)


def untied(sample: ScoreMatrix, seed: int) -> ScoreMatrix:
    """The same scores in one order, by sorting all of them."""
    points, columns = sample.tie_keys()
    broken = uniform_of(seed, points[:, None], columns)
    place = np.empty(broken.size)
    place[np.lexsort((broken.ravel(), sample.scores.ravel()))] = np.arange(broken.size)
    return ScoreMatrix(place.reshape(broken.shape), sample.labels)


def test_equal_scores_have_one_order_in_all_parts_of_a_sample(monkeypatch):
    sample, near = in_levels(1), K[:4]
    whole, half = untied(sample, 5), np.arange(1, 100, 2)
    monkeypatch.setattr(arrays, "BLOCK_BYTES", 8 * 100 * 7)
    for mine, its in ((sample, whole), (sample.select_classes(half), whole.select_classes(half))):
        np.testing.assert_array_equal(
            count_losses(mine, 5), mine.n_classes - 1 - its.outscored_and_tied()[0]
        )
        np.testing.assert_allclose(
            GumbelTail(seed=5).fit(mine).predict(near),
            GumbelTail(seed=5).fit(its).predict(near),
            atol=0.01,
        )
    assert (count_losses(sample, 6) != count_losses(sample, 5)).any()
    # Lists in which every score that ties with the correct one stands, and distances.
    lists = sample.candidates(100)
    np.testing.assert_array_equal(count_losses(lists, 5), count_losses(sample, 5))
    np.testing.assert_allclose(
        GumbelTail(seed=5).fit(lists).predict(near),
        GumbelTail(seed=5).fit(sample).predict(near),
        atol=1e-9,
    )
    rng = np.random.default_rng(0)
    codes = DistanceMatrix(*rng.integers(0, 2, (2, 60, 9)), np.arange(60), "sqeuclidean")
    part = np.arange(0, 60, 3)
    both = codes.select_classes(part).stored(), codes.stored().select_classes(part)
    np.testing.assert_array_equal(*(count_losses(each) for each in both))


def test_ties_are_broken_as_at_random_at_any_number_of_classes():
    """E_k[A] of independent scores in steps, with ties broken at random, in closed form."""
    k, levels = np.array([100, 200, 1000]), np.arange(-20, 31)
    below, above = (norm.cdf((levels + side) * 0.5) for side in (-0.5, 0.5))
    share = norm.cdf((levels + 0.5) * 0.5 - 3) - norm.cdf((levels - 0.5) * 0.5 - 3)
    # The best of k at this level or below, and not all of them below it: one of those that tie.
    tied = np.maximum(above - below, 1e-300)
    best = (above ** k[:, None] - below ** k[:, None]) / (k[:, None] * tied)
    truth = (best * share).sum(axis=1)
    found = np.mean([predicted(in_levels(seed), k) for seed in range(6)], axis=0)
    np.testing.assert_allclose(found, truth, atol=0.03)
    halves = [GumbelTail(seed=seed).fit(in_levels(0)).predict(k) for seed in range(6)]
    assert np.std(halves, axis=0).max() < 0.02


def test_a_large_matrix_pools_some_scores_of_every_class(monkeypatch):
    sample = simulated(60, 10)
    whole = predicted(sample, [120, 600])
    monkeypatch.setattr(_gumbel_scores, "MOST_POOLED", 5000)
    marked = np.broadcast_to(np.arange(60.0), (600, 60))
    pool = _gumbel_scores.pool_incorrect(ScoreMatrix(marked, sample.labels))
    assert pool.left[0] <= 5000
    assert len(pool.values) == 60
    np.testing.assert_allclose(predicted(sample, [120, 600]), whole, atol=0.03)


def weight_by_hand(sample: ScoreMatrix, seed: int) -> float:
    """Prior weight over what fits to the halves of three splits miss at k1."""
    k1, n = sample.n_classes, sample.n_points
    halves = [sample.select_classes(half) for half, _ in random_halves(k1, 3, seed)]
    parts = GumbelTail, TwoParameter
    at_k1 = [[part(seed=seed).fit(half).predict(k1)[0] for part in parts] for half in halves]
    odds = logit(np.clip(at_k1, 0.5 / n, 1 - 0.5 / n))
    b = odds.mean(axis=0) - logit(average_accuracy(sample, k1, seed))
    erring = effective_classes(sample, seed)
    m = min(erring, attracting_classes(sample, seed)) + 0.2
    prior = 0.5 * erring / (erring + 10)
    tail, curve = np.array([1 - prior, prior]) / (0.05**2 + 1 / m + b**2)
    return curve / (tail + curve)


@pytest.mark.parametrize("top", [1, 3, 40])
def test_tail_and_curve_weigh_by_what_their_halves_miss(top):
    sample = simulated(100, 10, variance=0.1)
    model = Auto(seed=3).fit(sample)
    weight = weight_by_hand(sample, 3)
    assert model.curve_weight_ == pytest.approx(weight, rel=1e-12)
    assert weight > 0.3
    k = np.array([50, 1000, 10**6])
    tail = GumbelTail(seed=3).fit(sample).predict(k, top)
    curve = TwoParameter(seed=3).fit(sample).predict(k, top)
    expected = (1 - weight) * tail + weight * curve
    # The descent of the curve starts elsewhere.
    np.testing.assert_allclose(model.predict(k, top), expected, rtol=1e-7)
    np.testing.assert_allclose(model.predict_parts(k, top)[1:], [tail, curve], rtol=1e-7)


def test_too_few_classes_to_halve_leave_the_weight_to_the_prior():
    sample = simulated(11, 3, variance=0.3)
    erring = effective_classes(sample)
    assert Auto().fit(sample).curve_weight_ == 0.5 * erring / (erring + 10) > 0


def with_failures(sample: ScoreMatrix) -> ScoreMatrix:
    scores = sample.scores.copy()
    scores[::9] = 0.5
    return ScoreMatrix(scores, sample.labels, sample.higher_is_better)


KINDS = {
    "whole": lambda sample: sample,
    "failures": with_failures,
    "lists": lambda sample: sample.candidates(30),
}


@pytest.mark.parametrize("kind", KINDS)
def test_all_doors_agree_whatever_the_splits_and_jobs(kind):
    sample, k = KINDS[kind](simulated(60, 3, variance=0.3)), np.array([60, 90, 6000])
    expected = Auto(seed=4).fit(sample)
    np.testing.assert_array_equal(extrapolate(sample, k, seed=4), expected.predict(k))
    for splits, jobs in ((3, 1), (5, 2)):
        found = ClassIntervals(sample, splits=splits, seed=4, jobs=jobs)
        np.testing.assert_array_equal(found.accuracy(k), expected.predict(k))
        # Halves take the weight of the whole.
        weights = {half.curve_weight_ for half in found.variation.halves}
        assert weights == {expected.curve_weight_}
    # A method that was fitted once is fitted to another sample as a new one.
    other = simulated(40, 3, variance=0.5)
    fresh = Auto(seed=4).fit(other).predict(k)
    np.testing.assert_array_equal(found.fitted.fit(other).predict(k), fresh)


def test_without_errors_the_curve_has_no_weight():
    sample = independent(20, 2, np.full(40, -40.0))
    assert Auto().fit(sample).curve_weight_ == 0
