import numpy as np
import pandas as pd
import pytest

from accuracy_curves import curve_of_neighbours, load_scores, load_searches, read_curve
from accuracy_curves.cli.main import main

RNG = np.random.default_rng(0)
SCORES = RNG.normal(size=(12, 4)).round(6)
OWN = np.arange(12) % 5  # 4 is enrolled nowhere.
LABELS = np.where(OWN < 4, OWN, -1)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def long_table():
    return pd.DataFrame(
        {
            "query": np.repeat([f"q{i:02d}" for i in range(12)], 4),
            "person": np.tile(list("abcd"), 12),
            "similarity": SCORES.ravel(),
            "mate": (OWN[:, None] == np.arange(4)).ravel(),
        }
    )


def write(layout):
    table = long_table()
    if layout == "long-table":
        table.to_csv("input.csv", index=False)
        names = ("probe=query", "identity=person", "score=similarity")
        return ["input.csv", *(part for name in names for part in ("--name", name))]
    if layout == "distance-matrix":
        np.savez("input.npz", distmat=SCORES, query_ids=OWN, g_pids=np.arange(4))
        return ["input.npz", "--name", "gallery_ids=g_pids", "--higher-is-better"]
    if layout == "match-matrix":
        np.savez("input.npz", scores=SCORES, match=OWN[:, None] == np.arange(4))
        return ["input.npz"]
    if layout == "bob":
        own = np.array(list("abcde"))[np.repeat(OWN, 4)]
        table.assign(own=own)[["person", "own", "query", "similarity"]].to_csv(
            "input", sep=" ", header=False, index=False
        )
        return ["input"]
    told = np.where(table["mate"], "target", "nontarget")
    for name, last in (("input", table["similarity"]), ("trials", told)):
        table.assign(last=last)[["person", "query", "last"]].to_csv(
            name, sep=" ", header=False, index=False
        )
    return ["input", "--targets", "trials"]


@pytest.mark.parametrize(
    "layout", ["long-table", "distance-matrix", "match-matrix", "bob", "kaldi"]
)
def test_every_format_becomes_the_same_searches(run, layout):
    arguments = write(layout)
    status, out, err = run("convert", *arguments, "deep/scores.npz", "--format", layout)
    assert (status, err) == (0, "")
    assert out == (
        "12 probes, 2 of them without a mate; 4 identities; higher scores are better\n"
        "wrote deep/scores.npz\n"
    )
    found = load_searches("deep/scores.npz")
    np.testing.assert_array_equal(found.scores, SCORES)
    np.testing.assert_array_equal(found.labels, LABELS)
    assert found.higher_is_better


def test_what_was_converted_is_predicted_from_and_may_be_written_again(run):
    people = 30
    scores = RNG.random((people, people)) + np.eye(people)
    np.savez("in.npz", distmat=-scores, query_ids=np.arange(people), gallery_ids=np.arange(people))
    for _ in range(2):
        assert run("convert", "in.npz", "out.npz", "--format", "distance-matrix")[0] == 0
    matrix = load_scores("out.npz")
    assert not matrix.higher_is_better
    np.testing.assert_array_equal(matrix.scores, -scores)
    status, out, _ = run("observe", "out.npz", "--out", "observed")
    assert status == 0
    assert "30 points, 30 classes" in out


def test_what_was_converted_is_not_lost_where_it_is_converted_again(run):
    write("match-matrix")
    assert run("convert", "input.npz", "out.npz", "--format", "match-matrix")[0] == 0
    with np.load("input.npz") as given, np.load("out.npz") as found:
        arrays = {**found, "match": given["match"]}
    np.savez("out.npz", **arrays)
    status, _, err = run("convert", "out.npz", "./out.npz", "--format", "match-matrix")
    assert (status, err) == (
        2,
        "Error: out.npz is an input and would be lost: choose another name\n",
    )
    with np.load("out.npz") as found:
        assert "match" in found


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["input.npz", "out.csv", "--format", "bob"], "out.csv must end in .npz"),
        (["input.npz", "out.npz"], "Missing option '--format'"),
        (["absent", "out.npz", "--format", "bob"], "there is no file absent: check its name"),
        (["input.npz", "out.npz", "--format", "match-matrix", "--targets", "x"], "--targets bel"),
        (["input.npz", "out.npz", "--format", "match-matrix", "--name", "probe=q"],
         "--name probe=q is not WHAT=NAME with WHAT of scores, match"),
        (["input.npz", "out.npz", "--format", "bob", "--name", "probe"],
         "--name probe is not WHAT=NAME: bob has no names"),
        (["input.npz", "input.npz", "--format", "match-matrix"],
         "input.npz is an input and would be lost: choose another name"),
        (["input.npz", "two.npz", "--format", "match-matrix"],
         "two.npz was not written by accuracy-curves convert and would be lost"),
        (["two.npz", "out.npz", "--format", "match-matrix"],
         "two.npz: the score matrix has 2 classes: at least 3 are needed"),
    ],
)  # fmt: skip
def test_faults_are_one_line_and_write_nothing(run, tmp_path, arguments, sentence):
    write("match-matrix")
    np.savez("two.npz", scores=SCORES[:2, :2], match=np.eye(2, dtype=bool))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    status, out, err = run("convert", *arguments)
    assert (status, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_list_of_few_trials_is_refused_with_what_it_can_do(run):
    arguments = write("bob")
    with open("input") as file:
        lines = file.readlines()
    with open("input", "w") as file:
        file.writelines(lines[:-3])
    status, _, err = run("convert", *arguments, "out.npz", "--format", "bob")
    assert status == 2
    assert "45 of 48 pairs are there" in err
    assert "Only methods that pool genuine and impostor scores can use such a list" in err


def test_short_lists_of_neighbours_become_a_curve(capsys):
    people = RNG.normal(size=(80, 4))
    apart = np.linalg.norm(people[:, None] - people - 0.2 * RNG.normal(size=(80, 4)), axis=2)
    nearest = np.argsort(apart, axis=1)[:, :20]
    near = np.take_along_axis(apart, nearest, axis=1)
    np.savez("lists.npz", D=near, I=nearest, query_ids=np.arange(80), gallery_ids=np.arange(80))
    arguments = ["lists.npz", "curve.csv", "--format", "neighbours"]
    names = ["--name", "distances=D", "--name", "indices=I"]
    with pytest.raises(SystemExit) as caught:
        main(["convert", *arguments, *names])
    assert caught.value.code == 0
    curve = read_curve("curve.csv")
    expected = curve_of_neighbours(near, nearest, np.arange(80), np.arange(80))
    assert curve.k.tolist() == expected.k.tolist()
    np.testing.assert_allclose(curve.accuracy, expected.accuracy, atol=1e-6)
    assert curve.k[-1] == 80
    with pytest.raises(SystemExit) as caught:
        main(["convert", *arguments, *names])
    assert caught.value.code == 2
    assert "curve.csv exists: choose another name" in capsys.readouterr().err
