import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accuracy_curves import InputError, ScoreMatrix, average_accuracy
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.ranks import Ranks
from accuracy_curves.scores.rivals import count_outscored


def counted_by_loop(scores, labels, higher):
    below, at = [], []
    for row, label in zip(scores.tolist(), labels.tolist(), strict=True):
        others = row[:label] + row[label + 1 :]
        below.append(sum(s < row[label] if higher else s > row[label] for s in others))
        at.append(sum(s == row[label] for s in others))
    return below, at


def with_ties(seed, n_points, n_classes, dtype):
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 12, size=(n_points, n_classes)).astype(dtype)
    return scores, rng.integers(0, n_classes, size=n_points)


@given(
    seed=st.integers(0, 10_000),
    n_points=st.integers(1, 30),
    n_classes=st.integers(3, 40),
    dtype=st.sampled_from([np.float16, np.float32, np.float64]),
    order=st.sampled_from("CF"),
)
def test_counts_are_those_of_a_loop(seed, n_points, n_classes, dtype, order):
    scores, labels = with_ties(seed, n_points, n_classes, dtype)
    found = count_outscored(np.asarray(scores, order=order), labels)
    np.testing.assert_array_equal(found, counted_by_loop(scores, labels, True))


def test_ranks_stand_for_their_scores():
    scores, labels = with_ties(2, 60, 15, np.float64)
    matrix = ScoreMatrix(scores, labels, False)
    alone = Ranks(*matrix.outscored_and_tied(), matrix.labels, matrix.n_classes)
    np.testing.assert_array_equal(ranks(alone, 7), ranks(matrix, 7))
    np.testing.assert_array_equal(ranks(alone, 7), ranks(matrix, 7))  # nothing was broken inside
    k = np.arange(2, 16)
    for top in (1, 3):
        expected = average_accuracy(matrix, k, 7, top=top)
        np.testing.assert_array_equal(average_accuracy(alone, k, 7, top=top), expected)
    np.testing.assert_array_equal(alone.weights, matrix.weights)
    assert alone.n_points == 60


@pytest.mark.parametrize(
    ("outscored", "tied", "labels", "sentence"),
    [
        ([1, 2], [0, 0], [0], "outscored have shape"),
        ([1.5], [0], [0], "outscored must be whole numbers, not float64"),
        ([1], [0], [5], "5 classes must be from 0 to 4: they are from 0 to 5"),
        ([4], [1], [0], "they are from 0 to 5"),
        ([-1], [0], [0], "they are from -1 to 0"),
        (np.zeros(0, int), np.zeros(0, int), np.zeros(0, int), r"shape \(1\) is needed"),
    ],
)
def test_ranks_out_of_range_are_one_sentence(outscored, tied, labels, sentence):
    with pytest.raises(InputError, match=sentence):
        Ranks(np.array(outscored), np.array(tied), np.array(labels), 5)
