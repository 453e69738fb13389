import numpy as np
import pytest

from accuracy_curves import ScoreMatrix, split
from accuracy_curves.scores import score_matrix as scores
from accuracy_curves.scores.score_matrix import split_at_most
from conftest import simulated


@pytest.mark.parametrize("higher", [True, False])
def test_all_of_them_are_those_of_split(higher):
    matrix = simulated(20, 3)
    matrix = ScoreMatrix(matrix.scores, matrix.labels, higher)
    for most in (None, 19, 50):
        for found, expected in zip(split_at_most(matrix, most), split(matrix), strict=True):
            np.testing.assert_array_equal(found, expected)


def test_a_part_is_drawn_without_replacement_and_without_the_correct_score(monkeypatch):
    values = np.random.default_rng(0).permuted(np.tile(np.arange(30.0), (400, 1)), axis=1)
    matrix = ScoreMatrix(values, np.arange(400) % 30)
    correct, incorrect = split_at_most(matrix, 7, seed=1)
    assert incorrect.shape == (400, 7)
    assert (np.diff(incorrect, axis=1) > 0).all()
    assert (incorrect != correct[:, None]).all()
    # Every score is drawn about as often as another: 400 * 7 / 30 times, binomially.
    counts = np.bincount(incorrect.astype(int).ravel(), minlength=30)
    assert np.abs(counts - 400 * 7 / 30).max() < 5 * np.sqrt(400 * 7 / 30)
    monkeypatch.setattr(scores, "BLOCK_BYTES", 8 * 30 * 11)
    np.testing.assert_array_equal(split_at_most(matrix, 7, seed=1)[1], incorrect)
    assert (split_at_most(matrix, 7, seed=2)[1] != incorrect).any()
