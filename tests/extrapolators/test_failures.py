"""Points that failed: no fit learns from them, and they stay the ties that they are."""

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.scores.ranks import Ranks
from accuracy_curves.scores.sample import set_aside_failures
from conftest import simulated

GOOD = simulated(60, 4, variance=0.3)
K = np.array([60, 120, 600, 10**6])
QUICK = [name for name, each in ac.EXTRAPOLATORS.items() if not each.slow and name != "kde"]


def with_failed(rows, mark=-1.0):
    scores = GOOD.scores.copy()
    scores[rows] = mark
    return ac.ScoreMatrix(scores, GOOD.labels, False)


@pytest.mark.parametrize("method", QUICK)
def test_one_point_of_each_class_failed(method):
    """The others weigh as before, so that the fit is that to them alone."""
    first = np.arange(240) % 4 == 0
    others = ac.ScoreMatrix(GOOD.scores[~first], GOOD.labels[~first], False)
    fitted = make_extrapolator(method).fit(with_failed(first))
    alone = make_extrapolator(method).fit(others)
    np.testing.assert_allclose(fitted.predict(K), 0.75 * alone.predict(K) + 0.25 / K, rtol=1e-9)
    if fitted.has_tops:
        expected = 0.75 * alone.predict(K, 5) + 0.25 * 5 / K
        np.testing.assert_allclose(fitted.predict(K, 5), expected, rtol=1e-9)
    with pytest.raises(ac.FitError):
        make_extrapolator(method).predict(K)


@pytest.mark.parametrize("mark", [-1.0, 0.0, 1.5, 99.0])
def test_failures_take_their_share(mark):
    """Whatever marks them, 5 % failures make the accuracy 5 % less, and intervals hold that."""
    failed = np.arange(240) % 20 == 0
    without = ac.ClassIntervals(GOOD, splits=5)
    found = ac.ClassIntervals(with_failed(failed, mark), splits=5).interval(K)
    expected = 0.95 * without.accuracy(K) + 0.05 / K
    assert np.abs(found.accuracy - expected).max() < 0.012
    assert ((found.lower <= expected) & (expected <= found.upper)).all()


def test_the_others_keep_their_weights():
    """A class of four points of which two failed still has half of its weight."""
    sample = with_failed([0, 1, 4])
    others, share = set_aside_failures(sample)
    assert share == pytest.approx(3 / 240)
    np.testing.assert_allclose(others.weights, np.full(237, 1 / 237))
    np.testing.assert_array_equal(others.scores, np.delete(GOOD.scores, [0, 1, 4], axis=0))
    # As the observed accuracy counts them: a tie with all others.
    ranked = Ranks(*sample.outscored_and_tied(), sample.labels, 60)
    kept, same = set_aside_failures(ranked)
    assert same == share
    seen = ac.average_accuracy(kept, K[:1])
    assert seen == pytest.approx(ac.average_accuracy(others, K[:1]))
    draws = np.mean([ac.average_accuracy(sample, 60, seed) for seed in range(200)])
    assert draws == pytest.approx((1 - share) * seen[0] + share / 60, abs=2e-4)


def test_halves_of_the_others_keep_them_too():
    """Classes of 2 to 40 points, of which one lost half of its points."""
    sizes = np.random.default_rng(0).integers(2, 41, 30)
    labels = np.repeat(np.arange(30), sizes)
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(len(labels), 30)) + 2 * np.eye(30)[labels]
    of_first = np.flatnonzero(labels == 0)
    scores[of_first[: len(of_first) // 2]] = -9.0
    sample = ac.ScoreMatrix(scores, labels)
    others, _ = set_aside_failures(sample)
    classes = np.arange(0, 30, 2)
    kept = np.isin(labels, classes) & ~sample.failed
    expected = sample.weights[kept] / sample.weights[kept].sum()
    np.testing.assert_allclose(others.select_classes(classes).weights, expected, rtol=1e-12)


def test_nothing_is_set_aside_where_nothing_failed_or_everything():
    assert set_aside_failures(GOOD) == (GOOD, 0.0)
    nothing = ac.Ranks(np.zeros(9, int), np.full(9, 8), np.arange(9), 9)
    assert set_aside_failures(nothing) == (nothing, 0.0)


def test_failures_among_distances_that_are_not_stored():
    """An embedding of zeros is as far from all of a gallery of one length."""
    points, labels = (
        np.vstack([3 * np.eye(30), np.zeros((2, 30))]),
        np.append(np.arange(30), [0, 1]),
    )
    others, share = set_aside_failures(ac.DistanceMatrix(points, 2 * np.eye(30), labels))
    assert share == pytest.approx(2 / 60)
    np.testing.assert_array_equal(others.points, points[:30])
    np.testing.assert_array_equal(others.labels, np.arange(30))
