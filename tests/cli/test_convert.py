import numpy as np
import pandas as pd
import pytest

from accuracy_curves import load_scores, load_searches

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
        (["absent", "out.npz"], "absent"),
        ([*TABLE, "out.npz", "--name", "probe"], "WHAT=NAME"),
        ([*TABLE, "out.npz", "--name", "distmat=q"], "distmat"),
        ([*PHOTOS, "distmat.npz", "--overwrite"], "is the input"),
        ([*PHOTOS, "square.npz"], "--overwrite"),
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
