"""Ranks from lists of neighbours against those of the whole matrix."""

import numpy as np
import pytest
from scipy.spatial import KDTree

from accuracy_curves import (
    DistanceMatrix,
    InputError,
    ranks,
    ranks_of_neighbours,
    score_identities,
)

RNG = np.random.default_rng(0)
GALLERY = np.repeat(np.arange(12), 3) + 100
QUERIES = np.arange(40) % 12 + 100
# Whole numbers tie often.
DISTANCES = RNG.integers(0, 30, size=(40, 36)) * (1 - 0.6 * (QUERIES[:, None] == GALLERY))
DISTANCES = np.floor(DISTANCES)


def search(values, m):
    """The m nearest of each row, as of an index."""
    indices = np.argsort(values, axis=1, kind="stable")[:, :m]
    return np.take_along_axis(values, indices, axis=1), indices


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("m", [33, 36])
def test_ranks_and_ties_are_those_of_the_whole_matrix(m, higher, texts):
    queries, photos = ((ids.astype(str) if texts else ids) for ids in (QUERIES, GALLERY))
    near, indices = search(DISTANCES, m)
    found = ranks_of_neighbours(
        -near if higher else near, indices, queries, photos, higher_is_better=higher
    )
    matrix = score_identities(DISTANCES, queries, photos).mated
    for ours, expected in zip(found.outscored_and_tied(), matrix.outscored_and_tied(), strict=True):
        np.testing.assert_array_equal(ours, expected)
    assert found.outscored.min() < 11
    assert found.tied.max() > 0
    np.testing.assert_array_equal(found.labels, matrix.labels)
    assert found.n_classes == 12


def test_what_an_index_did_not_find_is_passed_over():
    near, indices = search(DISTANCES, 36)
    padded = np.c_[near, np.full((40, 2), np.finfo(np.float32).max)]
    found = ranks_of_neighbours(padded, np.c_[indices, np.full((40, 2), -1)], QUERIES, GALLERY)
    whole = ranks_of_neighbours(near, indices, QUERIES, GALLERY)
    np.testing.assert_array_equal(found.outscored, whole.outscored)


def test_a_rank_beyond_the_list_is_not_guessed():
    values = np.array([[1.0, 2, 3, 4], [1, 2, 3, 4]])
    near, indices = search(values, 2)
    with pytest.raises(InputError) as caught:
        ranks_of_neighbours(near, indices, [0, 2], np.arange(4))
    assert str(caught.value) == (
        "the mate of 1 of 2 queries, the first in row 1, is beyond the lists or at their end (is "
        "not among the neighbours), so that its rank is not known: search for more than 2 of 4 "
        "photos, or take what such lists do tell (accuracy_curves.CandidateLists)"
    )
    # Photo 2 may be as near as the mate, photo 1, which is the last of the list.
    with pytest.raises(InputError, match=r"the first in row 0, .* \(ties with the last neighbour"):
        ranks_of_neighbours(near, indices, [1, 0], np.arange(4))
    with pytest.raises(InputError, match="row 0 has no photo in the gallery"):
        ranks_of_neighbours(*search(values, 4), [9, 0], np.arange(4))


def test_lists_of_an_index_give_the_ranks_of_all_distances():
    rng = np.random.default_rng(4)
    gallery = rng.normal(size=(60, 8))
    queries = gallery + 0.5 * rng.normal(size=(60, 8))
    lists = KDTree(gallery).query(queries, 60)
    found = ranks_of_neighbours(*lists, np.arange(60), np.arange(60))
    whole = DistanceMatrix(queries, gallery, np.arange(60), "euclidean")
    np.testing.assert_array_equal(ranks(found), ranks(whole))
