"""Searches of files against the dictionary of their rows, and what is refused."""

import gzip

import numpy as np
import pandas as pd
import pytest
from scipy.io import savemat
from scipy.spatial.distance import cdist

import accuracy_curves as ac
from accuracy_curves import InputError, Searches, load_searches, save_scores
from accuracy_curves.cli.inputs import load_input

HEAD = "probe,identity,score,mate\n"
PEOPLE = ["ann", "ben", "cat", "10", "9"]


def rows(n_probes=8, seed=0):
    """Shuffled rows of a table; the last two probes are of nobody enrolled."""
    rng = np.random.default_rng(seed)
    found = []
    for j in range(n_probes):
        own = PEOPLE[j % len(PEOPLE)] if j < n_probes - 2 else f"stranger{j}"
        found += [(f"p{j}", who, float(rng.normal()), own) for who in PEOPLE]
    return [found[i] for i in rng.permutation(len(found))]


def frame(table):
    data = pd.DataFrame(table, columns=["probe", "identity", "score", "probe_identity"])
    return data.assign(mate=data["identity"] == data["probe_identity"])


def write(path, data):
    data.to_csv(path, index=False, sep="\t" if "tsv" in path.name else ",")
    return path


@pytest.mark.parametrize("column", ["mate", "probe_identity"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "csv.gz"])
def test_rows_in_any_order_and_any_kind_of_file(tmp_path, column, kind):
    table = rows()
    data = frame(table).drop(columns={"mate", "probe_identity"} - {column})
    path = write(tmp_path / f"scores.{kind}", data.assign(device="a camera, new"))
    found = load_searches(path, higher_is_better=False)
    probes = list(dict.fromkeys(row[0] for row in table))
    assert found.classes.tolist() == sorted(PEOPLE)
    assert found.scores.shape == (len(probes), len(PEOPLE))
    assert not found.higher_is_better
    for probe, who, score, own in table:
        i, j = probes.index(probe), found.classes.tolist().index(who)
        assert found.scores[i, j] == score
        label = found.labels[i]
        assert label == -1 if own not in PEOPLE else found.classes[label] == own


def test_whole_numbers_are_names(tmp_path):
    table = frame([(j, who, 1.0 + j * who, j % 3) for j in range(4) for who in range(3)])
    table["probe_identity"] = table["probe_identity"].astype(str).mask(table["probe"] == 3, "")
    found = load_searches(write(tmp_path / "a.csv", table.drop(columns="mate")))
    assert found.labels.tolist() == [0, 1, 2, -1]
    assert found.scores.tolist() == [[1.0 + j * who for who in range(3)] for j in range(4)]


def test_a_name_like_a_missing_value_is_a_name(tmp_path):
    text = 'probe,identity,score,mate\n"a, b",NA,1e-3,TRUE\n\n"a, b",null,2,0\n"a, b",x,1,0\n\n'
    (tmp_path / "scores.csv").write_text(text)
    found = load_searches(tmp_path / "scores.csv")
    assert (found.classes.tolist(), found.labels.tolist()) == (["NA", "null", "x"], [0])
    assert found.scores.tolist() == [[0.001, 2.0, 1.0]]


def test_scores_are_exact_with_and_without_empty_lines(tmp_path):
    scores = np.random.default_rng(3).normal(size=300) * 10.0 ** np.arange(-210, 90)
    lines = [f"p,i{j},{score!r},{int(j == 0)}" for j, score in enumerate(scores.tolist())]
    for end in ("\n", "\n\n"):
        (tmp_path / "scores.csv").write_text(HEAD + end.join(lines) + end)
        found = load_searches(tmp_path / "scores.csv")
        by_name = dict(zip(found.classes, found.scores[0], strict=True))
        assert [by_name[f"i{j}"] for j in range(300)] == scores.tolist()


def test_a_list_of_trials_has_one_column(tmp_path):
    table = pd.DataFrame({"score": [3.5, 0.1, -4, 2], "mate": [True, False, False, True]})
    found = load_searches(write(tmp_path / "trials.csv", table))
    assert (found.scores.tolist(), found.labels.tolist()) == (
        [[3.5], [0.1], [-4], [2]],
        [0, -1, -1, 0],
    )
    assert found.genuine.tolist() == [3.5, 2]
    assert found.impostor.tolist() == [[0.1], [-4]]
    lists = load_searches(tmp_path / "trials.csv", higher_is_better=False)
    assert lists.genuine.tolist() == [-3.5, -2]


QUERIES, GALLERY = np.array([10, 99, 40, 30, 30]), np.array([30, 10, 20, 10, 30, 30, 40])
DISTMAT = np.random.default_rng(0).random((5, 7)).astype(np.float32)


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize("higher", [True, False])
def test_an_identity_has_the_best_score_of_its_photos(tmp_path, higher, texts):
    queries, photos = ((ids.astype(str) if texts else ids) for ids in (QUERIES, GALLERY))
    np.savez(tmp_path / "a.npz", distmat=DISTMAT, query_ids=queries, gallery_ids=photos)
    found = load_searches(tmp_path / "a.npz", higher)
    one = np.max if higher else np.min
    for i in range(5):
        for j, who in enumerate([10, 20, 30, 40]):
            assert found.scores[i, j] == pytest.approx(one(DISTMAT[i, who == GALLERY]), rel=1e-6)
    assert found.labels.tolist() == [0, -1, 3, 2, 2]
    assert [int(who) for who in found.classes] == [10, 20, 30, 40]
    assert found.higher_is_better is higher
    # Saved with the names of its columns, and read again.
    save_scores(found, tmp_path / "b.npz")
    again = load_searches(tmp_path / "b.npz")
    for name in ("scores", "labels", "classes", "higher_is_better"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))


def test_one_photo_each_keeps_the_scores_to_the_bit():
    found = ac.score_identities(DISTMAT[:3, :3], ["b", "b", "a"], ["b", "c", "a"])
    assert found.scores.dtype == np.float32
    np.testing.assert_array_equal(found.scores, DISTMAT[:3, [2, 0, 1]])
    assert found.mated.labels.tolist() == [1, 1, 0]


def test_all_photos_against_all_are_refused_but_not_one_photo_each():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(12, 3))
    ids = np.repeat(np.arange(6), 2)
    themselves = np.linalg.norm(x[:, None] - x, axis=2) + 1e-9 * rng.random((12, 12))
    for same in (ids, np.arange(12)):
        with pytest.raises(InputError, match="same"):
            ac.score_identities(themselves, same, same)
    others = np.linalg.norm(x[:, None] - x - 0.1 * rng.normal(size=x.shape), axis=2)
    assert ac.score_identities(others, np.arange(12), np.arange(12)).labels.tolist() == [*range(12)]
    # Saturated scores of a perfect classifier.
    saturated = np.where(np.eye(12, dtype=bool), 0.0, others)
    assert ac.score_identities(saturated, np.arange(12), np.arange(12)).n_classes == 12


def reid(seed=0):
    """Distances of 24 queries and 72 photos of 24 people, seen by three cameras."""
    rng = np.random.default_rng(seed)
    who, camera = np.arange(24).repeat(3), np.tile(np.arange(3), 24)
    people, views = rng.normal(size=(24, 5)), 1.5 * rng.normal(size=(72, 5))
    photos = people[who] + views
    queries = photos[::3] + 0.1 * rng.normal(size=(24, 5))
    return np.linalg.norm(queries[:, None] - photos, axis=2), who, camera, photos, queries


def test_pairs_of_one_camera_are_excluded(tmp_path, run):
    apart, who, camera, *_ = reid()
    excluded = (who[::3, None] == who) & (camera == 0)
    expected = [
        [min([d for d, w, out in zip(row, who, mask, strict=True) if w == j and not out])
         for j in range(24)]
        for row, mask in zip(apart, excluded, strict=True)
    ]  # fmt: skip
    given = {"distmat": apart, "query_ids": who[::3], "gallery_ids": who}
    cams = {"query_camids": camera[::3], "gallery_camids": camera}
    np.savez(tmp_path / "cameras.npz", **given, **cams)
    np.savez(tmp_path / "mask.npz", **given, excluded=excluded)
    for name in ("cameras", "mask"):
        source, out = tmp_path / f"{name}.npz", tmp_path / f"{name}_out.npz"
        status, said, _ = run("convert", source, out)
        assert status == 0
        assert "24 pairs are excluded\n" in said
        np.testing.assert_allclose(ac.load_scores(out).scores, expected)
    # A query whose mate has no other photo is left out; another identity is no candidate.
    excluded[4] |= who == 4
    assert len(ac.score_identities(apart, who[::3], who, excluded=excluded).labels) == 23
    excluded[7] |= who == 5
    found = ac.score_identities(apart, who[::3], who, excluded=excluded)
    row = 7 - (4 < 7)
    assert found.scores[row, 5] > found.scores[row, found.labels[row]]


@pytest.mark.parametrize("as_id", [int, str])
def test_junk_is_left_out_and_distractors_are_people(as_id):
    apart, who, _, _, queries = reid()
    rng = np.random.default_rng(1)
    more = np.linalg.norm(queries[:, None] - 1.8 * rng.normal(size=(60, 5)), axis=2)
    ids = np.array([as_id(each) for each in [*who, *[-1] * 20, *[0] * 40]])
    ids[:72] = [as_id(each) for each in who + 1]
    queries = np.array([as_id(each) for each in range(1, 25)])
    found = ac.score_identities(np.c_[apart, more], queries, ids)
    assert found.n_classes == 24 + 40
    assert len(np.unique(found.classes)) == 64
    alone = ac.score_identities(
        np.c_[apart, more[:, 20:]],
        queries,
        [*ids[:72], *range(100, 140)] if as_id is int else [*ids[:72], *map(str, range(100, 140))],
    )
    rank = [ac.average_accuracy(each.mated, [2, 64]) for each in (found, alone)]
    np.testing.assert_allclose(*rank)
    # A few searches do not show it.
    few = ac.score_identities(np.c_[apart, more[:, 20:]][:8], queries[:8], [*ids[:72], *ids[92:]])
    assert few.n_classes == 25
    # Forty photos of one person are of one.
    of_one = np.linalg.norm(reid()[4][:, None] - 1.8 - rng.normal(size=(40, 5)), axis=2)
    assert (
        ac.score_identities(np.c_[apart, of_one], queries, [*ids[:72], *ids[92:]]).n_classes == 25
    )


@pytest.mark.parametrize("cosine", [False, True])
def test_queries_that_are_photos_of_the_gallery_are_refused(cosine):
    _, who, _, photos, _ = reid()
    unit = photos / np.linalg.norm(photos, axis=1, keepdims=True)
    scores = unit[::3] @ unit.T if cosine else np.linalg.norm(photos[::3, None] - photos, axis=2)
    with pytest.raises(InputError, match="24 of 24 have one best score"):
        ac.score_identities(scores, who[::3], who, higher_is_better=cosine)
    order = np.argsort(-scores if cosine else scores, axis=1)[:, :30]
    with pytest.raises(InputError, match="24 of 24 have one best score"):
        ac.CandidateLists.from_neighbours(
            np.take_along_axis(scores, order, axis=1), order, who[::3], gallery_labels=who,
            higher_is_better=cosine,
        )  # fmt: skip
    itself = np.arange(24)[:, None] * 3 == np.arange(72)
    assert (
        ac.score_identities(
            scores, who[::3], who, higher_is_better=cosine, excluded=itself
        ).n_classes
        == 24
    )


T = "p,a,1,true\np,b,1,false\np,c,1,false\n"
BOTH = "probe,identity,score,mate,probe_identity\np,a,1,true,a\np,b,1,0,a\np,c,1,0,a\n"
BAD = DISTMAT.copy()
BAD[2, 5] = np.nan


def photos(**changes):
    return {"distmat": DISTMAT, "query_ids": QUERIES, "gallery_ids": GALLERY} | changes


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("a.csv", f"{HEAD}p,a,1,true\np,b,two,false\n", "line 3: score is 'two'"),
        ("a.csv", f"{HEAD}p,a,1,true\n\np,b,,false\n", "line 4: score is empty"),
        ("a.csv", f"{HEAD}p,a,1,true\np,,1,false\n", "line 3: identity is empty"),
        ("a.csv", f"{HEAD}p,a,1,true\np,b,1,maybe\n", "line 3: mate is 'maybe'"),
        ("a.csv", f"{HEAD}p,a,1,true\np,b,1\n", "line 3: mate is empty"),
        ("a.csv", f"{HEAD}{T}p,c,1,true\n", ": a second mate of the probe 'p'"),
        ("a.csv", f"{HEAD}{T}q,b,1,true\n", "the probe 'q' has 1 scores, .* each of 3 identities"),
        ("a.csv", f"{HEAD}{T}p,c,2,false\n", "line 5: the pair 'p', 'c' has a second"),
        ("a.csv", HEAD + T.replace("true", "0"), "no probe has a mate"),
        ("a.csv", BOTH.replace(",mate", ",m").replace("0,a\np,c", "0,c\np,c"), "a second probe"),
        ("a.csv", f"{HEAD}p,a,0,9,true\np,b,0,1,false\n", "Expected 4 fields in line 2"),
        ("a.csv", BOTH, "one of the columns 'mate' and 'probe_identity'"),
        (
            "a.csv",
            "probe,identity,score\np,a,1\n",
            "one of the columns 'mate' and 'probe_identity'",
        ),
        ("a.csv", "query,identity,score,mate\np,a,1,true\n", "no column 'probe'"),
        ("a.csv", "score,mate,score\n1,true,3\n2,false,1\n", "two columns 'score'"),
        ("a.csv", "score,mate\n1,true\n2,true\n", "impostor"),
        ("a.csv", f"{HEAD}p,a,1,true\np,b,2,false\n", "1 points and 2 classes"),
        ("a.csv", HEAD, "no rows"),
        ("a.csv", f",{HEAD}", "no rows"),
        ("a.csv", f"{HEAD}p,\xe4,1,true\n".encode("latin-1"), "UTF-8"),
        ("a.csv.gz", gzip.compress(BOTH.encode(), mtime=0)[:-12], "cannot be read"),
        ("a.parquet", b"PAR1", "read_parquet"),
        ("a.npz", photos(query_ids=QUERIES[:4]), r"scores have shape \(5, 7\): shape \(4, 7\)"),
        ("a.npz", photos(gallery_ids=GALLERY.astype(str)), "query ids are int64"),
        ("a.npz", photos(gallery_ids=GALLERY * np.nan), "whole numbers or all texts"),
        ("a.npz", photos(query_ids=QUERIES + 1), "no query has a mate: the query id '11'"),
        ("a.npz", photos(distmat=BAD), "row 2, column 5 is nan"),
        ("a.npz", {"distmat": DISTMAT}, "no array 'query_ids'"),
    ],
)
def test_bad_files_are_one_sentence(tmp_path, name, content, word):
    path = tmp_path / name
    if isinstance(content, dict):
        np.savez(path, **content)
    elif content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=word) as caught:
        load_searches(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("suffix", ["npz", "mat"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine", "inner"])
def test_two_sets_of_embeddings_are_a_distance_matrix_of_them(tmp_path, suffix, metric):
    rng = np.random.default_rng(3)
    people, cameras = np.arange(20) % 5, np.arange(20) % 2
    sets = {name: rng.normal(size=(20, 4)) for name in ("query_f", "gallery_f")}
    who = {"query_label": people, "gallery_label": people[::-1]}
    where = {"query_cam": cameras, "gallery_cam": cameras}
    path = tmp_path / f"sets.{suffix}"
    (np.savez if suffix == "npz" else lambda path, **arrays: savemat(path, arrays))(
        path, **sets, **who, **where
    )
    near = sets["query_f"] @ sets["gallery_f"].T
    if metric != "inner":
        near = cdist(*sets.values(), metric).astype(np.float32)
    same = np.equal.outer(*who.values()) & np.equal.outer(*where.values())
    given = {"excluded": same, "higher_is_better": metric == "inner"}
    expected = ac.score_identities(near, *who.values(), **given)
    found = load_input(path, Searches, metric=metric)
    np.testing.assert_allclose(found.matrix.scores, expected.scores)
    np.testing.assert_array_equal(found.matrix.labels, expected.labels)
    assert f"scores are {metric}" in found.origin[0]
    matrix = load_input(path, ac.ScoreMatrix, metric=metric).matrix
    np.testing.assert_array_equal(matrix.labels, expected.mated.labels)
    with pytest.raises(InputError, match="leave out --gallery"):
        load_input(path, Searches, gallery="first")
    with pytest.raises(InputError, match="metric is 'l1': it must be one of euclidean"):
        load_input(path, Searches, metric="l1")
