import numpy as np
import pandas as pd
import pytest

from accuracy_curves import curve_of_neighbours, load_scores, load_searches, read_curve

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=(12, 4)).round(6)
OWN = np.arange(12) % 5  # 4 is enrolled nowhere.
LABELS = np.where(OWN < 4, OWN, -1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current folder, with a table and a matrix of photos."""
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame(
        {
            "query": np.repeat([f"q{i:02d}" for i in range(12)], 4),
            "person": np.tile(list("abcd"), 12),
            "similarity": SCORES.ravel(),
            "mate": (OWN[:, None] == np.arange(4)).ravel(),
        }
    )
    table.to_csv("table.csv", index=False)
    np.savez("distmat.npz", distmat=SCORES, query_ids=OWN, g_pids=np.arange(4))
    table[["similarity", "mate"]].to_csv("trials.csv", index=False, header=["score", "mate"])
    photos = RNG.normal(size=(12, 4))
    np.savez("square.npz", scores=photos @ photos.T, labels=np.repeat(np.arange(6), 2))
    return tmp_path


TABLE = ["table.csv", "--name", "probe=query", "--name", "identity=person"]
TABLE += ["--name", "score=similarity"]
PHOTOS = ["distmat.npz", "--name", "gallery_ids=g_pids", "--higher-is-better"]


@pytest.mark.parametrize("arguments", [TABLE, PHOTOS])
def test_every_format_becomes_the_same_searches(run, arguments):
    status, out, err = run("convert", *arguments, "deep/scores.npz")
    assert (status, err) == (0, "")
    assert "2 without" in out
    found = load_searches("deep/scores.npz")
    np.testing.assert_array_equal(found.scores, SCORES)
    np.testing.assert_array_equal(found.labels, LABELS)
    assert found.higher_is_better


def test_what_was_converted_is_predicted_from(run):
    people = 30
    scores = RNG.random((people, people)) + np.eye(people)
    np.savez("in.npz", distmat=-scores, query_ids=np.arange(people), gallery_ids=np.arange(people))
    assert run("convert", "in.npz", "out.npz")[0] == 0
    matrix = load_scores("out.npz")
    assert not matrix.higher_is_better
    np.testing.assert_array_equal(matrix.scores, -scores)
    assert run("observe", "out.npz", "--out", "observed")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["distmat.npz", "out.txt"], "must end in .npz"),
        ([*TABLE, "out.csv"], "holds scores: out.csv must end in .npz"),
        (["absent", "out.npz"], "absent"),
        ([*TABLE, "out.npz", "--name", "probe"], "WHAT=NAME"),
        ([*TABLE, "out.npz", "--name", "distmat=q"], "distmat"),
        ([*PHOTOS, "distmat.npz", "--overwrite"], "is the input"),
        ([*PHOTOS, "trials.csv"], "--overwrite"),
        (["trials.csv", "out.npz"], "list of trials"),
        (["square.npz", "out.npz"], "give it to predict, observe, plan or identify with --gallery"),
    ],
)
def test_faults_are_one_line_and_write_nothing(run, folder, arguments, word):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    status, out, err = run("convert", *arguments)
    assert (status, out) == (2, "")
    assert word in err
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_short_lists_of_neighbours_become_a_curve(run):
    people = RNG.normal(size=(80, 4))
    apart = np.linalg.norm(people[:, None] - people - 0.2 * RNG.normal(size=(80, 4)), axis=2)
    nearest = np.argsort(apart, axis=1)[:, :20]
    near = np.take_along_axis(apart, nearest, axis=1)
    np.savez("lists.npz", D=near, I=nearest, query_ids=np.arange(80), gallery_ids=np.arange(80))
    line = ["convert", "lists.npz", "curve.csv", "--name", "distances=D", "--name", "indices=I"]
    assert [run(*line)[0], run(*line)[0], run(*line, "--overwrite")[0]] == [0, 2, 0]
    curve = read_curve("curve.csv")
    expected = curve_of_neighbours(near, nearest, np.arange(80), np.arange(80))
    assert curve.k.tolist() == expected.k.tolist()
    np.testing.assert_allclose(curve.accuracy, expected.accuracy, atol=1e-6)
