import csv
import json
import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit
from scipy.stats import binom, norm, t

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
    assert "Pitman-Yor is left out" in out
    given = ("curve.csv", "--classes", 1000, "--top", 10, "--method", "log_linear", "--overwrite")
    assert "top 1 alone" in run(*given)[2]


def test_a_curve_that_rises_beyond_what_was_observed_is_said(run, tmp_path):
    (tmp_path / "curve.csv").write_text("k,accuracy\n10,0.9\n20,0.8\n50,0.7\n")
    _, out, _ = run("curve.csv", "--classes", 1000, "--method", "cubic")
    assert "where .700 was observed at 50" in out
    assert "measured to hold" in run("curve.csv", "--classes", 1000, "--overwrite")[1]


def ranks_of(mean, sd, n, size, seed=0):
    """Rank the right answers of Gaussian scores among n candidates each."""
    rng = np.random.default_rng(seed)
    return 1 + rng.binomial(n - 1, norm.sf(rng.normal(mean, sd, size=size)))


@pytest.mark.parametrize(("n", "top", "form"), [
    (300, 1, "column"), (1001, 10, "searched"), (120, 5, "lists"), (1001, 1, "cmc"),
    (500, 10, "cmc"), (400, 1, "mixed"),
])  # fmt: skip
def test_ranks_and_cmc_go_on(n, top, form, run, tmp_path):
    rank, sizes = ranks_of(2.5, 1, n, 1500), np.full(1500, n)
    given = ["--searched", n] if form in ("searched", "lists", "cmc") else []
    if form == "mixed":
        sizes = np.random.default_rng(1).integers(40, n, size=1500)
        rank = np.concatenate([ranks_of(2.5, 1, each, 1, i) for i, each in enumerate(sizes)])
    lines = ["rank,candidates", *(f"{r},{k}" for r, k in zip(rank, sizes, strict=True))]
    name = "ranks.csv"
    if form == "searched":
        lines = ["query,rank", *(f"q{i},{r}" for i, r in enumerate(rank))]
    if form == "cmc":
        lines = ["rank,cmc", *(f"{t},{(rank <= t).mean()}" for t in (20, 1, 5, 10, 50))]
    if form == "lists":
        listed = [[f"w{j}" if j != r else "right" for j in range(1, 41)] for r in rank]
        lines = [json.dumps({"question": "q", "gold": "right", "retrieved": a}) for a in listed]
        name = "lists.jsonl"
    (tmp_path / name).write_text("\n".join(lines))
    k = 4 * n
    status, out, err = run(name, "--classes", k, "--top", top, *given, "--method", "two_parameter")
    assert (status, err) == (0, "")
    assert f"{share(np.mean(rank <= top))} of the searches have the right one" in out
    with (tmp_path / f"{name.split('.')[0]}_extend/curves.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["k"] == str(k)]
    chance = norm.sf(np.random.default_rng(9).normal(2.5, 1, size=20_000))
    true = binom.cdf(top - 1, k - 1, chance).mean()
    assert float(rows[-1]["accuracy"]) == pytest.approx(true, abs=0.03)


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("rank\n1\n4\n", [], "number of candidates: give a column candidates, or .*--searched"),
        ("rank,candidates\n1,9\n10,9\n", [], "line 3: a rank is from 1 to the number"),
        ("rank\n0\n4\n", ["--searched", 9], "line 2: a rank is from 1"),
        ("rank,cmc\n5,.7\n10,.8\n", ["--searched", 99], "a CMC needs its shares, .* at rank 1"),
        ("rank,cmc\n1,.7\n10,.6\n", ["--searched", 99], "none below that of a better rank"),
    ],
)
def test_ranks_that_tell_nothing_say_what_is_needed(text, options, said, run, tmp_path):
    (tmp_path / "ranks.csv").write_text(text)
    status, _, err = run("ranks.csv", "--classes", 100, *options)
    assert status == 2
    assert re.search(said, err)


def test_several_runs_at_a_size_give_an_interval(run, tmp_path):
    """By brute force: the variance of linear least squares of which each mean has an error."""
    sizes, rng = np.array([10, 40, 160]), np.random.default_rng(0)
    k = np.repeat(sizes, 4)
    accuracy = np.clip(1 - 0.06 * np.log(k) + rng.normal(0, 0.01, 12), 0, 1)
    lines = [f"{n},{a}" for n, a in zip(k, accuracy, strict=True)]
    (tmp_path / "a.csv").write_text("\n".join(["k,accuracy", *lines]) + "\n")
    status, out, _ = run("a.csv", "--classes", 1000, "--method", "log_linear")
    assert status == 0
    assert "90 % interval" in out
    assert "no interval" not in out
    table = pd.read_csv(tmp_path / "a_extend/curves.csv")
    runs = table[table["method"] == "run"]
    assert runs[["k", "accuracy"]].to_numpy() == pytest.approx(np.column_stack([k, accuracy]))
    # The line through the means, and the errors of these on arcsin sqrt.
    phi = np.arcsin(np.sqrt(accuracy)).reshape(3, 4)
    s2 = np.square(phi - phi.mean(axis=1, keepdims=True)).sum() / 9
    design = np.column_stack([np.ones(3), np.log(sizes)])
    at = np.array([1, np.log(1000)]) @ np.linalg.pinv(design)
    means = accuracy.reshape(3, 4).mean(axis=1)
    slope = 2 * np.sqrt(means * (1 - means))  # Of an accuracy by its angle.
    predicted = at @ means
    error = np.sqrt(np.square(at * slope).sum() * s2 / 4) / (predicted * (1 - predicted))
    variance = error**2 + 0.004 * np.log2(1000 / 160)
    width = t.ppf(0.95, 9) * np.sqrt(variance)
    row = table[(table["method"] == "log_linear") & (table["k"] == 1000)].iloc[0]
    for name, sign in (("lower", -1), ("upper", 1)):
        assert row[name] == pytest.approx(expit(logit(predicted) + sign * width), abs=0.002)
