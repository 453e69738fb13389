"""What the answer says against itself: of the scores, and of the predictions."""

import numpy as np
import pytest

from accuracy_curves import ScoreMatrix
from accuracy_curves.answers import Question
from accuracy_curves.doubts import look_like_probabilities
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.predicting import answered
from conftest import simulated

VARIANCE = 0.3
PROBABILITIES, MISFIT = "look like probabilities", "misses what was observed"


def doubts(sample, classes=(40,), methods=("auto",), *, splits=10, **question):
    """Doubts of an answer, in one text."""
    asked = Question(list(classes), splits=splits, **question)
    found = answered(sample, {name: make_extrapolator(name) for name in methods}, asked)
    return "\n".join(found.doubts)


def posterior(distances):
    """Probabilities of the classes, exactly."""
    exponent = -np.square(distances.scores) / (2 * VARIANCE)
    odds = np.exp(exponent - exponent.max(axis=1, keepdims=True))
    return ScoreMatrix(odds / odds.sum(axis=1, keepdims=True), distances.labels)


@pytest.mark.parametrize("seed", range(3))
def test_probabilities_and_a_curve_that_misses_are_said(seed):
    distances = simulated(40, 4, variance=VARIANCE, seed=seed)
    said = doubts(posterior(distances))
    assert PROBABILITIES in said
    assert "auto misses what was observed: its curve is at 0." in said
    scores = posterior(distances).scores
    logarithms = ScoreMatrix(np.log(scores), distances.labels)
    for good in (distances, logarithms):
        assert MISFIT not in doubts(good)
        assert PROBABILITIES not in doubts(good)
    # Of columns kept from more classes the sums tell nothing, but the curve does.
    assert MISFIT in doubts(ScoreMatrix(scores * 0.5, distances.labels))


def test_rows_that_are_probabilities_up_to_rounding():
    exact = posterior(simulated(30, 2, variance=VARIANCE))
    for scores in (exact.scores.round(4), exact.scores.astype(np.float16)):
        assert look_like_probabilities(ScoreMatrix(scores, exact.labels))
    for scores in (exact.scores * 0.9, exact.scores - 0.1 * (exact.scores > 0.5)):
        assert not look_like_probabilities(ScoreMatrix(scores, exact.labels))
    negative = exact.scores.copy()
    negative[0, :2] += [-1.5, 1.5]
    assert not look_like_probabilities(ScoreMatrix(negative, exact.labels))
    assert not look_like_probabilities(ScoreMatrix(exact.scores, exact.labels, False))
