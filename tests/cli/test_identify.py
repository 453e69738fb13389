import csv
from functools import partial

import numpy as np
import pytest

import accuracy_curves as ac
from accuracy_curves import load_searches

WRITTEN = [
    "det.csv",
    "fnir_by_size.csv",
    "identification.csv",
    "identification.pdf",
    "identification.png",
    "report.html",
    "report.json",
]


@pytest.fixture
def run(run):
    return partial(run, "identify")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder, with scores.npz of 40 enrolled and 20 strangers."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(60, 40)) + 3 * np.eye(60, 40)
    labels = np.r_[np.arange(40), np.full(20, -1)]
    np.savez("scores.npz", scores=scores, labels=labels, higher_is_better=True)
    return tmp_path


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def column(rows, name):
    return np.array([float(row[name] or "nan") for row in rows])


def test_rates_thresholds_curves_and_a_figure(folder, run):
    status, out, err = run(
        "scores.npz", "--gallery-size", 1000, "--gallery-size", 400, "--fpir", 0.01, "--fpir", 0.1,
        "--threshold", 2.5, "--rank", 2, "--splits", 3, "--seed", 5, "--out", "deep/er",
    )  # fmt: skip
    assert (status, err) == (0, "")
    results = folder / "deep" / "er"
    assert sorted(path.name for path in results.iterdir()) == WRITTEN
    assert (results / "identification.pdf").read_bytes().startswith(b"%PDF")
    asked = {"fpir": [0.1, 0.01], "thresholds": 2.5, "rank": 2, "splits": 3, "seed": 5}
    expected = ac.identify(load_searches("scores.npz"), [400, 1000], **asked).table
    rows = table(results / "identification.csv")
    assert list(rows[0]) == expected.columns.tolist()
    for name in expected.select_dtypes("number"):
        np.testing.assert_allclose(column(rows, name), expected[name], rtol=1e-7, atol=1e-8)
    assert [row["method"] for row in rows] == ["auto"] * 6 + ["observed"] * (len(rows) - 6)
    found = ac.Identification(load_searches("scores.npz"), seed=5, splits=3)
    misses = found.fnir_at_fpir_interval([400, 1000], 0.1, 2)
    np.testing.assert_allclose(column(rows[:2], "fnir_upper"), misses.upper, rtol=1e-7)
    observed = rows[6:]
    at = column(observed, "threshold")
    np.testing.assert_allclose(column(observed, "fpir"), found.observed_fpir(40, at), atol=1e-8)
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "40 searches with a mate, 20 without, 40 enrolled" in page
    lines = [line.split() for line in out.splitlines()]
    assert ["1,000", f"{float(rows[1]['threshold']):.5g}", ".100"] in [x[:3] for x in lines]
    assert ["40,", "as", "tested"] in [line[:3] for line in lines]
    assert f"With 1,000 enrolled, at the threshold {float(rows[1]['threshold']):.4g}" in out


def test_embeddings_are_scored_and_without_targets_one_percent_is(folder, run):
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(30), 3)
    photos = rng.normal(size=(30, 8))[labels] + 0.2 * rng.normal(size=(90, 8))
    np.savez("photos.npz", embeddings=photos, labels=labels)
    status, out, err = run(
        "photos.npz", "--gallery-size", 90, "--metric", "cosine", "--gallery", "centroid",
        "--splits", 3, "--level", 0.8,
    )  # fmt: skip
    assert (status, err) == (0, "")
    rows = table(folder / "photos_identify" / "identification.csv")
    assert [row["target_fpir"] for row in rows] == ["0.01", ""]
    assert "80 % interval" in out
    page = (folder / "photos_identify" / "report.html").read_text(encoding="utf-8")
    assert "30 enrolled" in page
    assert "cosine" in page


def test_searches_count_or_people_and_what_is_no_threshold_is_none(folder, run):
    """Those with one search are found, those with five are not."""
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(20), np.tile([1, 5], 10))
    scores = rng.random((60, 20))
    scores[np.arange(60), labels] = np.where(labels % 2, -1.0, 2.0)
    np.savez("uneven.npz", scores=scores, labels=labels, higher_is_better=True)
    for weigh, missed, said in (("points", 5 / 6, "search"), ("classes", 1 / 2, "person")):
        status, out, _ = run(
            "uneven.npz", "--gallery-size", 19, "--threshold", 1.5, "--weigh", weigh,
            "--splits", 3, "--out", weigh,
        )  # fmt: skip
        assert status == 0
        rows = table(folder / weigh / "identification.csv")
        np.testing.assert_allclose(column(rows, "fnir"), missed, rtol=1e-3)
        page = (folder / weigh / "report.html").read_text(encoding="utf-8")
        assert f"each {said} counts equally" in page
    np.savez("low.npz", scores=np.minimum(scores, 0.9), labels=labels, higher_is_better=True)
    status, out, _ = run("low.npz", "--gallery-size", 10**9, "--fpir", 1e-6, "--splits", 3)
    assert status == 0
    row = table(folder / "low_identify" / "identification.csv")[0]
    assert (row["threshold"], row["fpir"], row["fnir"]) == ("inf", "0", "1")
    assert "none" in out
    assert "there is no threshold for an FPIR of < .001, as it would lie beyond every score" in out


@pytest.mark.parametrize("threshold", ["1e308", "-1e308"])
def test_a_threshold_that_nobody_or_everybody_reaches(folder, run, threshold):
    sizes = ("--gallery-size", 100, "--gallery-size", 10**18, "--splits", 3)
    status, _, err = run("scores.npz", *sizes, "--threshold", threshold)
    assert (status, err) == (0, "")
    for row in table(folder / "scores_identify" / "identification.csv"):
        assert float(row["fpir"]) == (threshold == "-1e308")
