"""A large matrix that is reduced to lists against the matrix itself."""

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores import reduced_matrix
from accuracy_curves.scores.parts import random_halves, split
from accuracy_curves.scores.reduced_matrix import ReducedMatrix


@pytest.fixture
def small_is_large(monkeypatch):
    for name, value in (("MOST_SCORES", 0), ("LEAST_CLASSES", 300), ("LISTED", 60)):
        monkeypatch.setattr(reduced_matrix, name, value)


@pytest.mark.usefixtures("small_is_large")
@pytest.mark.parametrize("decimals", [1, 6])
@pytest.mark.parametrize("higher", [True, False])
def test_every_rank_is_known(decimals, higher):
    whole = ac.simulate(n_classes=400, points_per_class=2, variance=0.3)
    scores = (-whole.scores if higher else whole.scores).round(decimals)
    scores[5] = 1.0
    matrix = ac.ScoreMatrix(scores, whole.labels, higher_is_better=higher)
    lists = matrix.reduced
    assert isinstance(lists, ReducedMatrix)
    assert lists is matrix.reduced
    correct, incorrect = (each.astype(float) for each in split(matrix))
    np.testing.assert_array_equal(lists.scores, incorrect[:, :-61:-1])
    np.testing.assert_array_equal(lists.correct, correct)
    moments = np.column_stack([incorrect.mean(axis=1), incorrect.std(axis=1, ddof=1)])
    np.testing.assert_allclose(lists.moments, moments, atol=1e-9)
    assert lists.failed.nonzero()[0].tolist() == [5]
    for ours, theirs in zip(lists.outscored_and_tied(), matrix.outscored_and_tied(), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    for half, _ in random_halves(400, 3):
        ours, theirs = lists.select_classes(half), matrix.select_classes(half)
        np.testing.assert_array_equal(ours.labels, theirs.labels)
        np.testing.assert_array_equal(ours.failed, theirs.failed)
        # Exact above the end of a list; beyond it hypergeometric, with sd 7 or less.
        apart = ours.outscored_and_tied()[0] - theirs.outscored_and_tied()[0]
        assert not apart[ours.correct > ours.ends].any()
        assert np.abs(apart).max() <= 30
        k = [2, 20, 200]
        seen = average_accuracy(ours, k), average_accuracy(theirs, k)
        np.testing.assert_allclose(*seen, atol=0.003 if decimals > 1 else 0.01)


@pytest.mark.parametrize(
    ("method", "apart"),
    [("auto", 0.01), ("gaussian_tail", 1e-9), ("regression", 0.002), ("p_cons", 1e-9)],
)
def test_intervals_are_those_of_the_matrix(method, apart, monkeypatch):
    matrix = ac.simulate(n_classes=600, points_per_class=2, variance=0.2)
    expected = ac.ClassIntervals(matrix, method, splits=5).interval([1200, 6000])
    monkeypatch.setattr(reduced_matrix, "MOST_SCORES", 10**5)
    monkeypatch.setattr(reduced_matrix, "LEAST_CLASSES", 600)
    matrix = matrix.derive()
    found = ac.ClassIntervals(matrix, method, splits=5).interval([1200, 6000])
    np.testing.assert_allclose(found.accuracy, expected.accuracy, atol=apart)
    assert isinstance(matrix.reduced, ReducedMatrix)
    width = expected.upper - expected.lower
    for ours, theirs in ((found.lower, expected.lower), (found.upper, expected.upper)):
        assert (np.abs(ours - theirs) < 0.25 * width).all()
    alone = ac.extrapolate(matrix, [1200, 6000], method)
    np.testing.assert_array_equal(alone, found.accuracy)


@pytest.mark.usefixtures("small_is_large")
def test_a_method_of_whole_rows_gets_them():
    matrix = ac.simulate(n_classes=300, points_per_class=1, variance=0.2)
    found = ac.ClassIntervals(matrix, "kde", splits=3, bandwidth="nrd0").interval(600)
    assert found.lower < found.accuracy < found.upper


@pytest.mark.usefixtures("small_is_large")
def test_points_may_weigh_the_same():
    matrix = ac.simulate(n_classes=300, points_per_class=2, variance=0.2)
    matrix = matrix.select_points(np.flatnonzero(np.arange(600) % 4))
    equal = matrix.weighing_points()
    assert matrix.reduced.weights.max() > equal.reduced.weights.max()
    expected = average_accuracy(equal, 300)
    np.testing.assert_allclose(average_accuracy(equal.reduced, 300), expected)
