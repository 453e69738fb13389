import numpy as np
import pytest

from accuracy_curves import Identification, InputError, PooledScores, Searches, read_score_lists


def searches(seed=0):
    rng = np.random.default_rng(seed)
    return Searches(rng.normal(size=(50, 50)) + 3 * np.eye(50), np.arange(50))


def test_lists_give_what_the_binomial_method_gives_of_their_matrix():
    matrix = searches()
    found = Identification(matrix, "binomial")
    pooled = PooledScores(matrix.genuine, matrix.impostor)
    k, at = np.array([10, 50, 1000]), np.array([1.5, 2.0, 2.5])
    np.testing.assert_allclose(pooled.fpir(k, at), found.fpir(k, at))
    for rank in (1, 3):
        np.testing.assert_allclose(pooled.fnir(k, at, rank), found.fnir(k, at, rank), atol=1e-9)


def test_the_loosest_threshold_that_keeps_to_a_target():
    pooled = PooledScores([5.0], [1.0, 2.0, 3.0, 4.0])
    (at,) = pooled.threshold(1, 0.5)
    assert pooled.fpir(1, at) == 0.5
    assert at == np.nextafter(2.0, 3.0)
    assert pooled.threshold(10, 0.01)[0] == np.inf
    assert pooled.fnir(10, np.inf)[0] == 1


def test_two_files_of_scores(tmp_path):
    one, other = tmp_path / "genuine.txt", tmp_path / "impostor.txt"
    one.write_text("3.5\n\n2\n")
    other.write_text("1e-3\n-4\n0.5\n")
    trials = read_score_lists(one, other)
    assert trials.genuine.tolist() == [3.5, 2.0]
    assert trials.impostor.tolist() == [0.001, -4.0, 0.5]
    with pytest.raises(InputError, match="say nothing of probes and identities"):
        trials.gallery_scores()
    assert read_score_lists(one, other, higher_is_better=False).genuine.tolist() == [-3.5, -2.0]
    other.write_text("0.5\nnan\n")
    with pytest.raises(InputError, match=r"impostor\.txt: line 2: score is 'nan'"):
        read_score_lists(one, other)
    other.write_text("0.5 1\n0.7 1\n")
    with pytest.raises(InputError, match=r"impostor\.txt"):
        read_score_lists(one, other)
    with pytest.raises(InputError, match="there is no file"):
        read_score_lists(one, tmp_path / "none")


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: PooledScores([], [1.0]), "genuine scores must be finite numbers"),
        (lambda: PooledScores([1.0], [np.nan]), "impostor scores must be finite numbers"),
        (lambda: PooledScores([1.0], [0.0]).fpir(0, 1.0), "a gallery size is 0"),
        (lambda: PooledScores([1.0], [0.0]).threshold(9, 1.0), "above 0 and below 1"),
        (lambda: PooledScores([1.0], [0.0]).fnir(9, 1.0, 0), "rank is 0"),
    ],
)
def test_bad_questions_get_a_sentence(call, sentence):
    with pytest.raises(InputError, match=sentence):
        call()
