import copy
import json
import re
from collections import Counter

import pytest
import yaml

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from pipeline.cost import scale
from pipeline.cost.benchmarks import Cost, Measured, fit, read_benchmarks
from pipeline.cost.preset_jobs import preset_jobs
from pipeline.cost.schedule import core_seconds, critical_path
from pipeline.preset.configuration import check_config
from running import DEMO, snakemake

TINY = yaml.safe_load((ROOT / "tests/workflow/presets/tiny.yaml").read_text())
STARTUP = 8.0


@pytest.fixture
def run(tmp_path):
    """A made-up run of the tiny preset: known seconds for each rule."""
    folder = tmp_path / "results/tiny"
    seconds = {"scores/one": 10, "true_curve/one": 9, "observe/one/k1_20": 11}
    seconds |= {"evaluate/one/k1_20": 12, "summary/summary": 13, "curves/figure4": 14}
    for method, each in {"cleanex": 30, "regression": 15, "kde_nrd0": 20}.items():
        for chunk, repetitions in {"0000-0001": 2, "0002-0002": 1}.items():
            took = STARTUP + repetitions * (each - STARTUP)
            seconds[f"extrapolate/one/k1_20/{method}/{chunk}"] = took
    for name, each in seconds.items():
        path = folder / "benchmarks" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\th:m:s\tmax_rss\n{each}\t0:00:00\t-\n")
    config = check_config(TINY)
    (folder / "provenance.json").write_text(json.dumps({"config": config}))
    return folder


def jobs_of(run, preset, overhead=0.0):
    return preset_jobs(check_config(preset), read_benchmarks(run), overhead)[0]


def test_the_measured_preset_costs_what_was_measured(run):
    jobs, unknown = preset_jobs(check_config(TINY), read_benchmarks(run))
    assert jobs["scores one"].seconds == pytest.approx(10)
    cleanex = "extrapolate one k1_20 cleanex"
    assert jobs[f"{cleanex} 0000-0001"].seconds == pytest.approx(8 + 2 * 22)
    assert jobs[f"{cleanex} 0002-0002"].seconds == pytest.approx(30)
    measured = 10 + 9 + 11 + 12 + 13 + 14
    methods = 6 * STARTUP + 3 * (22 + 7 + 12)
    assert core_seconds(jobs) == pytest.approx(measured + methods)
    drawn = {"reversed_roc", "boxplots", "comparison", "bivariate_normal", "by_k1", "sweep"}
    assert set(unknown) == drawn | {
        *("distributions", "matrix", "claims", "standings", "class_draw", "class_draws"),
        *("coverage", "intervals/regression"),
    }
    path = ["scores one", f"{cleanex} 0000-0001", "evaluate one k1_20", "curves figure4"]
    assert critical_path(jobs) == path
    later = jobs_of(run, TINY, overhead=5.0)
    assert core_seconds(later) == pytest.approx(core_seconds(jobs) + 5 * len(jobs))


def test_work_scales_with_classes_points_steps_and_repetitions(run):
    larger = copy.deepcopy(TINY)
    larger["experiments"]["one"]["dataset"] |= {"n_classes": 80, "points_per_class": 6}
    larger["experiments"]["one"] |= {"k1": [40], "k2": 80, "repetitions": 4}
    larger["figures"] = {}
    larger["methods"]["cleanex"]["steps"] = 120
    larger["chunk"] = 4
    jobs = jobs_of(run, larger)
    # Twice the points a class, twice the classes: 8 times the entries of the matrix.
    assert jobs["scores one"].seconds == pytest.approx(8 * 10)
    assert jobs["observe one k1_40"].seconds == pytest.approx(8 * 11 * 4 / 3)
    assert jobs["evaluate one k1_40"].seconds == pytest.approx(2 * 12 * 4 / 3)
    regression = jobs["extrapolate one k1_40 regression 0000-0003"].seconds
    assert regression == pytest.approx(8 + 4 * 8 * (15 - 8))
    # Points x 4, steps x 2, and the widths 40-16-8-1 for 20-16-8-1.
    products = (40 * 16 + 16 * 8 + 8) / (20 * 16 + 16 * 8 + 8)
    cleanex = jobs["extrapolate one k1_40 cleanex 0000-0003"].seconds
    assert cleanex == pytest.approx(8 + 4 * 4 * 2 * products * (30 - 8))
    # Three networks, whose input is of rank 10.
    larger["methods"]["cleanex"] |= {"networks": 3, "input_rank": 10}
    products = 3 * (10 * 16 + 16 * 8 + 8) / (20 * 16 + 16 * 8 + 8)
    cleanex = jobs_of(run, larger)["extrapolate one k1_40 cleanex 0000-0003"].seconds
    assert cleanex == pytest.approx(8 + 4 * 4 * 2 * products * (30 - 8))


def test_a_line_is_fitted_with_no_negative_part():
    assert fit([Measured(1, 5), Measured(3, 9)]) == pytest.approx((3, 2))
    assert fit([Measured(2, 6), Measured(2, 10)]) == pytest.approx((0, 4))
    assert fit([Measured(1, 5), Measured(4, 5)]) == pytest.approx((5, 0))
    fixed, unit = fit([Measured(1, 9), Measured(3, 3), Measured(9, 8)])
    assert min(fixed, unit) >= 0


def test_every_job_of_the_demo_is_counted(tmp_path):
    demo = check_config(yaml.safe_load((ROOT / "config/config.yaml").read_text()))
    costs = {f"extrapolate/{method}": Cost(1, 0) for method in demo["methods"]}
    jobs, _ = preset_jobs(demo, costs)
    counted = Counter(name.split()[0] for name in jobs)
    plan = snakemake(tmp_path, "--cores", "1", "--dry-run", "--quiet", "rules", preset=DEMO)
    planned = dict(re.findall(r"^(\w+) +(\d+)$", plan.stdout + plan.stderr, re.MULTILINE))
    del planned["all"], planned["total"]
    assert {rule: str(count) for rule, count in counted.items()} == planned
    trained = jobs["extrapolate_trained trained k1_50 kde 0000-0005"].after
    assert trained == tuple(f"train trained k1_50 {each:04d}" for each in range(6))
    # Each job stands after those it waits for.
    seen = set()
    for name, job in jobs.items():
        assert seen.issuperset(job.after)
        seen.add(name)


def test_intervals_take_a_fit_to_all_classes_and_two_to_halves_a_split(run):
    preset = copy.deepcopy(TINY)
    path = run / "benchmarks/intervals/one/k1_20/regression.tsv"
    path.parent.mkdir(parents=True)
    path.write_text("s\n12\n")
    preset["intervals"] = {"repetitions": 3, "splits": 18}
    # Of 2 repetitions with 10 splits: 1 + 10 / 2 fits' worth of scores each, and now 1 + 18 / 2.
    took = jobs_of(run, preset)["intervals one k1_20 regression"].seconds
    assert took == pytest.approx(12 * 3 / 2 * 10 / 6)


def test_threads_are_the_presets(run):
    preset = copy.deepcopy(TINY)
    preset["methods"]["cleanex"]["threads"] = 4
    assert jobs_of(run, preset)["extrapolate one k1_20 cleanex 0000-0001"].threads == 4


def test_the_paper_preset_has_every_job_of_the_workflow(run):
    paper = yaml.safe_load((ROOT / "config/paper.yaml").read_text())
    jobs, _ = preset_jobs(check_config(paper), read_benchmarks(run))
    trained = [name for name in jobs if name.startswith("extrapolate") and " cleanex " in name]
    of_500 = [name for name in trained if "k1_500" in name]
    assert len(trained) - len(of_500) == (8 + 4) * 10
    assert {name.split()[-1] for name in of_500} == {f"{i:04d}-{i:04d}" for i in range(5)}
    assert sum(name.startswith("evaluate") for name in jobs) == 32 + 4
    table = scale.report(jobs, "title")
    assert "critical path" in table
    assert all(f"\n{cores:>8}" in table for cores in scale.CORES)


def test_a_method_that_was_not_measured_is_named_and_not_counted(run):
    preset = {**copy.deepcopy(TINY), "methods": {"spline": {}}, "reference": "spline"}
    preset["figures"] = preset["claims"] = preset["standings"] = {}
    jobs, unknown = preset_jobs(check_config(preset), read_benchmarks(run), overhead=1.0)
    assert "extrapolate/spline" in unknown
    assert jobs["extrapolate one k1_20 spline 0000-0001"].seconds == 1.0
    assert "not counted: extrapolate/spline" in scale.report(jobs, "title", unknown)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda run: (run / "provenance.json").unlink(), "no readable provenance"),
        (lambda run: (run / "provenance.json").write_text("[]"), "no readable provenance"),
        (
            lambda run: (run / "benchmarks/scores/one.tsv").write_text("s\nNA\n"),
            r"one\.tsv is not a benchmark",
        ),
        (
            lambda run: (run / "benchmarks/scores/one.tsv").rename(
                run / "benchmarks/scores/two.tsv"
            ),
            r"two\.tsv is not a benchmark",
        ),
    ],
)
def test_a_damaged_run_is_one_sentence(run, damage, sentence):
    damage(run)
    with pytest.raises(InputError, match=sentence):
        read_benchmarks(run)


def test_the_command_prints_the_table_and_refuses_in_a_sentence(run, capsys):
    with pytest.raises(SystemExit) as left:
        scale.main([str(run)])
    assert left.value.code == 0
    assert "Preset tiny" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"^Error: .*no readable provenance"):
        scale.main([str(run.parent)])


def test_a_run_needs_its_files_no_more_and_a_preset_says_where_they_are(run, tmp_path, capsys):
    path = run / "provenance.json"
    record = json.loads(path.read_text())
    faces = {"kind": "embeddings", "path": "faces.npz", "points_per_class": 3}
    record["config"]["experiments"]["one"]["dataset"] = faces
    path.write_text(json.dumps(record))
    # Twice as many points a class, each in half of the time.
    unit = read_benchmarks(run)["observe"].unit
    faces["points_per_class"] = 6
    path.write_text(json.dumps(record))
    assert read_benchmarks(run)["observe"].unit == pytest.approx(unit / 2)
    with pytest.raises(SystemExit, match=r"faces\.npz, which is not there"):
        scale.main([str(run)])
    (tmp_path / "data").mkdir()
    (tmp_path / "data/faces.npz").touch()
    with pytest.raises(SystemExit) as left:
        scale.main([str(run), "--data-dir", str(tmp_path / "data")])
    assert left.value.code == 0
    assert "Preset tiny" in capsys.readouterr().out
