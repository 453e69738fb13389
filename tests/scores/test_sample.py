"""What is kept of a sample in those that are made of it."""

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.scores.design import Design

ROWS, CLASSES = np.arange(3, 200, 3), np.arange(0, 40, 2)


def samples():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 40, 300)
    matrix = ac.ScoreMatrix(rng.normal(size=(300, 40)) + 2 * np.eye(40)[labels], labels)
    embedded = rng.normal(size=(300, 4)), rng.normal(size=(40, 4)), labels
    return [
        matrix,
        matrix.candidates(30),
        matrix.setting_aside([0, 3, 6], (labels[[0, 3, 6]] + 1) % 40),
        ac.DistanceMatrix(*embedded),
    ]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: type(sample).__name__)
def test_a_part_of_a_part_is_a_part(sample):
    """Weights stay in proportion, ties in order, and rivals with their points."""
    weights = np.random.default_rng(1).random(sample.n_points)
    sample = sample.redesigned(weights=weights / weights.sum())
    part = sample.select_points(ROWS).select_classes(CLASSES)
    rows = ROWS[np.isin(sample.labels[ROWS], CLASSES)]
    np.testing.assert_allclose(part.weights, weights[rows] / weights[rows].sum())
    for keys, expected in zip(part.tie_keys(), (rows, CLASSES), strict=True):
        np.testing.assert_array_equal(keys, expected)
    np.testing.assert_array_equal(CLASSES[part.labels], sample.labels[rows])
    if sample.design.rivals is not None:
        fixed = sample.design.rivals.beating[rows]
        np.testing.assert_array_equal(part.design.rivals.beating, fixed)


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: type(sample).__name__)
def test_another_design_keeps_scores_and_ranks(sample):
    counts = sample.outscored_and_tied()
    other = sample.redesigned(own_rivals=True)
    assert not sample.design.own_rivals
    assert other.design.own_rivals
    np.testing.assert_array_equal(other.outscored_and_tied(), counts)
    with pytest.raises(AttributeError):
        sample.design = Design()
