"""Photos compared with photos are refused as a score matrix."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import accuracy_curves as ac
from accuracy_curves.scores.same_photos import finds_itself, is_symmetric


def photographed(people=12, photos=3, *, seed=0, noise=0.3):
    """Embeddings of photos, people one after the other, and the person on each."""
    rng = np.random.default_rng(seed)
    who = np.repeat(np.arange(people), photos)
    return rng.normal(size=(people, 6))[who] + noise * rng.normal(size=(len(who), 6)), who


PHOTOS, PEOPLE = photographed()
DISTANCES = cdist(PHOTOS, PHOTOS)


@pytest.mark.parametrize("people", [PEOPLE, PEOPLE.astype(str), [f"person {p}" for p in PEOPLE]])
@pytest.mark.parametrize("diagonal", [0.0, 1.0, np.nan, np.inf])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_people_as_labels_of_a_symmetric_matrix_are_refused(people, diagonal, kind):
    scores = DISTANCES.astype(kind)
    np.fill_diagonal(scores, diagonal)
    with pytest.raises(ac.InputError, match="same 36 photos, and a photo finds itself") as caught:
        ac.ScoreMatrix(scores, people, higher_is_better=False)
    assert "excluded=np.eye(36, dtype=bool)" in str(caught.value)


def test_a_matcher_that_is_not_symmetric_is_recognised_by_its_diagonal():
    uneven = -DISTANCES * (1 + 0.2 * np.random.default_rng(1).random(DISTANCES.shape))
    assert not is_symmetric(uneven)
    with pytest.raises(ac.InputError, match="same 10 photos, and a photo finds itself"):
        ac.ScoreMatrix(uneven[:10, :10], PEOPLE[:10])
    ac.ScoreMatrix(uneven[:9, :9], PEOPLE[:9])  # Too few to see it.


def test_one_photo_of_each_that_finds_itself_is_refused():
    n = len(PHOTOS)
    with pytest.raises(ac.InputError, match="if there is one photo of each, points must be others"):
        ac.ScoreMatrix(DISTANCES, np.arange(n), higher_is_better=False)
    with pytest.raises(ac.InputError, match="points and gallery are the same embeddings"):
        ac.DistanceMatrix(PHOTOS, PHOTOS, np.arange(n))


@pytest.mark.parametrize("seed", range(5))
def test_score_matrices_that_are_square_are_taken(seed):
    rng = np.random.default_rng(seed)
    n = 12
    scores = rng.normal(size=(n, n))
    ac.ScoreMatrix(scores, rng.integers(0, 4, n))
    ac.ScoreMatrix(scores + 9 * np.eye(n), np.arange(n))  # A perfect classifier.
    ac.ScoreMatrix(scores + scores.T, np.arange(n))  # Its classes are only as near to each other.
    ac.ScoreMatrix(np.ones((n, n)), rng.integers(0, 4, n))  # It shows nothing.
    one_wrong = scores + scores.T
    one_wrong[3, 7] += 1
    ac.ScoreMatrix(one_wrong, rng.integers(0, 4, n))


@pytest.mark.parametrize("n", [10, 255, 256, 257, 600])
def test_a_large_matrix_is_symmetric_in_its_first_rows_and_finds_itself_in_all(n):
    rng = np.random.default_rng(n)
    scores = rng.normal(size=(n, n))
    scores += scores.T
    assert is_symmetric(scores)
    np.fill_diagonal(scores, 1e6)
    assert finds_itself(scores)
    assert finds_itself(-scores)
    scores[n - 1, 1] = 2e6
    assert not is_symmetric(scores)
    assert not finds_itself(scores)
