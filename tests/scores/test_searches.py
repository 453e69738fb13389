import numpy as np
import pytest
from scipy.special import logit, logsumexp

from accuracy_curves import Searches


def test_halves_part_the_identities_and_the_strangers():
    # The score names the column, and its search in thousands.
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


def test_nobody_is_accepted_at_a_distance_below_zero():
    distances = np.array([[0.0, 0.8, 3.0], [2.0, 0.4, 1.0]])
    searches = Searches(distances, [0, 1], higher_is_better=False)
    for at in ([0.4, 2.0], [1e-9, 0.1, 7.0]):
        np.testing.assert_allclose(searches.as_given(searches.oriented(at)), at, rtol=1e-12)
    assert (searches.genuine >= searches.oriented(0.0)).tolist() == [True, False]
    assert searches.oriented(-1e-9) == np.inf
    assert searches.largest == 0
    # Others have no end that is known.
    assert Searches(-distances, [0, 1]).oriented(1.0) == 1
    assert Searches(distances - 1, [0, 1], higher_is_better=False).oriented(-0.4) == 0.4


@pytest.mark.parametrize("total", [1.0, 100.0])
def test_probabilities_are_taken_against_the_others_of_their_row(total):
    scores = np.array([[5.0, 1, 2, -3], [60, 0, 1, 2], [0, 0, 0, 0]])
    odds = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
    searches = Searches(total * odds, [0, 0, -1])
    others = [[logsumexp(np.delete(row, place)) for place in range(4)] for row in scores]
    found = searches.for_tail()
    # All digits, of 1 - 1e-26 as well.
    np.testing.assert_allclose(found.scores, scores - others, rtol=1e-12)
    assert found.sum_of_probabilities is None
    inside = np.array([0.01, 0.5, 0.999]) * total
    np.testing.assert_allclose(searches.oriented(inside), logit([0.01, 0.5, 0.999]))
    np.testing.assert_allclose(searches.as_given(searches.oriented(inside)), inside)
    assert searches.oriented([-0.1 * total, 1.01 * total]).tolist() == [-np.inf, np.inf]
    assert searches.as_given([-np.inf, 800, np.inf]).tolist() == [0, total, np.inf]
    # Zeros among rounded probabilities are finite.
    hard = Searches([[1.0, 0, 0], [0, 0.5, 0.5]], [0, 1]).for_tail().scores
    np.testing.assert_allclose(np.unique(hard), [-np.log(4), 0, np.log(4)])
    for given in (Searches(scores, [0, 0, -1]), Searches(total * odds, [0, 0, -1], False)):
        assert given.sum_of_probabilities is None
