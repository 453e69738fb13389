import csv
from functools import partial

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves.cautions import share

K = np.array([10, 20, 50, 100, 200])


@pytest.fixture
def run(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return partial(run, "extend")


def write(path, accuracy, extra=""):
    lines = [f"{k},{a}{extra}" for k, a in zip(K, accuracy, strict=True)]
    path.write_text("\n".join(["k,accuracy" + (",counts" if extra else ""), *lines]) + "\n")


def test_a_curve_that_is_a_line_in_log_k_goes_on_as_one(run, tmp_path):
    write(tmp_path / "curve.csv", 1 - 0.05 * np.log(K))
    status, out, err = run("curve.csv", "--classes", 5000, "--method", "log_linear")
    assert (status, err) == (0, "")
    assert share(1 - 0.05 * np.log(5000)) in out
    with (tmp_path / "curve_extend/curves.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["k"]) for row in rows if row["method"] == "observed"] == K.tolist()
    last = [row for row in rows if row["method"] == "log_linear"][-1]
    assert int(last["k"]) == 5000
    assert float(last["accuracy"]) == pytest.approx(1 - 0.05 * np.log(5000), abs=1e-6)


def test_both_defaults_are_those_of_the_library_and_counts_weigh(run, tmp_path):
    accuracy = np.array([0.98, 0.97, 0.95, 0.93, 0.90])
    write(tmp_path / "curve.csv", accuracy, ",40")
    _, out, _ = run("curve.csv", "--classes", 1000)
    for method in ("two_parameter", "pitman_yor"):
        found = ac.fit_curve(K, accuracy, method).predict(1000)[0]
        assert share(found) in out
    curve = ac.read_curve(tmp_path / "curve.csv")
    assert curve.counts.tolist() == [40] * 5
    assert (curve.k.tolist(), curve.accuracy.tolist()) == (K.tolist(), accuracy.tolist())


def test_lines_of_one_k_are_pooled(run, tmp_path):
    (tmp_path / "a.csv").write_text(
        "k,accuracy,counts\n10,1,10\n20,.9,20\n10,.8,30\n50,.7,5\n20,.8,20\n"
    )
    curve = ac.read_curve(tmp_path / "a.csv")
    np.testing.assert_allclose(curve.accuracy, [0.85, 0.85, 0.7])
    assert [list(each) for each in (curve.k, curve.counts)] == [[10, 20, 50], [40, 40, 5]]
    (tmp_path / "a.csv").write_text("k,accuracy\n10,1\n20,.9\n10,.8\n50,.7\n")
    np.testing.assert_allclose(ac.read_curve(tmp_path / "a.csv").accuracy, [0.9, 0.9, 0.7])


def test_hit_rates_at_ten_go_on_as_such(run, tmp_path):
    accuracy = [1, 0.98, 0.9, 0.8, 0.7]
    write(tmp_path / "curve.csv", accuracy)
    status, out, _ = run("curve.csv", "--classes", 1000, "--top", 10)
    assert status == 0
    assert share(ac.fit_curve(K, accuracy, top=10).predict(1000, 10)[0]) in out
    given = ("curve.csv", "--classes", 1000, "--top", 10, "--method", "log_linear", "--overwrite")
    assert "top 1 alone" in run(*given)[2]


def test_a_curve_that_rises_beyond_what_was_observed_is_said(run, tmp_path):
    (tmp_path / "curve.csv").write_text("k,accuracy\n10,0.9\n20,0.8\n50,0.7\n")
    _, out, _ = run("curve.csv", "--classes", 1000, "--method", "cubic")
    assert "where .700 was observed at 50" in out
    assert "measured to hold" in run("curve.csv", "--classes", 1000, "--overwrite")[1]
