"""The command `predict`: its numbers are the library's, and what was asked is what is answered."""

import csv

import numpy as np
import pytest

from accuracy_curves import EXTRAPOLATORS, ScoreMatrix, average_accuracy, extrapolate, save_scores
from accuracy_curves.cautions import share
from accuracy_curves.intervals.class_intervals import ClassIntervals
from conftest import simulated
from plug_in import PlugIn

K1 = 12
WRITTEN = ["curves.csv", "curves.pdf", "curves.png", "report.html", "report.json"]
ENDS = ["lower", "upper", "set_lower", "set_upper"]
SAMPLE = simulated(K1, 4, variance=0.5)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with scores.npz of 12 classes, and a quick method."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(EXTRAPOLATORS, "plug_in", PlugIn)
    save_scores(SAMPLE, tmp_path / "scores.npz")
    return tmp_path


@pytest.fixture
def predict(folder, run):
    """Predict by the quick method into the folder o."""

    def call(*words, method=("--method", "plug_in")):
        given = ("predict", "scores.npz", *words, *method, "--out", "o", "--overwrite")
        status, out, err = run(*given)
        assert (status, err) == (0, "")
        with (folder / "o" / "curves.csv").open(newline="") as file:
            return list(csv.DictReader(file)), out

    return call


def column(rows, method, name, top=None):
    chosen = [row for row in rows if row["method"] == method]
    return np.array([float(row[name]) for row in chosen if top in (None, row.get("top"))])


def test_curves_are_those_of_the_library(folder, predict):
    rows, out = predict("--classes", 400, "--classes", "1,000", "--classes", "4e2")
    assert sorted(path.name for path in (folder / "o").iterdir()) == WRITTEN
    assert list(rows[0]) == ["method", "k", "accuracy", *ENDS]
    k = column(rows, "observed", "k").astype(int)
    np.testing.assert_array_equal(k, np.arange(2, K1 + 1))
    seen = column(rows, "observed", "accuracy")
    np.testing.assert_allclose(seen, average_accuracy(SAMPLE, k), rtol=1e-8)
    k = column(rows, "plug_in", "k").astype(int)
    assert {2, K1, 400, 1000} <= set(k)
    assert len(k) <= 300
    found = column(rows, "plug_in", "accuracy")
    np.testing.assert_allclose(found, extrapolate(SAMPLE, k, "plug_in"), rtol=1e-8)
    lines = [line.split() for line in out.splitlines()]
    assert [line[1] for line in lines if line[:1] == ["400"]] == [share(found[k == 400][0])]
    assert ["1,000"] in [line[:1] for line in lines]


def test_tops_target_and_level(predict):
    rows, out = predict("--classes", 40, "--top", 5, "--top", 1, "--target", 0.85, "--level", 0.8)
    intervals = ClassIntervals(SAMPLE, PlugIn(), seed=0)
    for top in (1, 5):
        k = column(rows, "observed", "k", str(top)).astype(int)
        seen = column(rows, "observed", "accuracy", str(top))
        np.testing.assert_allclose(seen, average_accuracy(SAMPLE, k, top=top), rtol=1e-8)
        exact = intervals.interval(40, top, 0.8)
        for name in ("accuracy", *ENDS):
            found = column(rows, "plug_in", name, str(top))[-1]
            np.testing.assert_allclose(found, getattr(exact, name)[0], rtol=1e-8)
    estimate, *_ = intervals.classes_below(0.85, level=0.8)
    assert f"{estimate:,} classes (80 % interval " in out


def test_options_and_the_direction(predict):
    rows, out = predict("--classes", 50, "--option", "plug_in.power=5e-1", "--higher-is-better",
                        "--splits", 0, "--option", "plug_in.names=[1,2]")  # fmt: skip
    other = ScoreMatrix(SAMPLE.scores, SAMPLE.labels)
    k = column(rows, "plug_in", "k").astype(int)
    expected = extrapolate(other, k, "plug_in", power=0.5)
    np.testing.assert_allclose(column(rows, "plug_in", "accuracy"), expected, rtol=1e-8)
    assert out.startswith("Do not use this answer: ")
    assert "try --lower-is-better" in out.splitlines()[0]
    assert {row["lower"] for row in rows} == {""}


def test_an_option_gives_points_equal_weights(folder, run):
    """Of classes with one point all are right, of those with five none."""
    labels = np.repeat(np.arange(12), np.tile([1, 5], 6))
    scores = np.random.default_rng(0).random((36, 12))
    scores[np.arange(36), labels] = np.where(labels % 2, -1.0, 2.0)
    save_scores(ScoreMatrix(scores, labels), "uneven.npz")
    for weigh, accuracy in (("classes", 1 / 2), ("points", 1 / 6)):
        status, _, _ = run(
            "predict", "uneven.npz", "--classes", 24, "--weigh", weigh, "--splits", 0,
            "--method", "plug_in", "--out", weigh,
        )  # fmt: skip
        assert status == 0
        with open(f"{weigh}/curves.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["method"] == "observed"]
        assert float(rows[-1]["accuracy"]) == pytest.approx(accuracy)
    found = ScoreMatrix(scores, labels).weighing_points().select_classes(np.arange(4))
    np.testing.assert_array_equal(found.weights, 1 / 12)


def test_very_many_classes_and_the_best_of_very_many(predict):
    _, out = predict("--classes", 5, "--classes", 10**18)
    assert f"{10**18:,}" in out
    _, out = predict("--classes", 10**12, "--top", 10**9, "--splits", 0, method=())
    assert "1,000,000,000,000" in out


def test_the_slow_methods_and_their_options(folder, run):
    given = ("--method", "auto", "--method", "kde", "--method", "cleanex",
             "--option", "cleanex.steps=50", "--option", "cleanex.hidden=[8,4]",
             "--option", "kde.bandwidth=nrd0")  # fmt: skip
    status, _, err = run("predict", "scores.npz", "--classes", 40, "--splits", 3, *given)
    assert (status, err) == (0, "")
    with (folder / "scores_predict" / "curves.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    k = column(rows, "kde", "k").astype(int)
    expected = extrapolate(SAMPLE, k, "kde", bandwidth="nrd0")
    np.testing.assert_allclose(column(rows, "kde", "accuracy"), expected, rtol=1e-8)
    assert np.all(np.diff(column(rows, "cleanex", "accuracy")) <= 0)


def test_newcomers_and_the_training_are_those_of_python(folder, run, predict):
    rng = np.random.default_rng(0)
    new = 0.8 * simulated(40, 4, variance=0.5, seed=1).scores[: SAMPLE.n_points, :25]
    np.savez("new.npz", scores=new + 0.01 * rng.normal(size=new.shape))
    auto = ("--method", "auto")
    rows, out = predict("--newcomers", "new.npz", "--classes", "60", "--splits", "3", method=auto)
    joined = SAMPLE.joined_by(np.load("new.npz")["scores"])
    expected = ClassIntervals(joined, splits=3).accuracy([60])[0]
    assert column(rows, "auto", "accuracy")[-1] == pytest.approx(expected)
    assert "classes like the 25 newcomers join" in out
    rows, _ = predict("--trained", "separately", "--classes", "48", "--splits", "0", method=auto)
    learned = SAMPLE.redesigned(trained="separately", trained_classes=K1)
    expected = extrapolate(learned, [48])[0]
    assert column(rows, "auto", "accuracy")[-1] == pytest.approx(expected)
    np.savez("empty.npz", other=new)
    status, _, err = run("predict", "scores.npz", "--newcomers", "empty.npz", "--classes", "60")
    assert status == 2
    assert err.startswith("Error: empty.npz has no array 'scores'")
