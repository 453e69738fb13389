"""The commands on lists of candidates, cut from a matrix whose answer is known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from accuracy_curves import ScoreMatrix, save_scores

N, SEARCHED = 120, 400
LISTED = ["--searched", SEARCHED, "--qrels", "qrels.txt"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The current folder, with a matrix and the run of its 60 best documents."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(2)
    documents = rng.normal(size=(SEARCHED, 12))
    queries = documents[:N] + 0.8 * rng.normal(size=(N, 12))
    scores = -np.linalg.norm(queries[:, None] - documents, axis=2)
    save_scores(ScoreMatrix(scores, np.arange(N)), "matrix.npz")
    order = np.argsort(-scores, axis=1)[:, :60]
    lines = [
        f"q{i} Q0 d{d} {rank} {scores[i, d]:.6f} test\n"
        for i in range(N)
        for rank, d in enumerate(order[i], 1)
    ]
    (tmp_path / "run.trec").write_text("".join(lines))
    (tmp_path / "qrels.txt").write_text("".join(f"q{i} 0 d{i} 1\n" for i in range(N)))
    return tmp_path


def test_a_run_answers_as_its_matrix(run):
    asked = ["--classes", 800, "--classes", 4000, "--top", 1, "--top", 10, "--splits", 3]
    status, out, err = run("predict", "run.trec", *LISTED, *asked, "--out", "lists")
    assert (status, err) == (0, "")
    # Its classes are documents.
    page = Path("lists/report.html").read_text()
    assert (
        f"<p>{N:,} queries, {SEARCHED:,} documents, higher is better, hit rate known from " in page
    )
    assert "Each query counts equally" in page
    assert "Gaussian tail" not in out
    assert run("predict", "matrix.npz", *asked, "--out", "whole")[0] == 0
    tables = [pd.read_csv(f"{name}/curves.csv") for name in ("lists", "whole")]
    assert {*tables[0]["method"]} == {"observed", "auto", "two_parameter", "regression"}
    lists, whole = (
        table[(table["method"] == "auto") & table["k"].isin([800, 4000])] for table in tables
    )
    np.testing.assert_allclose(lists["accuracy"], whole["accuracy"], atol=0.03)
    lists, whole = (table[table["method"] == "observed"] for table in tables)
    known = lists["accuracy"].notna().to_numpy()
    assert known.any()
    assert not known.all()
    np.testing.assert_allclose(lists["accuracy"][known], whole["accuracy"][known], atol=0.001)
    hidden = whole["accuracy"][~known]
    assert (lists["lower"][~known] <= hidden + 1e-6).all()
    assert (hidden <= lists["upper"][~known] + 1e-6).all()
    # Beyond half of the list's length nothing is answered.
    assert "lists of 100 or more" in run("predict", "run.trec", *LISTED, *asked, "--top", 100)[2]


def test_a_run_is_observed_and_planned(run):
    status, out, _ = run("observe", "run.trec", *LISTED)
    assert status == 0
    assert "rAUC" not in out
    assert "known from" not in out
    assert "accuracy known from" in Path("run_observe/report.html").read_text()
    status, out, _ = run(
        *("plan", "run.trec", *LISTED, "--classes", 4000, "--width", 0.1, "--splits", 3)
    )
    assert status == 0
    assert "more than the pilot's" in out


def test_many_cut_ties_are_said(run, folder):
    lines = [line.split() for line in (folder / "run.trec").read_text().splitlines()]
    for fields in lines:
        fields[4] = f"{round(float(fields[4]) / 2)}"
    (folder / "run.trec").write_text("".join(f"{' '.join(fields)}\n" for fields in lines))
    _, out, _ = run("observe", "run.trec", *LISTED)
    assert "tie with the last candidate of their list" in out
