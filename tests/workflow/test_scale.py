import copy
import json

import pytest
import yaml

from accuracy_curves.errors import InputError
from conftest import ROOT
from pipeline import scale
from pipeline.config import check_config
from pipeline.schedule import core_seconds, critical_path

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


def jobs_of(run, preset):
    return scale.preset_jobs(check_config(preset), scale.read_benchmarks(run), STARTUP)


def test_the_measured_preset_costs_what_was_measured(run):
    jobs = jobs_of(run, TINY)
    assert jobs["scores one"].seconds == 10
    assert jobs["extrapolate one 20 cleanex 0000-0001"].seconds == pytest.approx(8 + 2 * 22)
    assert jobs["extrapolate one 20 cleanex 0002-0002"].seconds == pytest.approx(30)
    # The ten other jobs were not measured: the start alone.
    assert jobs["boxplots figure2"].seconds == STARTUP
    measured = 10 + 9 + 11 + 12 + 13 + 14
    methods = 6 * STARTUP + 3 * (22 + 7 + 12)
    assert core_seconds(jobs) == pytest.approx(measured + methods + 10 * STARTUP)
    assert critical_path(jobs) == [
        "scores one",
        "extrapolate one 20 cleanex 0000-0001",
        "evaluate one 20",
        "summary",
        "provenance",
    ] or "curves figure4" in critical_path(jobs)


def test_work_scales_with_classes_points_steps_and_repetitions(run):
    larger = copy.deepcopy(TINY)
    larger["experiments"]["one"]["dataset"] |= {"n_classes": 80, "points_per_class": 6}
    larger["experiments"]["one"] |= {"k1": [40], "k2": 80}
    larger["figures"] = {}
    larger["methods"]["cleanex"]["steps"] = 120
    larger["repetitions"], larger["chunk"] = 4, 4
    jobs = jobs_of(run, larger)
    # Twice the points a class, twice the classes: 8 times the entries of the matrix.
    assert jobs["scores one"].seconds == pytest.approx(8 + 8 * (10 - 8))
    regression = jobs["extrapolate one 40 regression 0000-0003"].seconds
    assert regression == pytest.approx(8 + 4 * 8 * (15 - 8))
    # Points x 4, steps x 2, and the widths 40-16-8-1 for 20-16-8-1.
    products = (40 * 16 + 16 * 8 + 8) / (20 * 16 + 16 * 8 + 8)
    cleanex = jobs["extrapolate one 40 cleanex 0000-0003"].seconds
    assert cleanex == pytest.approx(8 + 4 * 4 * 2 * products * (30 - 8))


def test_threads_are_the_presets(run):
    preset = copy.deepcopy(TINY)
    preset["methods"]["cleanex"]["threads"] = 4
    assert jobs_of(run, preset)["extrapolate one 20 cleanex 0000-0001"].threads == 4


def test_the_paper_preset_has_every_job_of_the_workflow(run):
    paper = yaml.safe_load((ROOT / "config/paper.yaml").read_text())
    jobs = jobs_of(run, paper)
    assert sum(name.startswith("extrapolate") for name in jobs) == 32 * 3 * 10
    assert sum(name.startswith("evaluate") for name in jobs) == 32
    table = scale.report(jobs, "title")
    assert "critical path" in table
    assert all(f"\n{cores:>8}" in table for cores in scale.CORES)


def test_a_method_that_was_not_measured_is_one_sentence(run):
    preset = {**copy.deepcopy(TINY), "methods": {"spline": {}}, "reference": "spline"}
    preset["figures"] = {}
    with pytest.raises(InputError, match="no benchmark of the method spline"):
        jobs_of(run, preset)


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
        scale.read_benchmarks(run)


def test_the_command_prints_the_table_and_refuses_in_a_sentence(run, capsys):
    with pytest.raises(SystemExit) as left:
        scale.main([str(run)])
    assert left.value.code == 0
    assert "Preset tiny" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"^Error: .*no readable provenance"):
        scale.main([str(run.parent)])
