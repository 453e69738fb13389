"""The whole workflow on a tiny preset, with real R, TensorFlow and Snakemake."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import yaml

from accuracy_curves.utils.tables import read_table, table_provenance, write_table
from conftest import ROOT
from running import TINY, command, contents, planned, snakemake

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
    # 0002-0002 becomes 0002-0003; 0000-0001 stays.
    assert planned(run, "--config", "repetitions=4")["extrapolate"] == 3


def changed(folder, change):
    """The tiny preset with one change."""
    preset = yaml.safe_load(TINY.read_text())
    change(preset)
    path = folder / "changed.yaml"
    path.write_text(yaml.safe_dump(preset, sort_keys=False))
    return path


BELOW_CURVES = {
    **dict.fromkeys(["draw_boxplots", "draw_by_k1", "draw_comparison", "draw_curves"], 1),
    "draw_sweep": 1,
    **dict.fromkeys(["evaluate", "judge", "mix", "rank", "summarise", "summarise_draws"], 1),
    "draw_matrix": 2,
    "tabulate_methods": 1,
}


@pytest.mark.parametrize("records", ["with", "without"])
def test_a_result_made_with_other_options_is_made_anew(records, run, tmp_path):
    """With Snakemake's own records of what was done, and where they are gone."""
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    if records == "without":
        shutil.rmtree(tmp_path / ".snakemake")
    assert planned(tmp_path) == {}

    def plan(change):
        return planned(tmp_path, preset=changed(tmp_path, change))

    noisier = plan(lambda preset: preset["experiments"]["one"]["dataset"].update(variance=0.3))
    counted = {"score": 1, "average_all": 1, "observe": 1, "extrapolate": 6, "find_intervals": 1}
    counted |= {"measure_draw": 1, "draw_distributions": 1, "draw_reversed_roc": 1}
    counted |= {"draw_coverage": 1, **BELOW_CURVES}
    assert noisier == counted
    longer = plan(lambda preset: preset["methods"]["cleanex"].update(steps=61))
    assert longer == {"extrapolate": 2, **BELOW_CURVES}
    other = plan(lambda preset: preset["figures"]["matrix"]["bias"].update(show="sd"))
    assert other == {"draw_matrix": 1}
    assert plan(lambda preset: preset["figures"]["curves"]["figure4"].update(k1=[20])) == {}
    # No more than was asked for is made anew.
    wanted = ["--", "figures/tiny/matrix/bias.png"]
    preset = changed(tmp_path, lambda p: p["figures"]["matrix"]["all"].update(show="sd"))
    assert planned(tmp_path, *wanted, preset=preset) == {}


def test_committed_curves_count_without_the_scores_that_they_were_made_from(run, tmp_path):
    committed = "results/tiny/predicted/one/k1_20/cleanex"
    shutil.copytree(run / committed, tmp_path / committed)
    assert planned(tmp_path)["extrapolate"] == 4
    # Scores made since, for the other methods, are younger.
    shutil.copytree(run / "results/tiny/scores", tmp_path / "results/tiny/scores")
    (tmp_path / "results/tiny/scores/one.npz").touch()
    assert planned(tmp_path)["extrapolate"] == 4
    longer = changed(tmp_path, lambda preset: preset["methods"]["cleanex"].update(steps=61))
    assert planned(tmp_path, preset=longer)["extrapolate"] == 6
    assert planned(tmp_path, "--forceall")["extrapolate"] == 6


def test_curves_of_an_older_version_count_as_their_run_recorded_them(run, tmp_path):
    """They do not say their options themselves."""
    results = "results/tiny/predicted/one/k1_20/cleanex"
    shutil.copytree(run / results, tmp_path / results)
    for path in (tmp_path / results).glob("*.parquet"):
        stamp = json.loads(table_provenance(path))
        del stamp["options"]
        write_table(read_table(path), path, json.dumps(stamp))
    longer = changed(tmp_path, lambda preset: preset["methods"]["cleanex"].update(steps=61))
    # Nothing is known of them.
    assert planned(tmp_path, preset=longer)["extrapolate"] == 4
    shutil.copy(run / "results/tiny/provenance.json", tmp_path / "results/tiny/provenance.json")
    assert planned(tmp_path, preset=longer)["extrapolate"] == 6
    assert planned(tmp_path)["extrapolate"] == 4


def test_an_edit_re_runs_what_is_above_it_and_a_comment_nothing(run, tmp_path):
    project = tmp_path / "project"
    for folder in ("workflow", "profiles", "config", "envs"):
        shutil.copytree(ROOT / folder, project / folder)
    shutil.copy(ROOT / "Snakefile", project)
    library, snakefile = project / "workflow/accuracy_curves", project / "Snakefile"

    def plan_with(path, line):
        text = path.read_text()
        path.write_text(text + line)
        plan = planned(run, snakefile=snakefile)
        path.write_text(text)
        return plan

    # Every file of the copy is younger than the results.
    assert planned(run, snakefile=snakefile) == {}
    for script in (project / "workflow/scripts").glob("*.py"):
        with script.open("a") as file:
            file.write("\n# a comment\n")
    assert planned(run, snakefile=snakefile) == {}
    tables = plan_with(library / "evaluation/summary.py", "\nEDITED = True\n")
    # The comparison shows ratios too.
    assert tables == {"summarise": 1, "tabulate_methods": 1, "draw_comparison": 1}
    assert plan_with(library / "extrapolators/p_exp.py", "\nEDITED = True\n") == {}
    matrix = plan_with(library / "figures/matrix.py", "\nEDITED = True\n")
    assert matrix == {"draw_matrix": 2}


def test_the_workflow_is_a_module_of_another(tmp_path):
    """The library is found beside the imported workflow, not in the importer's folder."""
    shutil.copy(TINY, tmp_path / "mine.yaml")
    snakefile = tmp_path / "Snakefile"
    snakefile.write_text(
        'configfile: "mine.yaml"\n'
        "module curves:\n"
        f"    snakefile: {str(ROOT / 'Snakefile')!r}\n"
        "    config: config\n"
        "use rule * from curves as curves_*\n"
        "rule mine:\n"
        "    default_target: True\n"
        '    input: "results/tiny/true/one.parquet"\n'
        '    output: "mine.txt"\n'
        '    shell: "ls -l {input} > {output}"\n'
    )
    snakemake(tmp_path, "--cores", "1", preset=tmp_path / "mine.yaml", snakefile=snakefile)
    assert "one.parquet" in (tmp_path / "mine.txt").read_text()
    assert (tmp_path / "results/tiny/scores/one.npz").exists()


def test_the_demo_runs_from_any_folder(tmp_path):
    words = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    done = subprocess.run(
        [*words, "--directory", str(tmp_path), "--dry-run", "--cores", "1"],
        capture_output=True,
        text=True,
        cwd=tmp_path.parent,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "figures/demo/matrix/all.png" in done.stdout + done.stderr


def test_a_path_with_braces_is_a_path(tmp_path):
    chance = np.random.default_rng(5)
    labels = np.repeat(np.arange(8), 3)
    scores = chance.normal(size=(24, 8)) + 2 * (labels[:, None] == np.arange(8))
    path = tmp_path / "{data}/{scores}.npz"
    path.parent.mkdir()
    np.savez(path, scores=scores, labels=labels, higher_is_better=True)
    preset = {
        "preset": "braces",
        "data_dir": "{data}",
        "repetitions": 2,
        "reference": "log_linear",
        "methods": {"log_linear": {}},
        "experiments": {
            "one": {"dataset": {"kind": "scores", "path": "{scores}.npz"}, "k1": [4], "k2": 8}
        },
    }
    (tmp_path / "braces.yaml").write_text(yaml.safe_dump(preset))
    wanted = ("--", "results/braces/true/one.parquet")
    snakemake(tmp_path, "--cores", "1", *wanted, preset=tmp_path / "braces.yaml")
    assert planned(tmp_path, *wanted, preset=tmp_path / "braces.yaml") == {}
    path.touch()
    again = planned(tmp_path, *wanted, preset=tmp_path / "braces.yaml")
    assert again == {"score": 1, "average_all": 1}


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


def test_two_presets_run_in_one_folder_at_once(tmp_path):
    presets = {name: ROOT / f"tests/workflow/presets/{name}.yaml" for name in ("ranks", "beside")}
    targets = {name: f"results/{name}/observed/one/k1_20.parquet" for name in presets}
    both = [
        subprocess.Popen(
            command(tmp_path, "--cores", "1", targets[name], preset=preset),
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for name, preset in presets.items()
    ]
    for each in both:
        said = each.communicate(timeout=600)[1].decode()
        assert each.returncode == 0, said[-2000:]
    assert all((tmp_path / target).exists() for target in targets.values())


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
