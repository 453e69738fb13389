import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from accuracy_curves import InputError, ScoreMatrix, average_accuracy
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.monotone_ends import grid_of, least
from accuracy_curves.intervals.variance import (
    DEGREES,
    expected_variance,
    half_variance,
    moderated,
    quantile,
)
from accuracy_curves.observed.accuracy import attracting_classes, effective_classes, ranks
from conftest import simulated

# `pairs` predicts a constant, which misses what is observed.
pytestmark = pytest.mark.filterwarnings("ignore::accuracy_curves.AccuracyWarning")


def independent_pairs(n_classes, chance, seed):
    """Every pair of classes is confused by itself: all variance is due to pairs."""
    rng = np.random.default_rng(seed)
    scores = np.where(rng.random((n_classes, n_classes)) < chance, 2.0, 0.0)
    np.fill_diagonal(scores, 1.0)
    return ScoreMatrix(scores, np.arange(n_classes))


def difficult_classes(n_classes, seed):
    """A class is confused with every other or with none: all variance is due to single classes."""
    rng = np.random.default_rng(seed)
    scores = np.zeros((n_classes, n_classes))
    np.fill_diagonal(scores, np.where(rng.random(n_classes) < 0.3, -1.0, 1.0))
    return ScoreMatrix(scores, np.arange(n_classes))


def differing(variation, k):
    """How much fits to halves differ in what they predict."""
    return half_variance([variation.log_odds(half.predict(k)) for half in variation.halves])


@pytest.mark.parametrize("kind", ["pairs", "single"])
def test_halves_tell_the_variance_of_the_draw_of_classes(pairs, kind):
    k1, draws = 60, 60
    accuracies, found = [], []
    for seed in range(draws):
        sample = (
            independent_pairs(k1, 0.2, seed) if kind == "pairs" else difficult_classes(k1, seed)
        )
        intervals = ClassIntervals(sample, pairs, seed=seed, splits=20)
        accuracies.append(intervals.accuracy(k1)[0])
        found.append(differing(intervals.variation, k1)[0])
    # Exact: k1 (k1 - 1) independent confusions, or k1 difficult classes.
    chance, independent = (0.2, k1 * (k1 - 1)) if kind == "pairs" else (0.3, k1)
    exact = 1 / (independent * chance * (1 - chance))  # Binomial, as log odds.
    assert np.mean(accuracies) == pytest.approx(1 - chance, abs=0.03)
    # V_1 + 2 V_2: twice what is due to pairs of classes.
    assert np.mean(found) == pytest.approx((2 if kind == "pairs" else 1) * exact, rel=0.25)


def test_the_variance_is_moderated_by_the_expected_one():
    """Smyth 2004, Equation for the posterior variance, by hand."""
    halves, doublings = np.array([0.0, 0.9]), np.array([0.0, 4.0])
    # 0.4 / ((m + 1/5) A) is 0.2; four doublings add 0.016.
    found = moderated(halves, expected_variance(3.8, 0.5, doublings))
    np.testing.assert_allclose(found, [6 * 0.2 / 9, (6 * 0.216 + 3 * 0.9) / 9])
    assert DEGREES == 9
    sample = simulated(30, 3, variance=0.3)
    variation = ClassIntervals(sample, "two_parameter", splits=5).variation
    k, erring = np.array([30, 240]), effective_classes(sample)
    odds = np.array([logit(half.predict(k)) for half in variation.halves])
    apart = np.square(odds[::2] - odds[1::2]).mean(axis=0) / 4
    seen = average_accuracy(sample, 30)[0]
    of_halves = apart + (odds[:, 0].mean() - logit(seen)) ** 2 * np.array([0, 3])
    expected = 0.4 / ((erring + 0.2) * seen) + np.array([0, 0.012])
    np.testing.assert_allclose(variation.variance(k), (6 * expected + 3 * of_halves) / 9)


@pytest.mark.parametrize("top", [1, 2])
def test_parts_that_disagree_add_to_the_variance(top, monkeypatch):
    """By hand: the squared bias leaves out what halves show, and adds up with every doubling."""
    sample = simulated(40, 3, variance=0.3)
    variation = ClassIntervals(sample, splits=5).variation
    k, d = np.array([40, 320]), np.array([0, 3])
    found, halves = variation.fitted, variation.halves
    w = np.array([1 - found.curve_weight_, found.curve_weight_])
    parts = [[part.predict(k, top) for part in (fit.tail_, fit.curve_)] for fit in [found, *halves]]
    (tail, curve), *of_halves = logit(parts)
    seen, m = average_accuracy(sample, 40, top=top)[0], variation.effective_classes(top)
    b = np.mean(of_halves, axis=0)[:, 0] - logit(seen)
    odds = np.array([logit(half.predict(k, top)) for half in halves])
    apart = np.square(odds[::2] - odds[1::2]).mean(axis=0) / 4
    expected = 0.4 / ((m + 0.2) * seen) + 0.004 * d
    added = 0.75 * w[0] * w[1] * (tail - curve) ** 2
    added += 0.3 * d**2 * (w * b**4 / (b**2 + 3 / (m + 0.2))).sum()
    by_hand = (6 * expected + 3 * apart) / 9 + added
    np.testing.assert_allclose(variation.variance(k, top), by_hand)
    # They stay whatever is sampled.
    later = variation.variance(k, top, sample_classes=120)
    monkeypatch.setattr(variation, "variance_of_parts", lambda *_: np.zeros(2))
    variation._of_halves.clear()
    without = variation.variance(k, top, sample_classes=120)
    np.testing.assert_allclose(later - without, added)


def test_the_variance_of_top_t_is_of_its_own_errors():
    sample = simulated(40, 3, variance=0.6)
    variation = ClassIntervals(sample, splits=5).variation
    wrong = ranks(sample) < 40 - 3
    share = np.bincount(sample.labels, wrong, 40) / 3
    assert variation.effective_classes(3) == pytest.approx(
        share.sum() ** 2 / np.square(share).sum()
    )
    assert variation.effective_classes(3) < variation.effective_classes()


def test_the_variance_counts_the_classes_that_errors_go_to_where_these_are_fewer():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(40, 40))
    scores[:, :3] += 3
    scores[np.arange(40), np.arange(40)] = 3
    sample = ScoreMatrix(scores, np.arange(40))
    attracting = attracting_classes(sample)
    assert attracting < 5 < effective_classes(sample)
    assert ClassIntervals(sample, splits=3).variation.effective_classes() == attracting


def test_coverage_with_the_default_method():
    k2, truths = np.array([60, 240]), []
    for seed in range(3):
        truths.append(average_accuracy(simulated(500, 1, variance=0.2, seed=900 + seed), k2))
    truth, inside, new_inside = np.mean(truths, axis=0), [], []
    for seed in range(40):
        sample = simulated(30, 4, variance=0.2, seed=seed)
        intervals = ClassIntervals(sample, seed=seed, splits=15)
        found = intervals.interval(k2, level=0.8)
        inside.append((found.lower <= truth) & (truth <= found.upper))
        new = average_accuracy(simulated(60, 4, variance=0.2, seed=500 + seed), 60)[0]
        new_inside.append(found.set_lower[0] <= new <= found.set_upper[0])
    # 0.8 +- three standard errors of 40 draws.
    assert np.all(np.abs(np.mean(inside, axis=0) - 0.8) < 0.19)
    assert abs(np.mean(new_inside) - 0.8) < 0.19


def test_interval_is_ordered_and_wider_for_a_set_and_a_higher_level():
    intervals = ClassIntervals(simulated(20, 3, variance=0.3))
    k = np.array([2, 20, 200, 201, 10**12])
    narrow, wide = (intervals.interval(k, level=level) for level in (0.5, 0.95))
    for found in (narrow, wide):
        ends = [found.set_lower, found.lower, found.accuracy, found.upper, found.set_upper]
        assert (np.diff(ends, axis=0) >= -1e-12).all()
        assert (found.set_lower >= 0).all() and (found.set_upper <= 1).all()  # noqa: PT018
    assert (wide.lower < narrow.lower)[:3].all()
    np.testing.assert_array_equal(narrow.too_far, [False, False, False, True, True])
    np.testing.assert_allclose(intervals.accuracy(k), intervals.fitted.predict(k))
    top = intervals.interval(k, top=3)
    assert (top.accuracy >= narrow.accuracy).all()
    np.testing.assert_array_equal(top.accuracy, intervals.fitted.predict(k, top=3))


def test_classes_below_a_target(pairs):
    intervals = ClassIntervals(simulated(30, 3, variance=0.3), splits=10)
    target = float(intervals.accuracy(100)[0]) - 0.05
    estimate, earliest, latest, _ = intervals.classes_below(target)
    assert earliest < estimate < latest
    assert intervals.accuracy(estimate)[0] < target <= intervals.accuracy(estimate - 1)[0]
    assert intervals.interval(earliest).lower[0] < target <= intervals.interval(earliest - 1).lower
    assert intervals.classes_below(1.0)[:2] == (2, 2)
    assert intervals.classes_below(target).estimate == estimate
    constant = ClassIntervals(simulated(30, 3, variance=0.3), pairs, splits=10)
    # Its lower end falls, as it misses the accuracy observed at k1.
    nowhere = constant.classes_below(0.1)
    assert nowhere[::2] == (None, None)
    assert [each.reason for each in nowhere.cautions] == ["too_far"]


@pytest.mark.parametrize("seed", [0, 2, 3, 11])
def test_a_sample_without_errors_is_not_certain(seed):
    sample = simulated(30, 1, variance=0.08, seed=seed)
    assert average_accuracy(sample, 30)[0] == pytest.approx(1)
    truth = average_accuracy(simulated(1000, 1, variance=0.08, seed=77), [30, 120])
    assert truth[0] < 0.97
    found = ClassIntervals(sample, splits=15).interval([30, 120], level=0.9)
    assert ((found.lower < truth) & (truth < found.upper)).all()
    assert (found.accuracy - found.lower > found.upper - found.accuracy).all()
    assert (found.set_lower < found.lower).all()


def test_variance_of_more_classes_falls_with_their_number():
    sample = simulated(40, 3, variance=0.3)
    variation = ClassIntervals(sample, "two_parameter", splits=10).variation
    now = variation.variance([20, 40])
    np.testing.assert_allclose(variation.variance([20, 40], sample_classes=40), now)
    later = variation.variance([20, 40], sample_classes=120)
    # By hand: a third of it times e(40) / e(120), but for what is added to m, and for A there.
    right, then = variation.fitted.predict([40, 120])
    ratio = (1 - right) / (1 - then) / 3
    seen, erring = variation.seen() * then / right, variation.effective_classes() / ratio
    of_halves = ratio * differing(variation, [20, 40])
    np.testing.assert_allclose(later, (6 * 0.4 / ((erring + 0.2) * seen) + 3 * of_halves) / 9)


def test_bad_input():
    with pytest.raises(
        InputError, match=r"of auto needs at least 12 classes.*or take a method that needs fewer"
    ):
        ClassIntervals(simulated(11, 2))
    with pytest.raises(InputError, match="splits is 2"):
        ClassIntervals(simulated(20, 2), splits=2)
    intervals = ClassIntervals(simulated(12, 2), splits=10)
    with pytest.raises(InputError, match="level is 1"):
        intervals.interval(50, level=1.0)
    with pytest.raises(InputError, match="target is 0"):
        intervals.classes_below(0)


def test_a_search_finds_the_least_number():
    assert least(2, 2, 10**12, lambda k: 0.9 - 0.1 * np.log10(k) < 0.5) == 10_001
    assert least(2, 2, 10**12, lambda k: False) is None
    for start in (2, 30, 80):
        found = [least(2, start, 98, lambda k, n=n: k >= n) for n in range(2, 99)]
        assert found == [*range(2, 99)]


def test_of_one_right_answer_the_precision_at_three_is_a_third_of_the_hit_rate():
    intervals = ClassIntervals(simulated(30, 3, variance=0.5), splits=3)
    for n in (30, 90):
        hit, found = (intervals.ends([30, 300], m, sample_classes=n) for m in (3, "precision@3"))
        np.testing.assert_allclose(3 * np.array(found), hit)


def alone(intervals, k, level):
    """Ends at each k by itself, from the definition."""
    variation = intervals.variation
    theta = variation.log_odds(intervals.accuracy(k))
    width = quantile(level) * np.sqrt(variation.variance(k))
    return expit(theta - width), expit(theta + width)


class Rising(CurveExtrapolator):
    """Predicts that the accuracy rises from 100 classes on, as no curve does."""

    name, label, color = "rising", "Rising", "#123456"

    def __init__(self, *, seed=0):
        self.seed = seed

    def _fit_curve(self, k, accuracy):
        self.first_ = accuracy[0]

    def _predict(self, k):
        return np.where(k < 100, self.first_ * 0.999 ** np.log2(k), 0.999)


class Unstable(Rising):
    """Its fits to halves agree from 5 classes on alone, so that a lower end rises."""

    def _fit_curve(self, k, accuracy):
        self.half_ = k[-1] < 14
        self.first_ = accuracy[-1]

    def _predict(self, k):
        return 0.97 - self.half_ * (k < 5) * (0.5 + 0.4 * np.sin(1e4 * self.first_))


def test_ends_are_those_of_brute_force():
    """Few classes, nearly all recognised: both ends rise somewhere."""
    changed = np.zeros(2)
    for seed, method in enumerate(["auto"] * 3 + ["regression"] * 3 + [Unstable()] * 3):
        intervals = ClassIntervals(simulated(14, 2, variance=0.1, seed=seed), method, splits=5)
        grid = grid_of(14)
        found = intervals.interval(grid, level=0.8)
        lower, upper = alone(intervals, grid, 0.8)
        lower, upper = np.minimum(lower, found.accuracy), np.maximum(upper, found.accuracy)
        for n, accuracy in enumerate(found.accuracy):
            fewer, more = slice(n + 1), slice(n, None)
            least = upper[fewer][found.accuracy[fewer] >= accuracy - 1e-9].min()
            most = lower[more][found.accuracy[more] <= accuracy + 1e-9].max()
            assert found.upper[n] == pytest.approx(max(least, accuracy), abs=1e-12)
            assert found.lower[n] == pytest.approx(min(most, accuracy), abs=1e-12)
        changed += [(found.lower > lower + 1e-9).any(), (found.upper < upper - 1e-9).any()]
    assert (changed >= 1).all()


@settings(max_examples=25)
@given(
    st.integers(0, 10**6),
    st.integers(12, 40),
    st.integers(1, 4),
    st.floats(0.02, 0.6),
    st.lists(st.integers(2, 10**6) | st.integers(2, 200), min_size=2, max_size=30),
    st.sampled_from([0.5, 0.8, 0.95]),
)
def test_ends_fall_between_any_numbers_of_classes(seed, n_classes, points, variance, asked, level):
    """An end depends on the sample and on k alone: asked together, alone, or never before."""
    sample = simulated(n_classes, points, variance=variance, seed=seed)
    intervals = ClassIntervals(sample, "gaussian_tail", splits=5, seed=seed)
    k = np.unique(np.concatenate([np.arange(2, 120), asked]))
    found = intervals.interval(k, level=level)
    assert (np.diff(found.accuracy) <= 0).all()
    assert (np.diff(found.lower) <= 1e-12).all()
    assert (np.diff(found.upper) <= 1e-12).all()
    new = ClassIntervals(sample, "gaussian_tail", splits=5, seed=seed)
    for one in asked[:3]:
        each, at = new.interval(one, level=level), np.searchsorted(k, one)
        np.testing.assert_array_equal(each.lower, found.lower[at])
        np.testing.assert_array_equal(each.upper, found.upper[at])


def test_ends_between_the_grid_are_near_those_of_brute_force():
    """A fine grid of every k, for the definition; ours has ten a decade."""
    grid = grid_of(30)
    assert [np.count_nonzero((grid >= n) & (grid < 10 * n)) for n in (30, 300, 3000)] == [10] * 3
    for seed in range(3):
        intervals = ClassIntervals(simulated(30, 3, variance=0.3, seed=seed), splits=10)
        every = np.arange(2, 3000)
        found, (lower, upper) = intervals.interval(every, level=0.8), alone(intervals, every, 0.8)
        np.testing.assert_allclose(found.upper, np.minimum.accumulate(upper), atol=0.01)
        exact = np.maximum.accumulate(lower[::-1])[::-1]
        np.testing.assert_allclose(found.lower, exact, atol=0.01)
