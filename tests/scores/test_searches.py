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
