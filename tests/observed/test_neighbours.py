"""Accuracies from lists of neighbours against those of the whole matrix."""

import numpy as np
import pytest

from accuracy_curves import (
    InputError,
    average_accuracy,
    curve_of_neighbours,
    score_identities,
)


def search(values, m):
    """The m nearest of each row, as of an index."""
    indices = np.argsort(values, axis=1, kind="stable")[:, :m]
    return np.take_along_axis(values, indices, axis=1), indices


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("m", [15, 60, 600])
def test_short_lists_tell_the_accuracies_of_the_whole_matrix_within_the_tolerance(m, higher):
    rng = np.random.default_rng(3)
    people = rng.normal(size=(300, 5))
    photos = np.repeat(people, 2, axis=0) + 0.8 * rng.normal(size=(600, 5))
    ids = np.arange(300) + 7
    # Rounded, so that some tie.
    apart = np.linalg.norm(people[:, None] - photos, axis=2).round(2)
    near, indices = search(apart, m)
    curve = curve_of_neighbours(
        -near if higher else near, indices, ids, np.repeat(ids, 2), higher_is_better=higher
    )
    whole = average_accuracy(score_identities(apart, ids, np.repeat(ids, 2)).mated, curve.k)
    assert curve.k[-1] == 300
    assert (curve.k[0] == 2) == (m == 600)
    assert 70 < len(curve.k) <= 100
    # From where the bounds are nearer than a thousandth; a wider tolerance tells more.
    given = (near, indices, ids, np.repeat(ids, 2))
    wider = curve_of_neighbours(*given, tolerance=0.002)
    assert (wider.k[0] < curve.k[0]) == (m < 600)
    assert curve_of_neighbours(*given, tolerance=0.001).k[0] == curve.k[0]
    # The middle of the bounds; ties are broken by other draws.
    np.testing.assert_allclose(curve.accuracy, whole, atol=0.0005 + 0.003)


def test_a_mate_beyond_its_list_counts_between_the_first_place_after_it_and_the_last():
    """Of four others two are better, the third may tie: then the mate outscores 1 or 2 of them."""
    lists = ([[1.0, 2, 3], [1, 2, 3]], [[1, 0, 3], [1, 2, 3]], [1, 0], np.arange(5))
    with pytest.raises(InputError, match="too short to tell accuracies"):
        curve_of_neighbours(*lists, tolerance=0.0)
    curve = curve_of_neighbours(*lists, tolerance=0.1)
    # At most half of the mean of binom(R, k - 1) / binom(4, k - 1), R = 1, 2: 3/16, 1/24, 0, 0.
    assert curve.k.tolist() == [3, 4, 5]
    np.testing.assert_allclose(curve.accuracy, [0.5 + 1 / 48, 0.5, 0.5])
    with pytest.raises(InputError, match="the query in row 1 has no photo"):
        curve_of_neighbours(lists[0], lists[1], [0, 9], np.arange(5))


def test_whole_lists_need_no_tolerance():
    apart = np.random.default_rng(0).random((30, 30))
    curve = curve_of_neighbours(*search(apart, 30), range(30), range(30), tolerance=0.0)
    whole = score_identities(apart, np.arange(30), np.arange(30)).mated
    np.testing.assert_allclose(curve.accuracy, average_accuracy(whole, curve.k))
