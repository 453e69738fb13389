"""Matrices of queries and photos against loops over their photos."""

import numpy as np
import pytest

from accuracy_curves import (
    InputError,
    read_distance_matrix,
    read_match_matrix,
    score_identities,
)

RNG = np.random.default_rng(0)
GALLERY = np.array([30, 10, 20, 10, 30, 30, 40])
QUERIES = np.array([10, 99, 40, 30, 30])
DISTMAT = RNG.random((5, 7)).astype(np.float32)


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("several", ["best", "mean"])
def test_an_identity_has_the_best_or_mean_score_of_its_photos(tmp_path, several, higher, texts):
    queries, photos = ((ids.astype(str) if texts else ids) for ids in (QUERIES, GALLERY))
    np.savez(tmp_path / "a.npz", distmat=DISTMAT, q_pids=queries, g_pids=photos)
    found = read_distance_matrix(
        tmp_path / "a.npz", query_ids="q_pids", gallery_ids="g_pids", several=several,
        higher_is_better=higher,
    )  # fmt: skip
    one = np.mean if several == "mean" else np.max if higher else np.min
    for i in range(5):
        for j, who in enumerate([10, 20, 30, 40]):
            assert found.scores[i, j] == pytest.approx(one(DISTMAT[i, who == GALLERY]), rel=1e-6)
    assert found.labels.tolist() == [0, -1, 3, 2, 2]
    assert [int(who) for who in found.identities] == [10, 20, 30, 40]
    assert found.higher_is_better is higher


def test_one_photo_each_keeps_the_scores_to_the_bit():
    order = [2, 0, 1]
    found = score_identities(DISTMAT[:3, :3], ["b", "b", "a"], ["b", "c", "a"])
    assert found.scores.dtype == np.float32
    np.testing.assert_array_equal(found.scores, DISTMAT[:3, order])
    assert found.matrix().labels.tolist() == [1, 1, 0]


@pytest.mark.parametrize("several", ["best", "mean"])
def test_matches_say_the_same_as_ids(tmp_path, several):
    match = QUERIES[:, None] == GALLERY
    np.savez(tmp_path / "a.npz", s=DISTMAT, m=match.astype(np.uint8))
    found = read_match_matrix(
        tmp_path / "a.npz", scores="s", match="m", several=several, higher_is_better=False
    )
    # Identities by their first columns: 30 is 0, 10 is 1, 20 is 2 (in no match), 40 is 6.
    assert found.identities.tolist() == [0, 1, 2, 6]
    expected = score_identities(DISTMAT, QUERIES, GALLERY, several=several)
    np.testing.assert_array_equal(found.scores, expected.scores[:, [2, 0, 1, 3]])
    assert found.labels.tolist() == [1, -1, 3, 0, 0]


def test_all_photos_against_all_are_refused_but_not_one_photo_each():
    x = RNG.normal(size=(6, 3))
    ids = np.repeat(np.arange(3), 2)
    themselves = np.linalg.norm(x[:, None] - x, axis=2) + 1e-9 * RNG.random((6, 6))
    with pytest.raises(InputError, match="row and column i seem to be the same photo"):
        score_identities(themselves, ids, ids)
    second = x + 0.1 * RNG.normal(size=x.shape)
    others = np.linalg.norm(x[:, None] - second, axis=2)
    assert score_identities(others, np.arange(6), np.arange(6)).labels.tolist() == [*range(6)]
    # Saturated scores of a perfect classifier.
    saturated = np.where(np.eye(6, dtype=bool), 0.0, others)
    assert score_identities(saturated, np.arange(6), np.arange(6)).scores.shape == (6, 6)


BAD = DISTMAT.copy()
BAD[2, 5] = np.nan


@pytest.mark.parametrize(
    ("scores", "queries", "photos", "sentence"),
    [
        (DISTMAT, QUERIES[:4], GALLERY, r"the query ids have shape \(4,\) but the scores have sha"),
        (DISTMAT, QUERIES, GALLERY[1:], r"the gallery ids have shape .*one id a column is needed"),
        (DISTMAT, QUERIES, GALLERY.astype(str), r"the query ids are int64 but the gallery ids are"),
        (DISTMAT, QUERIES + 1, GALLERY, r"no query has a mate: the query id '11', for instance, "
         "is not among the gallery ids, such as '10'"),
        (DISTMAT, QUERIES, GALLERY * np.nan, r"the gallery ids must be whole numbers or texts"),
        (BAD, QUERIES, GALLERY, r"the score in row 2, column 5 is nan: every score must be finite"),
        (DISTMAT[0], QUERIES, GALLERY, r"scores must be an \(N, G\) array of real numbers, not"),
        (DISTMAT[:, :0], QUERIES, [], r"scores must be an \(N, G\) array of real numbers"),
        (DISTMAT.astype(str), QUERIES, GALLERY, r"scores .* \(N, K\) array of real numbers: they"),
    ],
)  # fmt: skip
def test_each_fault_is_one_sentence_with_its_place(tmp_path, scores, queries, photos, sentence):
    path = tmp_path / "a.npz"
    np.savez(path, distmat=scores, query_ids=queries, gallery_ids=photos)
    with pytest.raises(InputError, match=sentence) as caught:
        read_distance_matrix(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_missing_array_is_named(tmp_path):
    np.savez(tmp_path / "a.npz", distmat=DISTMAT)
    with pytest.raises(InputError, match=r"has no array 'query_ids': it has distmat"):
        read_distance_matrix(tmp_path / "a.npz")
    with pytest.raises(InputError, match="several is 'worst': it must be one of best, mean"):
        score_identities(DISTMAT, QUERIES, GALLERY, several="worst")


MATCH = QUERIES[:, None] == GALLERY


@pytest.mark.parametrize(
    ("match", "sentence"),
    [
        (MATCH[:, :6], r"the matches are bool of shape \(5, 6\) but the scores have shape"),
        (MATCH.astype(float), r"the matches are float64 .*one match a score is needed"),
        (MATCH * 2, r"the match in row 0, column 1 is 2: it must be true or false, 1 or 0"),
        (MATCH & ~((np.arange(7) == 4) & (np.arange(5) == 4)[:, None]),
         r"the match in row 4, column 4 contradicts others: two columns that match one row"),
        (MATCH & False, r"no query has a mate"),
    ],
)  # fmt: skip
def test_matches_that_cannot_be(tmp_path, match, sentence):
    np.savez(tmp_path / "a.npz", scores=DISTMAT, match=match)
    with pytest.raises(InputError, match=sentence) as caught:
        read_match_matrix(tmp_path / "a.npz")
    assert "\n" not in str(caught.value)
