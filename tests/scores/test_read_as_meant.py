"""What can be read in two ways is not guessed, and what goes wrong is called what it is."""

import os

import click
import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import CandidateLists, InputError, ScoreMatrix
from accuracy_curves.cli.options import whole_number
from conftest import simulated

RNG = np.random.default_rng(4)
SCORES, LABELS = RNG.normal(size=(30, 6)), np.arange(30) % 6
NAMES = np.array(["Ann Lee", "Bea", "Zoë", "dan", "x", "X"])


def test_spaces_around_names_in_a_file_are_no_part_of_them(tmp_path):
    np.savez(tmp_path / "s.npz", scores=SCORES, labels=NAMES[LABELS], classes=NAMES + "  ")
    assert ac.load_scores(tmp_path / "s.npz").classes.tolist() == NAMES.tolist()
    rows = [f"p{i}, {k} ,{i == k},{i * k}" for i in range(3) for k in range(3)]
    (tmp_path / "t.csv").write_text("\n".join(["probe,identity,mate,score", *rows]))
    assert ac.load_searches(tmp_path / "t.csv").classes.tolist() == ["0", "1", "2"]


@pytest.mark.parametrize(
    ("text", "number"),
    [("2000", 2000), ("2,000", 2000), ("1,234,567", 1234567), ("1.234.567", 1234567),
     ("2e3", 2000), ("2.0", 2), ("1e400", 10**400), ("0.000", 0)],
)  # fmt: skip
def test_whole_numbers_as_people_write_them(text, number):
    assert whole_number(text) == number


@pytest.mark.parametrize("text", ["2.5", "2,00", "many", "nan", "inf", "2.000"])
def test_what_is_no_whole_number_is_one_sentence(text):
    with pytest.raises(click.BadParameter, match=f"write {text} as a whole number"):
        whole_number(text)


TWO = "write 2.000 as a whole number"
CURVE = "k,accuracy\n{},.9\n3000,.8\n4000,.7\n"
MATRIX = "label;a;b;c\na;{}\nb;1.000;3.500;0\n"
WRITTEN = {
    "curve": (CURVE.format("2.000"), "line 2: k is '2.000': it must be 2000 or 2, without a point"),
    "thousands": (CURVE.format('"2,000"'), None),
    "half": (CURVE.format("2.5"), "line 2: k is '2.5': it must be whole"),
    "decimals": (MATRIX.format("1.234;2.500;0.987"), None),
    "commas": (MATRIX.replace(".", ",").format("1,234;2,500;987"), None),
    "percent": ("label,a,b,c\na,62.95%, 3 %,0.1\nb,.2,-1.5%,0\n", None),
    "decimal comma": ('label,a,b,c\na,1,"2,5",3\n', "with a point before decimals"),
    "index": (",label,a,b,c\n0,a,1,2,3\n1,b,1,2,3\n", None),
    "no line": ("\n\n", "has no first line with the names of its columns"),
    "looks the same": (
        "label,Zoë,b,c\nzoë ,1,2,3\n",
        r"row 0 is 'zo\\xeb', which is not a column \(but 'Zo\\xeb' is",
    ),
}


@pytest.mark.parametrize("kind", WRITTEN)
def test_numbers_of_two_readings_are_refused_with_both(kind, tmp_path):
    text, sentence = WRITTEN[kind]
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    load = ac.read_curve if text.startswith("k") else ac.load_scores
    if sentence is not None:
        with pytest.raises(InputError, match=sentence):
            load(path)
        return
    found = load(path)
    if load is ac.read_curve:
        assert found.k.tolist() == [2000, 3000, 4000]
    elif kind == "percent":
        np.testing.assert_allclose(found.scores, [[0.6295, 0.03, 0.1], [0.2, -0.015, 0]])
    else:
        assert found.n_points == 2


def test_options_too(tmp_path, run):
    (tmp_path / "c.csv").write_text(CURVE.format(2000))
    assert TWO in run("extend", tmp_path / "c.csv", "--classes", "2.000")[2]
    assert TWO in run("observe", tmp_path / "c.csv", "--searched", "2.000")[2]
    out = run("extend", tmp_path / "c.csv", "--classes", "20,000", "--out", tmp_path / "o")[1]
    assert "20,000" in out


FACES = RNG.normal(size=(40, 16))
WHO = np.arange(40) % 10


def test_types_that_others_write_are_read(tmp_path):
    assert ac.score_embeddings(FACES > 0, WHO).n_points == 30
    assert ScoreMatrix(SCORES.astype(np.longdouble), LABELS).scores.dtype == np.float64
    one_row = ScoreMatrix(SCORES, NAMES[LABELS], classes=NAMES[None])
    assert one_row.classes.tolist() == NAMES.tolist()
    os.mkfifo(tmp_path / "f.npz")
    with pytest.raises(InputError, match="is a pipe or a device"):
        ac.load_scores(tmp_path / "f.npz")


def test_a_few_short_searches_are_left_out_and_counted():
    matrix = simulated(80, 1, variance=0.4)
    order = np.argsort(matrix.scores, axis=1)[:, :40]
    near = np.take_along_axis(matrix.scores, order, axis=1)
    first = np.flatnonzero(order[:, 0] == matrix.labels)
    for row, places in zip(first[:3], (5, 19, 20), strict=True):
        order[row, places:] = -1
    options = {"higher_is_better": False, "searched": 80}
    found = CandidateLists.from_neighbours(near, order, matrix.labels, **options)
    assert found.n_points == 78
    assert "with fewer than 20 candidates: 2 of 80" in found.origin[0]
    found.check_lengths()
