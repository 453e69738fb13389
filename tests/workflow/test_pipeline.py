"""The whole workflow on a tiny preset, with real R, TensorFlow and Snakemake."""

import json
import os
import re
import shutil
import subprocess
import sys

import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml

from conftest import ROOT
from experiments.figures.panels import shown_rows
from experiments.publishing.curves import curve_stamps
from experiments.stored import read_table, table_provenance, write_table
from presets import read
from running import TINY, contents, copied_project, planned, snakemake

TINY_CLAIMS = "tests/workflow/presets/claims/tiny.yaml"
BELOW = {"evaluate", "summarise", "judge", "draw"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one_core")
    snakemake(folder, "--cores", "1")
    return folder


def test_two_cores_and_another_folder_give_the_same_bytes(run, tmp_path):
    """All that is fitted and drawn at random, and of figures one; the demo is a slow test."""
    made = "results/tiny/errors.csv", "results/tiny/coverage/intervals.csv"
    snakemake(tmp_path, "--cores", "2", *made, "figures/tiny/bivariate_normal/accuracy.png")
    first, second = contents(run), contents(tmp_path)
    assert len(second) > 12
    assert second.items() <= first.items()


def test_every_curve_is_whole_and_summarised(run):
    results = run / "results/tiny"
    assert read_table(results / "true/one.parquet")["k"].tolist() == list(range(2, 41))
    for method in ("cleanex", "regression", "kde_ucv"):
        chunks = sorted((results / f"predicted/one/k1_20/{method}").glob("*.parquet"))
        assert [path.stem for path in chunks] == ["0000-0001", "0002-0002"]
        curves = pd.concat([read_table(path) for path in chunks])
        assert len(curves) == 3 * 39
        assert curves["accuracy"].notna().all()
    summary = pd.read_csv(results / "summary.csv").set_index("method")
    assert summary["repetitions"].to_dict() == {"cleanex": 3, "kde_ucv": 3, "regression": 3}
    methods = pd.read_csv(results / "methods.csv")
    assert (methods["seconds"] > 0).all()


def test_every_result_says_where_it_came_from(run):
    origin = json.loads((run / "results/tiny/provenance.json").read_text())
    assert origin["config"]["preset"] == "tiny"
    (computed,) = origin["computed_by"]
    assert (computed["curves"], computed["intervals"]) == (3 * 3, 2)
    assert computed["methods"] == ["cleanex", "kde_ucv", "regression"]
    assert computed["commit"] == origin["drawn_by"]["commit"]
    for path in (run / "results/tiny").rglob("*.parquet"):
        stamp = json.loads(pq.read_schema(path).metadata[b"accuracy_curves"])
        assert stamp["config_sha256"] == origin["config_sha256"]
        assert stamp["commit"] == origin["drawn_by"]["commit"]


def changed(folder, change):
    """The tiny preset with one change."""
    preset = yaml.safe_load(TINY.read_text())
    change(preset)
    path = folder / "changed.yaml"
    path.write_text(yaml.safe_dump(preset, sort_keys=False))
    return path


def test_a_change_of_the_preset_computes_what_hangs_on_it(run, tmp_path):
    def plan(change):
        return planned(run, preset=changed(tmp_path, change))

    assert plan(lambda preset: None) == {}
    noisier = plan(lambda preset: preset["experiments"]["one"]["dataset"].update(variance=0.3))
    assert noisier["score"] == 1
    assert noisier["extrapolate"] == 6
    longer = plan(lambda preset: preset["methods"]["cleanex"]["options"].update(steps=61))
    assert longer["extrapolate"] == 2
    assert longer.keys() - {"extrapolate", "tabulate_figure"} == BELOW
    other = plan(lambda preset: preset["figures"]["matrix"]["all"].update(show="sd"))
    assert other == {"draw": 1}
    label = plan(lambda preset: preset["experiments"]["one"].update(label="other"))
    assert label.keys() == {"draw"}
    claims = read(ROOT / TINY_CLAIMS)
    claims["kde"]["above"] = 2
    (tmp_path / "claims.yaml").write_text(yaml.safe_dump(claims))
    other = plan(lambda preset: preset.update(claims=str(tmp_path / "claims.yaml")))
    assert other == {"judge": 1}
    # 0002-0002 becomes 0002-0003; 0000-0001 stays.
    more = plan(lambda preset: preset.update(repetitions=4))
    assert more["extrapolate"] == 3


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project, whose files are younger than all results."""
    return copied_project(tmp_path_factory.mktemp("project"))


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("experiments/evaluation/summary.py", {"summarise"}),
        ("accuracy_curves/extrapolators/spline.py", set()),
        ("accuracy_curves/extrapolators/regression.py", {"extrapolate", "find_intervals"}),
        ("experiments/figures/matrix.py", {"draw"}),
        ("scripts/judge.py", {"judge"}),
    ],
)
def test_an_edit_of_code_runs_what_it_decides_and_a_comment_nothing(path, rules, run, project):
    file, given = project / "workflow" / path, {"snakefile": project / "Snakefile"}
    # The copy's claims are other files.
    words = "--config", f"claims={ROOT / TINY_CLAIMS}"
    text = file.read_text()
    try:
        file.write_text(text + "\n# a comment\n")
        assert planned(run, *words, **given) == {}
        file.write_text(text + "\nEDITED = True\n")
        plan = planned(run, *words, **given)
    finally:
        file.write_text(text)
    assert rules <= plan.keys()
    assert bool(rules) == bool(plan)
    # The regression's two chunks alone, and not those of the other methods.
    assert plan.get("extrapolate", 2) == 2


def test_a_new_method_is_compared_with_published_ones(run, project, tmp_path):
    """It is computed alone, and stands beside all others in the tables and the matrix."""
    published = project / "results/published/tiny"
    shutil.copytree(run / "results/tiny", published)
    mine = yaml.safe_load(TINY.read_text())
    mine |= {"preset": "mine", "beside": ["tiny"], "methods": {"gaussian_tail": {}}}
    mine["figures"] = {"matrix": {"all": {}}, "curves": {"all": {}}}
    del mine["claims"]
    preset = tmp_path / "mine.yaml"
    preset.write_text(yaml.safe_dump(mine))
    given = {"preset": preset, "snakefile": project / "Snakefile"}
    assert planned(tmp_path, **given)["extrapolate"] == 2
    snakemake(tmp_path, "--cores", "2", **given)
    errors = pd.read_csv(tmp_path / "results/mine/errors.csv")
    known = pd.read_csv(published / "errors.csv")
    assert errors.groupby("method").size().to_dict() == {
        **known.groupby("method").size().to_dict(),
        "gaussian_tail": 3,
    }
    beside = errors[errors["method"] != "gaussian_tail"].reset_index(drop=True)
    pd.testing.assert_frame_equal(beside, known)
    record = json.loads((tmp_path / "results/mine/provenance.json").read_text())
    rows = record["taken"]["tiny"]["rows"]
    assert [row.split()[2] for row in rows] == ["cleanex", "regression", "kde_ucv"]
    # Rows of other data are refused.
    mine["experiments"]["one"]["dataset"]["variance"] = 0.3
    preset.write_text(yaml.safe_dump(mine))
    said = snakemake(tmp_path, "--cores", "1", "--dry-run", check=False, **given)
    assert said.returncode != 0
    assert "dataset.variance = 0.2 and not 0.3" in said.stdout + said.stderr


@pytest.fixture(scope="module")
def published(run, project, tmp_path_factory):
    """The tiny run, published beside curves of CleaneX by others; and how to publish there."""
    folder = project / "results/published/tiny"
    shutil.rmtree(folder, ignore_errors=True)
    curves = folder / "predicted/one/k1_20/cleanex"
    older = read_table(run / "results/tiny/predicted/one/k1_20/cleanex/0002-0002.parquet")
    curves.mkdir(parents=True)
    for number in (0, 9):
        path = curves / f"{number:04d}-{number:04d}.parquet"
        table = older.assign(repetition=number, accuracy=0.5)
        write_table(table, path, f'{{"commit": "{number}"}}')
    (run / "results/tiny/.errors.77.partial.csv").write_text("of a job that was killed")

    def publish(where, *options):
        words = [sys.executable, project / "workflow/publish.py", TINY, *options]
        return subprocess.run(words, cwd=where, capture_output=True, text=True)

    assert publish(run).returncode == 0
    return folder, publish


def test_a_run_is_published_and_its_slow_curves_are_added(run, published, project, tmp_path):
    folder, publish = published
    curves = folder / "predicted/one/k1_20/cleanex"
    run_curves = sorted((run / "results/tiny/predicted/one/k1_20/cleanex").glob("*.parquet"))
    before = pd.concat(map(read_table, run_curves))
    older = before[before["repetition"] == 0].assign(accuracy=0.5)
    assert (folder / "errors.csv").read_bytes() == (run / "results/tiny/errors.csv").read_bytes()
    (whole,) = curves.rglob("*.parquet")
    assert whole == curves / "0000-0009.parquet"
    merged = [before, older.assign(repetition=9)]
    pd.testing.assert_frame_equal(
        read_table(whole), pd.concat(merged, ignore_index=True), check_exact=True
    )
    commits = {number: made["commit"] for number, made in curve_stamps(whole).items()}
    commit = curve_stamps(run_curves[0])[0]["commit"]
    assert commits == {0: commit, 1: commit, 2: commit, 9: "9"}
    # A run of repetition 10 alone adds it.
    more = tmp_path / "results/tiny" / curves.relative_to(folder)
    more.mkdir(parents=True)
    write_table(older.assign(repetition=10), more / "0010-0010.parquet", '{"commit": "10"}')
    assert "is not whole" in publish(tmp_path).stderr
    assert publish(tmp_path, "--curves").returncode == 0
    (longer,) = curves.rglob("*.parquet")
    merged.append(older.assign(repetition=10))
    pd.testing.assert_frame_equal(read_table(longer), pd.concat(merged, ignore_index=True))
    assert (folder / "errors.csv").read_bytes() == (run / "results/tiny/errors.csv").read_bytes()
    assert (project / "figures/published/tiny/matrix/all.png").is_file()
    assert not list(folder.rglob(".*"))


def test_thinned_curves_are_added_in_parts_and_the_newer_one_counts(published, run, tmp_path):
    folder, publish = published
    place = folder / "curves/one/k1_20.parquet"
    whole = read_table(place)
    assert whole.dtypes["accuracy"] == "float32"
    assert whole.groupby("method").size().to_dict() == {
        "kde_ucv": 3 * 39, "observed": 3 * 19, "true": 39
    }  # fmt: skip
    known = read_table(run / "results/tiny/predicted/one/k1_20/kde_ucv/0000-0001.parquet")
    here = whole[(whole["method"] == "kde_ucv") & (whole["repetition"] < 2)]
    assert here["accuracy"].to_numpy() == pytest.approx(known["accuracy"].to_numpy(), abs=1e-7)
    chunk = tmp_path / "results/tiny/predicted/one/k1_20/kde_ucv/0001-0003.parquet"
    chunk.parent.mkdir(parents=True)
    parts = [known[known["repetition"] == 0].assign(repetition=n, accuracy=0.25) for n in (1, 3)]
    write_table(pd.concat(parts), chunk, '{"commit": "later"}')
    assert publish(tmp_path, "--curves").returncode == 0
    now = read_table(place)
    kde = now[now["method"] == "kde_ucv"].groupby("repetition")["accuracy"].agg(["size", "max"])
    assert kde["size"].tolist() == [39] * 4
    assert kde.loc[[1, 3], "max"].tolist() == [0.25, 0.25]
    assert kde.loc[0, "max"] == here.loc[here["repetition"] == 0, "accuracy"].max()
    stamps = json.loads(table_provenance(place))["kde_ucv"]
    assert [numbers for _, numbers in stamps] == [[0, 2], [1, 3]]
    # As they were.
    assert publish(run, "--curves").returncode == 0
    shown = read_table(place)
    pd.testing.assert_frame_equal(shown[shown["repetition"] < 3].reset_index(drop=True), whole)


def test_a_run_that_computes_nothing_draws_all_that_is_published(published, run, project, tmp_path):
    words = ["--config", "compute=none"]
    given = {"snakefile": project / "Snakefile"}
    # Scores are those of the figure of scores alone.
    assert planned(tmp_path, *words, **given).keys() == BELOW - {"observe"} | {
        "score", "tabulate_figure"
    }  # fmt: skip
    figure = "figures/tiny/curves/figure4.png"
    target = [figure, "results/tiny/draws.csv", "--cores", "2"]
    snakemake(tmp_path, *target, *words, **given)
    assert shown_rows(tmp_path / figure) == shown_rows(run / figure)
    for name in ("errors", "draws", "class_draw"):
        table = f"results/tiny/{name}.csv"
        assert (tmp_path / table).read_bytes() == (run / table).read_bytes(), name


def test_less_than_the_preset_names_is_not_published(published, run, tmp_path):
    folder, publish = published
    copy = tmp_path / "less"
    for top in ("results", "figures"):
        shutil.copytree(run / top, copy / top)
    before = (folder / "errors.csv").read_bytes()
    path = copy / "results/tiny/errors.csv"
    errors = pd.read_csv(path)
    kept = (errors["method"] != "regression") | (errors["repetition"] == 0)
    errors[kept].to_csv(path, index=False)
    said = publish(copy).stderr
    assert "errors.csv lacks regression in one, k1 = 20 in 2 of 3 repetitions" in said
    shutil.copy(run / "results/tiny/errors.csv", path)
    figures = copy / "figures/tiny"
    shutil.copy(figures / "reversed_roc/figure1.png", figures / "curves/figure4.png")
    said = publish(copy).stderr
    assert "the figure curves/figure4 lacks kde_ucv in one, k1 = 20" in said
    (figures / "bivariate_normal/accuracy.png").unlink()
    shutil.copy(run / "figures/tiny/curves/figure4.png", figures / "curves")
    assert "the figure bivariate_normal/accuracy is not there" in publish(copy).stderr
    assert (folder / "errors.csv").read_bytes() == before


def test_the_workflow_is_a_module_of_another(tmp_path):
    """The page's own lines, from another folder; the outer rule makes a file."""
    page = (ROOT / "docs/tutorials/workflow.md").read_text()
    (lines,) = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    (tmp_path / "accuracy-curves").symlink_to(ROOT)
    (tmp_path / "Snakefile").write_text(lines)
    (tmp_path / "embed.py").write_text(
        "import sys, numpy as np\n"
        "labels = np.repeat(np.arange(40), 4)\n"
        "rng = np.random.default_rng(0)\n"
        "centres = rng.normal(size=(40, 5))[labels]\n"
        "embeddings = centres + 0.3 * rng.normal(size=centres.shape)\n"
        "np.savez(sys.argv[1], embeddings=embeddings, labels=labels)\n"
    )
    (tmp_path / "none.yaml").write_text("{}")
    given = {"preset": tmp_path / "none.yaml", "snakefile": tmp_path / "Snakefile"}
    snakemake(tmp_path, "--cores", "2", **given)
    results = tmp_path / "sub/results/mine"
    summary = pd.read_csv(results / "summary.csv")
    assert sorted(summary["method"]) == ["empirical_bayes", "gaussian_tail"]
    assert pd.read_csv(results / "methods.csv")["seconds"].notna().all()
    assert json.loads((results / "provenance.json").read_text())["computed_by"][0]["curves"] == 4
    assert (tmp_path / "sub/figures/mine/curves/all.png").is_file()
    assert (tmp_path / "photos.npz").is_file()
    assert not (tmp_path / "results").exists()
    assert not (tmp_path / "figures").exists()
    assert planned(tmp_path, **given) == {}


@pytest.mark.parametrize("words", [[], ["--config", "preset=abc"]])
def test_the_demo_runs_from_any_folder_under_any_name(words, tmp_path):
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    done = subprocess.run(
        [*command, "--directory", str(tmp_path), "--dry-run", "--cores", "1", *words],
        capture_output=True,
        text=True,
        cwd=tmp_path.parent,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    name = "abc" if words else "demo"
    assert f"figures/{name}/matrix/all.png" in done.stdout + done.stderr


def test_a_wrong_preset_stops_before_any_job_with_one_sentence(tmp_path):
    done = snakemake(tmp_path, "--cores", "1", "--config", "repetitions=-1", check=False)
    assert done.returncode != 0
    assert "repetitions" in done.stderr
    assert "minimum" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_failed_job_leaves_its_sentence_and_no_result(tmp_path):
    target = "results/tiny/predicted/one/k1_20/kde_ucv/0000-0001.parquet"
    environment = {**os.environ, "R_HOME": str(tmp_path / "no-r")}
    done = snakemake(tmp_path, "--cores", "1", target, check=False, environment=environment)
    assert done.returncode != 0
    log = tmp_path / "results/tiny/logs/predicted/one/k1_20/kde_ucv/0000-0001.log"
    sentence = log.read_text().strip().splitlines()[-1]
    assert sentence in done.stderr
    assert "Traceback" not in log.read_text()
    assert not list((tmp_path / "results/tiny/predicted").rglob("*.parquet*"))


@pytest.mark.slow
def test_the_demo_gives_the_same_bytes_with_one_core_and_two(tmp_path):
    made = []
    for cores in ("1", "2"):
        folder = tmp_path / cores
        folder.mkdir()
        snakemake(folder, "--cores", cores, preset=ROOT / "config/config.yaml")
        made.append(contents(folder))
    assert len(made[0]) > 25
    assert made[0] == made[1]
