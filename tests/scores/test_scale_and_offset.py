"""Scores in any unit: the same answer for s -> a s + b, however small or large a and b are."""

import numpy as np
import pytest

from accuracy_curves import InputError, ScoreMatrix
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.observed.score_warnings import warn_of_values
from conftest import simulated

K = [20, 40, 200]
METHODS = ["gaussian_tail", "pooled_tail", "auto", "empirical_bayes"]
UNITS = [1e-300, 1e-170, 1e-20, 1e20, 1e155, 1e300]


@pytest.fixture(scope="module")
def distances():
    return simulated(20, 4, variance=0.3)


def similarities(scores):
    """Whole multiples of 2^-12, so that an offset of 10^11 takes no digit."""
    return np.round(np.exp(-np.square(scores)) * 4096) / 4096


def predicted(method, scores, labels, higher):
    options = {"engine": "numpy"} if method == "kde" else {}
    return make_extrapolator(method, **options).fit(ScoreMatrix(scores, labels, higher)).predict(K)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("method", [*METHODS, "kde"])
def test_the_unit_does_not_matter(method, unit, distances):
    for scores, higher in ((distances.scores, False), (similarities(distances.scores), True)):
        expected = predicted(method, scores, distances.labels, higher)
        found = predicted(method, scores * unit, distances.labels, higher)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


@pytest.mark.parametrize("offset", [1e11, -1e11])
@pytest.mark.parametrize("method", [*METHODS, "kde"])
def test_an_offset_does_not_matter(method, offset, distances):
    scores = similarities(distances.scores)
    for higher in (True, False):
        # Negative where lower is better, as distances have no offset.
        given = scores if higher else -1 - scores
        if not higher and offset > 0:
            continue
        expected = predicted(method, given, distances.labels, higher)
        found = predicted(method, given + offset, distances.labels, higher)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_an_offset_that_rounds_the_scores_changes_little(distances):
    """At 10^12 doubles are 10^-4 apart."""
    scores = similarities(distances.scores)
    for method in METHODS:
        expected = predicted(method, scores, distances.labels, True)
        found = predicted(method, scores + 1e12, distances.labels, True)
        np.testing.assert_allclose(found, expected, atol=0.02)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_what_methods_see_is_the_scores_exactly(dtype):
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(30, 9)).astype(dtype)
    labels = np.arange(30) % 9
    ((_, usual),) = ScoreMatrix(scores, labels).blocks()
    np.testing.assert_array_equal(usual, scores)
    assert usual.dtype == dtype
    for given in (scores.astype(np.float64) * 2.0**500, scores.astype(np.float64) * 2.0**-500):
        matrix = ScoreMatrix(given, labels)
        ((_, seen),) = matrix.blocks()
        assert 0.5 <= np.abs(seen).max() < 1
        np.testing.assert_array_equal(seen / np.abs(seen).max(), given / np.abs(given).max())
        assert matrix.score_as_given(seen[3, 4]) == given[3, 4]
    narrow = dtype(1024) + np.arange(30 * 9, dtype=dtype).reshape(30, 9) % 2 * np.spacing(
        dtype(1024)
    )
    ((_, seen),) = ScoreMatrix(narrow, labels).blocks()
    np.testing.assert_array_equal(np.diff(seen.ravel()) != 0, np.diff(narrow.ravel()) != 0)


def test_a_warning_writes_scores_as_they_were_given(distances):
    scores = distances.scores * 1e200
    scores[:, 3] = scores[0, 3]
    scores[np.arange(5), (distances.labels[:5] + 1) % 20] = 1e208
    (constant, mark) = warn_of_values(ScoreMatrix(scores, distances.labels, False))
    assert constant.reason == "constant_class"
    assert "the score 1e+208 stands for" in str(mark)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_is_found(wrong):
    scores = np.zeros((300_000, 4), dtype=np.float32)
    scores[290_001, 2] = wrong
    with pytest.raises(InputError, match=f"row 290001, column 2 is {wrong}"):
        ScoreMatrix(scores, np.zeros(300_000, int))
