import numpy as np
import pytest

from accuracy_curves import KDE, InputError, ScoreMatrix, split
from accuracy_curves.scores import score_matrix as scores
from accuracy_curves.scores.incorrect_scores import split_at_most
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


def test_kde_of_a_part_is_near_and_all_of_them_is_the_default():
    matrix = simulated(400, 1)
    whole = KDE().fit(matrix)
    np.testing.assert_array_equal(KDE(most_scores=399).fit(matrix).bandwidth_, whole.bandwidth_)
    part = KDE(most_scores=100, seed=1).fit(matrix)
    again = KDE(most_scores=100, seed=1).fit(matrix)
    np.testing.assert_array_equal(part.favorability_, again.favorability_)
    # Silverman's rule falls as n ** -0.2 exactly, but for the spread of the drawn scores.
    rule, some = (KDE(bandwidth="nrd0", most_scores=most).fit(matrix) for most in (None, 100))
    ratio = some.bandwidth_ / rule.bandwidth_
    assert abs(np.median(ratio) - 1) < 0.03
    assert ratio.std() < 0.2
    assert (ratio != 1).all()
    # C_x is still a mean over all scores: d C_x / d log h is at most max z phi(z) = .242.
    moved = np.abs(np.log(part.bandwidth_ / whole.bandwidth_))
    difference = np.abs(part.favorability_ - whole.favorability_)
    assert (difference <= moved / np.sqrt(2 * np.pi * np.e) + 1e-12).all()
    # Points draw by themselves: the curve moves by no more than five standard errors of their mean.
    exponents = np.arange(1, 2000)
    moved = part.favorability_[:, None] ** exponents - whole.favorability_[:, None] ** exponents
    error = moved.std(axis=0) / np.sqrt(len(moved))
    assert (np.abs(moved.mean(axis=0)) <= 5 * error).all()
    with pytest.raises(InputError, match="most_scores"):
        KDE(most_scores=1)
