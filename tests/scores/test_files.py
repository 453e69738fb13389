"""The door for files: each format is recognised by what it holds, and a file is opened once."""

import operator
import subprocess
import sys

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import InputError, ScoreMatrix, Searches
from accuracy_curves.cli.inputs import load_input
from accuracy_curves.cli.main import COMMANDS
from accuracy_curves.scores.files import read_file
from accuracy_curves.scores.formats.base import Source
from accuracy_curves.scores.formats.registry import FORMATS, KINDS, description, reader

EYE = np.eye(6)
WHO = np.arange(6)
IDS = {"query_ids": WHO, "gallery_ids": WHO}
ARRAYS = {
    "distmat": {"distmat": EYE, **IDS},
    "candidates": {"distances": EYE, "indices": EYE.astype(int), **IDS},
    "drawn": {"correct": EYE[0], "candidates": EYE},
    "embedded": {"embeddings": EYE, "labels": WHO},
    "scores": {"scores": EYE, "labels": WHO},
}
TABLES = {
    "long_table": "probe,identity,score,mate\n",
    "candidates": "probe,identity,score,rank,mate\n",
    "curve": "n,accuracy,k\n",
    "scores": "label,ann,ben\n",
}


def recognised(source):
    return next(name for name in FORMATS if reader(name).recognises(source))


@pytest.mark.parametrize("kind", ARRAYS)
def test_an_npz_file_is_recognised_by_its_arrays(kind, tmp_path):
    np.savez(tmp_path / "a.npz", **ARRAYS[kind])
    with Source(tmp_path / "a.npz") as source:
        assert recognised(source) == kind
        raw = kind in ("embedded", "scores")
        found = read_file(source, "scores", "embeddings") if raw else None
    if found:
        for read, saved in zip(
            found.scores or found.embeddings, ARRAYS[kind].values(), strict=False
        ):
            np.testing.assert_array_equal(read, saved)


# A mate that is true or false is no name.
RANKED = "long_table", "probe,identity,score,rank,mate\np,a,1,1,true\n"


@pytest.mark.parametrize(("kind", "text"), [*TABLES.items(), RANKED])
def test_a_table_is_recognised_by_its_first_lines(kind, text, tmp_path):
    columns = text.partition("\n")[0].count(",") + 1
    (tmp_path / "a.csv").write_text(text + ",".join("1" * columns) + "\n")
    with Source(tmp_path / "a.csv") as source:
        assert recognised(source) == kind


def test_the_last_reader_says_what_is_missing(tmp_path):
    np.savez(tmp_path / "a.npz", other=EYE)
    with Source(tmp_path / "a.npz") as source, pytest.raises(InputError, match="array 'scores'"):
        read_file(source, *KINDS)


@pytest.mark.parametrize("command", sorted({*COMMANDS} - {"formats", "methods"}))
@pytest.mark.parametrize("kind", [*ARRAYS, "curve"])
def test_a_command_takes_a_kind_or_names_those_that_do(kind, command, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if kind == "curve":
        (tmp_path / "a.csv").write_text("k,accuracy\n2,0.99\n10,0.9\n20,0.85\n")
    else:
        np.savez("a.npz", **ARRAYS[kind])
    path = "a.csv" if kind == "curve" else "a.npz"
    needed = {"identify": ["--gallery-size", 9], "plan": ["--width", 0.1]}
    words = [*([path] if command == "compare" else []), *needed.get(command, [])]
    words += ["out.npz"] if command == "convert" else []
    words += ["--classes", 9] if command in ("compare", "extend", "plan", "predict") else []
    _, _, err = run(command, path, *words)
    takers, loader = KINDS[FORMATS[kind]]
    sentence = f"Error: {path} holds {description(kind)[0]}: {', '.join(takers)} of accuracy-curves"
    assert err.startswith(sentence) == (command not in takers)
    assert {*COMMANDS} >= {*takers}
    assert operator.attrgetter(loader)(ac)


@pytest.mark.parametrize("kind", [ScoreMatrix, Searches])
def test_an_npz_file_is_opened_once(kind, tmp_path, monkeypatch):
    path, opened, load = tmp_path / "a.npz", [], np.load
    np.savez(path, scores=EYE, labels=WHO, higher_is_better=True)
    monkeypatch.setattr(
        np, "load", lambda *given, **options: opened.append(1) or load(*given, **options)
    )
    assert isinstance(load_input(path, kind).matrix, kind)
    assert opened == [1]


def test_scores_are_read_without_scipy(tmp_path):
    np.savez(tmp_path / "a.npz", scores=EYE, labels=WHO)
    code = (
        "import sys, accuracy_curves as ac\n"
        f"ac.load_scores({str(tmp_path / 'a.npz')!r})\n"
        "print('scipy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
