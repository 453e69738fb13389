import csv
from functools import partial

import numpy as np
import pytest

from accuracy_curves import Identification, Searches, load_searches
from accuracy_curves.cautions import share

WRITTEN = [
    "det.csv",
    "fnir_by_size.csv",
    "identification.csv",
    "identification.pdf",
    "identification.png",
    "report.html",
    "report.json",
]
RATES = ["threshold", "fpir", "fnir"]
COLUMNS = ["method", "gallery_size", "target_fpir"]
COLUMNS += [f"{name}{end}" for name in RATES for end in ("", "_lower", "_upper")]


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


def test_doubts_about_the_scores_are_said_in_all_forms(folder, run):
    rng = np.random.default_rng(0)
    labels = np.r_[np.arange(120), np.arange(120), np.full(60, -1)]
    scores = rng.normal(size=(300, 120)) + 9 * np.eye(121, 120)[labels]
    scores[290:] = -9
    labels[[3, 8]] = labels[[8, 3]]
    order = rng.permutation(300)
    np.savez("names.npz", scores=scores[order], labels=labels[order], higher_is_better=True)
    status, out, err = run("names.npz", "--gallery-size", 600, "--splits", 3, "--out", "o")
    assert (status, err) == (0, "")
    page = (folder / "o" / "report.html").read_text(encoding="utf-8")
    for said in ("scores of 10 of 300 points are equal", "under two names: 2 (the first"):
        assert said in out
        assert said in page
    rows = [int(row["row"]) for row in table(folder / "o" / "wrong_names.csv")]
    assert set(order[rows]) == {3, 8}


def test_rates_thresholds_curves_and_a_figure(folder, run):
    status, out, err = run(
        "scores.npz", "--gallery-size", 1000, "--gallery-size", 400, "--fpir", 0.01, "--fpir", 0.1,
        "--threshold", 2.5, "--rank", 2, "--splits", 3, "--seed", 5, "--out", "deep/er",
    )  # fmt: skip
    assert (status, err) == (0, "")
    results = folder / "deep" / "er"
    assert sorted(path.name for path in results.iterdir()) == WRITTEN
    assert (results / "identification.pdf").read_bytes().startswith(b"%PDF")
    assert (results / "identification.png").read_bytes().startswith(b"\x89PNG")
    found = Identification(load_searches("scores.npz"), seed=5, splits=3)
    rows = table(results / "identification.csv")
    assert list(rows[0]) == [*COLUMNS, "least_fpir", "too_far", "rank"]
    assert {row["too_far"] for row in rows} == {"False"}
    assert {row["rank"] for row in rows} == {"2"}
    asked, observed = rows[:6], rows[6:]
    assert {row["method"] for row in asked} == {"auto"}
    np.testing.assert_array_equal(column(asked, "gallery_size"), [400, 1000] * 3)
    np.testing.assert_array_equal(
        column(asked, "target_fpir"), [0.1, 0.1, 0.01, 0.01, np.nan, np.nan]
    )
    k, rates = column(asked[:4], "gallery_size"), column(asked[:4], "target_fpir")
    at = found.threshold(k, rates)
    np.testing.assert_allclose(column(asked, "threshold"), [*at, 2.5, 2.5], rtol=1e-8)
    np.testing.assert_allclose(column(asked[:4], "fpir"), rates, rtol=1e-3)
    misses = found.fnir_at_fpir_interval(k, rates, 2)
    for name, values in (("fnir", misses.value), ("fnir_upper", misses.upper)):
        np.testing.assert_allclose(column(asked[:4], name), values, rtol=1e-7)
    alarms = found.fpir_interval([400, 1000], 2.5)
    np.testing.assert_allclose(column(asked[4:], "fpir_lower"), alarms.lower, rtol=1e-7)
    fixed = found.fnir_interval([400, 1000], 2.5, 2)
    np.testing.assert_allclose(column(asked[4:], "fnir"), fixed.value, rtol=1e-7)
    assert {(row["method"], row["gallery_size"]) for row in observed} == {("observed", "40")}
    at = column(observed, "threshold")
    np.testing.assert_allclose(column(observed, "fpir"), found.observed_fpir(40, at), atol=1e-8)
    np.testing.assert_allclose(column(observed, "fnir"), found.observed_fnir(40, at, 2), atol=1e-8)
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "40 searches with a mate, 20 without, 40 enrolled" in page
    lines = [line.split() for line in out.splitlines()]
    assert ["1,000", f"{float(asked[1]['threshold']):.5g}", ".100"] in [x[:3] for x in lines]
    assert ["40,", "as", "tested"] in [line[:3] for line in lines]
    assert "an FPIR of .1 and more is predicted a quarter too low" in out
    assert f"With 1,000 enrolled, at the threshold {float(asked[1]['threshold']):.4g}" in out


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


def test_galleries_that_are_too_large_are_told(folder, run):
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(40, 40)) + 4 * rng.normal(size=(40, 1))
    np.savez("apart.npz", scores=scores, labels=np.arange(40))
    status, out, _ = run(
        "apart.npz", "--gallery-size", 100, "--threshold", 3, "--method", "binomial", "--splits", 3
    )
    assert status == 0
    assert "100 people are more than 2 times the 40 observed" in out
    rows = table(folder / "apart_identify" / "identification.csv")
    share = np.mean(Searches(scores, np.arange(40)).impostor >= 3)
    assert float(rows[0]["fpir"]) == pytest.approx(1 - (1 - share) ** 100)


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
        assert f"each {said}" in page
        assert f"did, the observed FNIR at 1.5 would be {share(4 / 3 - missed)}" in page
    np.savez("low.npz", scores=np.minimum(scores, 0.9), labels=labels, higher_is_better=True)
    status, out, _ = run("low.npz", "--gallery-size", 10**9, "--fpir", 1e-6, "--splits", 3)
    assert status == 0
    row = table(folder / "low_identify" / "identification.csv")[0]
    assert (row["threshold"], row["fpir"], row["fnir"]) == ("inf", "0", "1")
    assert "none" in out
    assert "no threshold keeps FPIR at < .001" in " ".join(out.split())


def test_a_confidence_needs_a_target(folder, run):
    asked = ("--gallery-size", 100, "--threshold", 2, "--confidence", 0.95)
    status, _, err = run("scores.npz", *asked)
    assert status == 2
    assert "give an FPIR too" in err


@pytest.mark.parametrize("threshold", ["1e308", "-1e308"])
def test_a_threshold_that_nobody_or_everybody_reaches(folder, run, threshold):
    sizes = ("--gallery-size", 100, "--gallery-size", 10**18, "--splits", 3)
    status, _, err = run("scores.npz", *sizes, "--threshold", threshold)
    assert (status, err) == (0, "")
    for row in table(folder / "scores_identify" / "identification.csv"):
        assert float(row["fpir"]) == (threshold == "-1e308")
