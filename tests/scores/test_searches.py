import numpy as np

from accuracy_curves import Searches


def test_halves_part_the_identities_and_the_strangers():
    # The score tells the column, and its search in thousands.
    labels = np.array([0, 1, 2, 3, 4, 5, 0, -1, -1, -1])
    searches = Searches(np.arange(10)[:, None] * 1000.0 + np.arange(6), labels)
    for one, other in zip(*[iter(searches.halves(3, seed=1))] * 2, strict=True):
        columns = [set((half.scores % 1000).ravel()) for half in (one, other)]
        assert [len(each) for each in columns] == [3, 3]
        assert columns[0] | columns[1] == set(range(6))
        rows = [set((half.scores // 1000).ravel()) for half in (one, other)]
        assert rows[0] | rows[1] == set(range(10))
        assert not rows[0] & rows[1]
        for half in (one, other):
            own = half.scores[half.labels >= 0, half.labels[half.labels >= 0]] % 1000
            searching = half.scores[half.labels >= 0, 0] // 1000
            np.testing.assert_array_equal(own, labels[searching.astype(int)])


def test_a_distance_of_zero_counts_as_half_of_the_least_other():
    distances = np.array([[0.0, 0.8, 3.0], [2.0, 0.4, 1.0]])
    searches = Searches(distances, [0, 1], higher_is_better=False)
    np.testing.assert_allclose(np.exp(-searches.oriented([0.0, 0.4, 2.0])), [0.2, 0.4, 2.0])
    np.testing.assert_allclose(searches.as_given(searches.oriented([0.4, 2.0])), [0.4, 2.0])
    # Whoever is at 0 is accepted at a threshold of 0; below it nobody is.
    assert searches.as_given(searches.oriented(-1.0)) == -1
    assert (searches.genuine >= searches.oriented(0.0)).tolist() == [True, False]
