"""The whole workflow on a tiny preset, with real R, TensorFlow and Snakemake."""

import hashlib
import json
import os
import shutil

import pandas as pd
import pytest
import yaml

from accuracy_curves.utils.tables import read_table
from conftest import ROOT
from running import TINY, contents, snakemake

SECRET = "hunter2-of-the-environment"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one_core")
    secrets = dict.fromkeys(["CRCNS_PASSWORD", "AWS_SECRET_ACCESS_KEY", "MY_TOKEN"], SECRET)
    snakemake(folder, "--cores", "1", environment={**os.environ, **secrets})
    return folder


def test_no_file_of_a_run_holds_a_secret_of_the_environment(run):
    files = [path for path in run.rglob("*") if path.is_file()]
    assert len(files) > 60
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]


def test_two_cores_and_another_folder_give_the_same_bytes(run, tmp_path):
    snakemake(tmp_path, "--cores", "2")
    first, second = contents(run), contents(tmp_path)
    assert len(first) > 18
    assert first == second


def test_all_methods_see_the_same_classes_and_every_curve_is_whole(run):
    results = run / "results/tiny"
    true = read_table(results / "true/one.parquet")
    assert true["k"].tolist() == list(range(2, 41))
    observed = read_table(results / "observed/one/k1_20.parquet")
    assert observed.groupby("repetition")["k"].max().tolist() == [20] * 3
    for method in ("cleanex", "regression", "kde_nrd0"):
        chunks = sorted((results / f"predicted/one/k1_20/{method}").glob("*.parquet"))
        assert [path.stem for path in chunks] == ["0000-0001", "0002-0002"]
        curves = pd.concat([read_table(path) for path in chunks])
        assert len(curves) == 3 * 39
        assert curves["accuracy"].notna().all()


def test_summary_has_a_row_a_setting_and_method(run):
    summary = pd.read_csv(run / "results/tiny/summary.csv")
    assert len(summary) == 3
    assert (summary["repetitions"] == 3).all()
    errors = pd.read_csv(run / "results/tiny/errors.csv")
    assert len(errors) == 3 * 3


def test_every_result_says_where_it_came_from(run):
    import pyarrow.parquet as pq

    origin = json.loads((run / "results/tiny/provenance.json").read_text())
    assert origin["config"]["preset"] == "tiny"
    assert origin["wall_seconds_by_rule"]["extrapolate"]["jobs"] == 3 * 2
    (predicted,) = origin["predicted_by"]
    assert (predicted["files"], predicted["commit"]) == (3 * 2, origin["commit"])
    files = origin["sha256"]
    assert {"results/tiny/class_draw.csv", "results/tiny/methods.csv"} <= set(files)
    assert "figures/tiny/comparison/figure3.pdf" in files
    for name, digest in files.items():
        assert hashlib.sha256((run / name).read_bytes()).hexdigest() == digest
    for path in (run / "results/tiny").rglob("*.parquet"):
        stamp = json.loads(pq.read_schema(path).metadata[b"accuracy_curves"])
        assert stamp["config_sha256"] == origin["config_sha256"]
        assert stamp["commit"] == origin["commit"]
        place = path.relative_to(run / "results/tiny").with_suffix("").as_posix()
        assert (stamp["result"], list(stamp["made_from"])) == (place, ["scores/one"])
    methods = pd.read_csv(run / "results/tiny/methods.csv")
    assert (methods["seconds"] > 0).all()
    assert methods["covered_2"].notna().tolist() == (methods["method"] == "regression").tolist()


def test_a_finished_run_does_nothing(run):
    again = snakemake(run, "--cores", "1", "--dry-run")
    assert "Nothing to be done" in again.stdout + again.stderr


def test_more_repetitions_compute_only_the_new_chunks(run):
    plan = snakemake(run, "--cores", "1", "--dry-run", "--config", "repetitions=4")
    text = plan.stdout + plan.stderr
    # 0002-0002 becomes 0002-0003; 0000-0001 stays.
    assert "extrapolate" in text
    counted = next(line for line in text.splitlines() if line.startswith("extrapolate"))
    assert counted.split()[1] == "3"


def test_a_method_on_fewer_repetitions_is_compared_on_those(run, tmp_path):
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    preset = yaml.safe_load(TINY.read_text())
    preset["jobs"] = [{"methods": ["regression"], "repetitions": 2}]
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(preset))
    wanted = ["results/tiny/summary.csv", "figures/tiny/comparison/figure3.png"]
    snakemake(tmp_path, "--cores", "1", *wanted, preset=tmp_path / "tiny.yaml")
    summary = pd.read_csv(tmp_path / "results/tiny/summary.csv").set_index("method")
    assert summary["repetitions"].to_dict() == {"cleanex": 3, "kde_nrd0": 3, "regression": 2}
    assert summary["compared"].to_dict() == {"cleanex": 3, "kde_nrd0": 3, "regression": 2}


def test_a_wrong_preset_stops_before_any_job(tmp_path):
    done = snakemake(tmp_path, "--cores", "1", "--config", "repetitions=-1", check=False)
    assert done.returncode != 0
    assert "repetitions: -1 is less than the minimum of 1" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "results").exists()


def test_a_failed_job_leaves_its_sentence_and_no_result(tmp_path):
    target = "results/tiny/predicted/one/k1_20/kde_nrd0/0000-0001.parquet"
    environment = {**os.environ, "R_HOME": str(tmp_path / "no-r")}
    done = snakemake(tmp_path, "--cores", "1", target, check=False, environment=environment)
    assert done.returncode != 0
    log = tmp_path / "results/tiny/logs/extrapolate/one/k1_20/kde_nrd0/0000-0001.log"
    sentence = log.read_text().strip().splitlines()[-1]
    assert "R" in sentence
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
