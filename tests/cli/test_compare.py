import numpy as np
import pandas as pd

import accuracy_curves as ac
from accuracy_curves.answers.answer import signed
from conftest import simulated

A, B = simulated(40, 3, variance=0.4), simulated(40, 3, variance=0.3)


def test_the_answer_is_the_librarys_and_cautions_name_the_file(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ac.save_scores(A, "old.npz")
    ac.save_scores(B, "new.npz")
    words = ("compare", "old.npz", "new.npz", "--classes", 90, "--classes", 4000, "--splits", 5)
    status, out, err = run(*words)
    assert (status, err) == (0, "")
    found = ac.compare(A, B, [90, 4000], splits=5).table
    for number in (*found.difference, *found.lower, *found.upper):
        assert signed(number) in out
    assert "Note: old.npz: 4,000 classes are more than" in out
    for name in ("report.html", "report.json"):
        assert "old.npz: 4,000 classes are" in (tmp_path / "old_compare" / name).read_text()
    written = pd.read_csv("old_compare/comparison.csv").set_index("k").loc[[90, 4000]]
    np.testing.assert_allclose(written["upper"], found.upper, rtol=1e-8)
    assert sorted(path.name for path in (tmp_path / "old_compare").iterdir()) == [
        "comparison.csv",
        "comparison.pdf",
        "comparison.png",
        "report.html",
        "report.json",
    ]


def test_files_of_one_name_are_distinguished_by_their_folders(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, matrix in (("old", A), ("new", B)):
        (tmp_path / name).mkdir()
        ac.save_scores(matrix, tmp_path / name / "s.npz")
    _, out, _ = run("compare", "old/s.npz", "new/s.npz", "--classes", 90, "--splits", 3)
    assert "new/s.npz less old/s.npz" in out


def test_both_systems_have_the_same_searches(run, tmp_path, monkeypatch):
    """The second failed in some searches, and these were left out of its file."""
    monkeypatch.chdir(tmp_path)
    kept = np.flatnonzero(~np.isin(B.labels, [7, 9]) | (np.arange(120) % 3 > 0))
    for name, matrix in (("a", A), ("b", B.select_points(kept))):
        ac.save_scores(matrix, f"{name}.npz")
    words = ("compare", "a.npz", "b.npz", "--classes", 90, "--splits", 3)
    status, _, err = run(*words)
    assert status == 2
    assert (
        "by 120 and 118 searches, not the same: of the class 7 the first has 3 and the other" in err
    )
    assert run(*words, "--common")[0] == 0
    page = (tmp_path / "a_compare/report.html").read_text()
    for name in ("a.npz", "b.npz"):
        assert f"<p>114 points, 40 classes, lower is better ({name}).</p>" in page


def test_several_systems(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, variance in (("a", 0.4), ("b", 0.2), ("c", 0.6)):
        ac.save_scores(simulated(40, 3, variance=variance), f"{name}.npz")
    words = ("compare", "a.npz", "b.npz", "c.npz", "--classes", 90, "--splits", 3)
    _, out, _ = run(*words, "--method", "log_linear")
    lines = out.splitlines()
    assert "b.npz" in lines[0].split(" and ")[0]
    assert [line for line in lines if line.startswith("Better than a.npz: b.npz.")]
    _, out, _ = run(*words, "--method", "log_linear", "--against", "best", "--overwrite")
    assert "less b.npz" in out
    table = pd.read_csv("a_compare/comparison.csv")
    assert table.query("k == 90")["system"].tolist() == ["b.npz", "a.npz", "c.npz"]
    page = (tmp_path / "a_compare/report.html").read_text()
    assert "120 points, 40 classes, lower is better (c.npz)" in page
    # An answer is never written over what it is made from.
    (tmp_path / "there").mkdir()
    (tmp_path / "c.npz").rename("there/comparison.csv")
    status, _, err = run(*words[:3], "there/comparison.csv", *words[4:], "--out", "there")
    assert (status, "comparison.csv" in err) == (2, True)
