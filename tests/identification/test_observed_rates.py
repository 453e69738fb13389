import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from accuracy_curves import (
    Identification,
    InputError,
    ScoreMatrix,
    Searches,
    average_accuracy,
    load_searches,
)
from accuracy_curves.identification.observed_rates import alarm_errors, observed_fnir, observed_fpir


def by_hand(searches, k, threshold):
    """FPIR over all galleries of k: the share of pairs of a search and a gallery that alarm."""
    matrix, accepted = searches.mated, []
    better = np.greater_equal if searches.higher_is_better else np.less_equal
    rows = [(row, None) for row in searches.non_mated]
    if not rows:
        rows = list(zip(matrix.scores, matrix.labels, strict=True))
    weights = searches.impostor_weights
    for (row, own), weight in zip(rows, weights, strict=True):
        others = [j for j in range(searches.n_classes) if j != own]
        galleries = list(itertools.combinations(others, k))
        alarms = sum(better(row[list(gallery)], threshold).any() for gallery in galleries)
        accepted.append(weight * alarms / len(galleries))
    return sum(accepted)


def missed_by_hand(matrix, k, threshold, rank):
    """FNIR over all galleries of k with the mate; no ties between mate and others."""
    found = 0.0
    for row, own, weight in zip(matrix.scores, matrix.labels, matrix.weights, strict=True):
        others = [j for j in range(matrix.n_classes) if j != own]
        galleries = list(itertools.combinations(others, k - 1))
        hits = sum(
            row[own] >= threshold and np.count_nonzero(row[list(gallery)] > row[own]) < rank
            for gallery in galleries
        )
        found += weight * hits / len(galleries)
    return 1 - found


# Whole numbers, so that scores tie with each other and with the threshold.
SCORES = arrays(np.float64, (5, 5), elements=st.integers(0, 6))
THRESHOLDS = st.integers(-1, 7).map(float)


@given(SCORES, THRESHOLDS, st.lists(st.integers(-1, 4), min_size=5, max_size=5), st.booleans())
# Whole numbers of one sum are counts, and no probabilities.
@example(2 * np.eye(5)[[0, 0, 0, 0, 0]], 1.0, [0, -1, -1, -1, -1], True)
@example(np.eye(5), 1.0, [0, 1, 2, 3, 4], True)
def test_fpir_is_the_average_over_all_galleries(scores, threshold, labels, higher):
    labels[0] = 0  # One needs a mate.
    searches = Searches(scores, np.array(labels), higher)
    largest = searches.impostor.shape[1]
    k = np.arange(1, largest + 1)
    found = Identification.observed_fpir(Stored(searches), k, threshold)
    np.testing.assert_allclose(found, [by_hand(searches, j, threshold) for j in k], atol=1e-12)


class Stored:
    """What observed rates need of `Identification`, whose tail cannot be fitted to five rows."""

    def __init__(self, searches):
        self.searches = self.sample = searches
        self._seed = 0

    _oriented = Identification._oriented


@given(
    st.permutations(range(25)),
    st.floats(-1, 26),
    st.integers(1, 6),
    st.lists(st.integers(0, 4), min_size=5, max_size=5),
)
def test_fnir_is_the_average_over_all_galleries(scores, threshold, rank, labels):
    matrix = ScoreMatrix(np.array(scores, dtype=float).reshape(5, 5), np.array(labels))
    matrix = matrix.weighing_points()
    k = np.arange(1, 6)
    found = Identification.observed_fnir(Stored(Searches.of(matrix)), k, threshold, rank)
    expected = [missed_by_hand(matrix, j, threshold, rank) for j in k]
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("higher", [True, False])
def test_fpir_is_exactly_the_error_of_the_replaced_matrix(higher):
    rng = np.random.default_rng(0)
    matrix = ScoreMatrix(rng.random((60, 20)), np.arange(60) % 20, higher)
    searches, k = Searches.of(matrix), np.arange(1, 20)
    # At a threshold that accepts everybody, the first rank is missed by what errs.
    missed = observed_fnir(searches, k + 1, np.full(19, -np.inf))
    np.testing.assert_allclose(missed, 1 - average_accuracy(matrix, k + 1))
    for threshold in (0.1, 0.5, 0.93):
        replaced = matrix.scores.copy()
        replaced[np.arange(60), matrix.labels] = threshold
        accuracy = average_accuracy(ScoreMatrix(replaced, matrix.labels, higher), k + 1)
        at = np.full(len(k), searches.oriented(threshold))
        np.testing.assert_array_equal(observed_fpir(searches, k, at), 1 - accuracy)
        moved = searches.with_threshold(float(at[0]))
        np.testing.assert_allclose(average_accuracy(moved, k + 1), accuracy, rtol=1e-12)


@pytest.mark.parametrize("labels", [[0, 1, 2, 3], [0, 1, -1, -1]])
def test_a_score_that_equals_the_threshold_is_accepted(labels):
    scores = np.full((4, 4), 5.0)
    searches = Searches(scores, np.array(labels))
    stored = Stored(searches)
    assert Identification.observed_fpir(stored, 2, 5.0) == [1]
    assert Identification.observed_fpir(stored, 2, np.nextafter(5.0, 6)) == [0]
    assert Identification.observed_fnir(stored, 1, 5.0) == [0]
    assert Identification.observed_fnir(stored, 1, np.nextafter(5.0, 6)) == [1]
    # So the replaced matrix has no ties, whatever the scores were rounded to.
    replaced = searches.with_threshold(5.0)
    assert (average_accuracy(replaced, [2, 3]) == 0).all()


@given(arrays(np.float64, (8, 6), elements=st.integers(0, 9)), st.floats(0.01, 0.99), st.booleans())
def test_the_observed_threshold_is_the_loosest_that_keeps_the_rate(scores, target, higher):
    searches = Searches(scores, np.arange(8) % 6, higher)
    (at,) = Identification.observed_threshold(Stored(searches), target)
    k = searches.impostor.shape[1]
    assert Identification.observed_fpir(Stored(searches), k, at)[0] <= target + 1e-9
    best = searches.impostor[:, -1]
    looser = best[best < searches.oriented(at)]
    if looser.size:
        next_one = np.array([looser.max()])
        assert observed_fpir(searches, np.array([k]), next_one)[0] > target


def test_an_observed_rate_is_not_above_the_target_by_one_search_in_a_thousand():
    rng = np.random.default_rng(0)
    searches = Searches(rng.random((1001, 5)), np.append(0, np.full(1000, -1)))
    for target, kept in ((0.1, 0.1), (0.09995, 0.099)):
        at = Identification.observed_threshold(Stored(searches), target)
        rate = Identification.observed_fpir(Stored(searches), 5, at)
        np.testing.assert_allclose(rate, kept, atol=1e-9)


def test_errors_of_alarms_count_the_people():
    """Five searches a person that alarm together show as much as one."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(100, 100))
    once, five = Searches(scores, np.arange(100)), np.repeat(scores, 5, axis=0)
    copied = Searches(five, np.repeat(np.arange(100), 5))
    at, rates = np.quantile(once.impostor[:, -1], [0.7, 0.9]), np.array([0.3, 0.1])
    (seen, errors), (same, of_copies) = (alarm_errors(each, at, rates) for each in (once, copied))
    np.testing.assert_allclose(seen, rates)
    np.testing.assert_allclose(errors, np.sqrt(rates * (1 - rates) / 100))
    np.testing.assert_allclose(same, seen)
    np.testing.assert_allclose(of_copies, errors)
    # Nobody alarms: the error is that of what was expected.
    none, error = alarm_errors(once, np.array([np.inf]), np.array([0.1]))
    assert (none[0], error[0]) == (0, pytest.approx(0.03))


def test_searches_without_a_mate_are_read_and_kept_apart(tmp_path):
    rng = np.random.default_rng(2)
    scores, labels = rng.random((8, 6)), np.array([0, -1, 2, 3, -1, 1, 4, 5])
    np.savez(tmp_path / "s.npz", scores=scores, labels=labels, higher_is_better=False)
    searches = load_searches(tmp_path / "s.npz")
    np.testing.assert_array_equal(searches.mated.labels, [0, 2, 3, 1, 4, 5])
    np.testing.assert_array_equal(searches.mated.scores, scores[labels >= 0])
    np.testing.assert_array_equal(searches.non_mated, scores[labels < 0])
    assert searches.impostor.shape == (2, 6)
    np.testing.assert_allclose(searches.impostor_weights, [0.5, 0.5])


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        ([-1, -1, -1], "no search has a mate: all labels are -1"),
        ([0, -2, 1], "the label in row 1 is -2"),
        ([0, 3, -1], "the label in row 1 is 3"),
    ],
)
def test_bad_labels_get_a_sentence(labels, sentence, tmp_path):
    np.savez(tmp_path / "s.npz", scores=np.eye(3), labels=np.array(labels))
    with pytest.raises(InputError, match=rf"s\.npz: {sentence}"):
        load_searches(tmp_path / "s.npz")


def test_galleries_beyond_the_observed_are_refused():
    stored = Stored(Searches(np.eye(4), np.arange(4)))
    with pytest.raises(InputError, match="a gallery of 4 cannot be observed on 3 enrolled"):
        Identification.observed_fpir(stored, 4, 0.5)
    with pytest.raises(InputError, match="a gallery of 5 cannot be observed on 4 enrolled"):
        Identification.observed_fnir(stored, 5, 0.5)
