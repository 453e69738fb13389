import copy
import itertools
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from accuracy_curves.exceptions import InputError
from pipeline.cost import estimate as cost
from pipeline.cost.estimate import OVERHEAD, Job, estimate, fit_line, read_benchmarks, wall_seconds
from pipeline.cost.work import priority_of
from pipeline.preset.configuration import check_config
from running import DEMO, TINY

PRESET = yaml.safe_load(TINY.read_text())
STARTUP = 8.0
DIAMOND = {
    "a": Job(2.0),
    "b": Job(3.0, after=("a",)),
    "c": Job(5.0, after=("a",)),
    "d": Job(1.0, after=("b", "c")),
}


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
    # Left by an earlier form of the preset.
    seconds |= {"extrapolate/one/k1_20/regression/0000-0000": 1e6, "scores/gone": 1e6}
    seconds |= {"observe/one/k1_30": 1e6, "curves/gone": 1e6, "extrapolate/one/k1_20/gone/0": 1e6}
    for name, each in seconds.items():
        path = folder / "benchmarks" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\th:m:s\tmax_rss\n{each}\t0:00:00\t-\n")
    (folder / "provenance.json").write_text(json.dumps({"config": check_config(PRESET)}))
    return folder


def planned(*benchmarks, threads=1):
    """What a dry run prints of jobs, each of which waits for the one before."""
    names = ["", *benchmarks]
    return {
        now: {"input": before, "output": now, "benchmark": f"{now}.tsv", "threads": str(threads)}
        for before, now in itertools.pairwise(names)
    }


def seconds_of(run, preset, name):
    """Estimated seconds of one job of a preset, without Snakemake's own."""
    measured = read_benchmarks(run / "benchmarks", check_config(PRESET))
    jobs, unknown = estimate(planned(name), check_config(preset), measured)
    assert not unknown
    return jobs[name].seconds - OVERHEAD


def test_the_measured_jobs_cost_what_was_measured(run):
    extrapolate = "extrapolate/one/k1_20/cleanex"
    for name, seconds in {
        "scores/one": 10,
        "curves/figure4": 14,
        f"{extrapolate}/0000-0001": 8 + 2 * 22,
        f"{extrapolate}/0002-0002": 30,
    }.items():
        assert seconds_of(run, PRESET, name) == pytest.approx(seconds)


def test_work_scales_with_classes_points_steps_and_repetitions(run):
    larger = copy.deepcopy(PRESET)
    larger["experiments"]["one"]["dataset"] |= {"n_classes": 80, "points_per_class": 6}
    larger["experiments"]["one"] |= {"k1": [40], "k2": 80, "repetitions": 4}
    larger["figures"] = {}
    larger["methods"]["cleanex"]["steps"] = 120
    larger["chunk"] = 4
    # Twice the points a class, twice the classes: 8 times the entries of the matrix.
    assert seconds_of(run, larger, "scores/one") == pytest.approx(8 * 10)
    assert seconds_of(run, larger, "observe/one/k1_40") == pytest.approx(8 * 11 * 4 / 3)
    regression = seconds_of(run, larger, "extrapolate/one/k1_40/regression/0000-0003")
    assert regression == pytest.approx(8 + 4 * 8 * (15 - 8))
    # Points x 4, steps x 2, and the widths 40-16-8-1 for 20-16-8-1.
    products = (40 * 16 + 16 * 8 + 8) / (20 * 16 + 16 * 8 + 8)
    cleanex = seconds_of(run, larger, "extrapolate/one/k1_40/cleanex/0000-0003")
    assert cleanex == pytest.approx(8 + 4 * 4 * 2 * products * (30 - 8))
    # Three networks, whose input is of rank 10.
    larger["methods"]["cleanex"] |= {"networks": 3, "input_rank": 10}
    products = 3 * (10 * 16 + 16 * 8 + 8) / (20 * 16 + 16 * 8 + 8)
    cleanex = seconds_of(run, larger, "extrapolate/one/k1_40/cleanex/0000-0003")
    assert cleanex == pytest.approx(8 + 4 * 4 * 2 * products * (30 - 8))


def test_intervals_take_a_fit_to_all_classes_and_two_to_halves_a_split(run):
    preset = copy.deepcopy(PRESET)
    path = run / "benchmarks/intervals/one/k1_20/regression.tsv"
    path.parent.mkdir(parents=True)
    path.write_text("s\n12\n")
    preset["intervals"] = {"repetitions": 3, "splits": 18}
    # Of 2 repetitions with 10 splits: 1 + 10 / 2 fits' worth of scores each, and now 1 + 18 / 2.
    took = seconds_of(run, preset, "intervals/one/k1_20/regression")
    assert took == pytest.approx(12 * 3 / 2 * 10 / 6)


def test_the_longer_of_two_jobs_comes_first():
    config = check_config(PRESET)
    first, *others = (
        priority_of(Path(f"extrapolate/one/k1_20/{job}.tsv"), config)
        for job in ("cleanex/0000-0001", "cleanex/0002-0002", "regression/0000-0001")
    )
    assert first > max(others)
    assert first > 300 > others[1] > priority_of(Path("summary/summary.tsv"), config) == 10
    intervals = priority_of(Path("intervals/one/k1_20/regression.tsv"), config)
    assert intervals > others[1]  # Twelve fits instead of two.


def test_a_line_is_fitted_with_no_negative_part():
    assert fit_line(np.array([(1, 5), (3, 9)])) == pytest.approx((3, 2))
    assert fit_line(np.array([(2, 6), (2, 10)])) == pytest.approx((0, 4))
    assert fit_line(np.array([(1, 5), (4, 5)])) == pytest.approx((5, 0))
    assert min(fit_line(np.array([(1, 9), (3, 3), (9, 8)]))) >= 0


def test_jobs_wait_for_those_that_make_their_input_and_ask_for_the_presets_threads(run):
    jobs, unknown = estimate(
        planned("scores/one", "class_draw/one/k1_20", threads=4),
        check_config(PRESET),
        read_benchmarks(run / "benchmarks", check_config(PRESET)),
    )
    assert unknown == ["class_draw"]
    assert jobs["class_draw/one/k1_20"] == Job(OVERHEAD, 4, ("scores/one",))
    assert jobs["scores/one"].after == ()


def test_a_diamond_by_hand():
    assert [wall_seconds(DIAMOND, cores) for cores in (1, 2, 100)] == [11, 8, 8]
    assert wall_seconds({}, 3) == 0


def test_threads_occupy_cores_and_are_cut_to_what_there_is():
    jobs = {"wide": Job(4.0, threads=2), "one": Job(4.0), "two": Job(4.0)}
    assert [wall_seconds(jobs, cores) for cores in (1, 2, 4)] == [12, 8, 4]


@pytest.mark.parametrize(("priority", "wall"), [(1, 4), (0, 4), (-1, 6)])
def test_the_first_job_that_is_ready_is_next(priority, wall):
    jobs = {
        **{f"short{number}": Job(1.0) for number in range(4)},
        "long": Job(4.0, 1, (), priority),
    }
    assert wall_seconds(jobs, 2) == wall


@st.composite
def graphs(draw):
    jobs = {}
    for number in range(draw(st.integers(1, 12))):
        before = draw(st.lists(st.sampled_from(sorted(jobs)), unique=True)) if jobs else []
        jobs[f"j{number:02d}"] = Job(draw(st.integers(1, 50)), after=tuple(before))
    return jobs


@settings(deadline=None)
@given(graphs(), st.integers(1, 6))
def test_wall_time_keeps_grahams_bounds(jobs, cores):
    def longest(name):
        return jobs[name].seconds + max(map(longest, jobs[name].after), default=0)

    total, chain = sum(job.seconds for job in jobs.values()), max(map(longest, jobs))
    wall = wall_seconds(jobs, cores)
    assert max(total / cores, chain) <= wall <= total / cores + chain
    assert wall_seconds(jobs, 1) == total
    assert wall_seconds(jobs, len(jobs)) == chain


@pytest.fixture(scope="module")
def demo():
    """The demo's jobs, as Snakemake plans them."""
    return cost.planned_jobs(DEMO)


def test_the_demos_jobs_are_snakemakes(demo):
    config = check_config(yaml.safe_load(DEMO.read_text()))
    counted = Counter(name.split()[0] for name in demo)
    assert (
        counted["evaluate"]
        == counted["measure_draw"]
        == sum(len(each["k1"]) for each in config["experiments"].values())
    )
    assert counted["summarise"] == counted["tabulate_methods"] == counted["record"] == 1
    assert "all" not in counted
    jobs, unknown = estimate(demo, config, [("extrapolate/cleanex", 1.0, 2.0)])
    assert "extrapolate/cleanex" not in unknown
    assert {"scores/simulation", "summary", "extrapolate/kde"} <= set(unknown)
    trained = jobs["extrapolate trained k1_50 kde 0000-0005"].after
    assert set(trained) == {f"train trained k1_50 {each:04d}" for each in range(6)}
    assert all(set(job.after) <= set(jobs) for job in jobs.values())
    made = {path for job in demo.values() for path in job["output"].split(", ")}
    assert not [job for job in demo.values() if set(job.get("input", "").split(", ")) - made - {""}]


def refusal(*words):
    with pytest.raises(SystemExit) as left:
        cost.main([str(word) for word in words])
    return str(left.value.code)


def test_the_command_tabulates_and_says_first_what_was_not_measured(run, demo, monkeypatch, capsys):
    asked = []
    monkeypatch.setattr(cost, "planned_jobs", lambda *words: asked.append(words) or demo)
    assert refusal(DEMO, run) == "0"
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"demo, by the benchmarks of {run}; NOT MEASURED, not counted: ")
    assert "extrapolate/auto" in lines[0]
    assert f"{len(demo)}" == re.search(r"^all +(\d+)", "\n".join(lines), re.MULTILINE)[1]
    assert [int(line.split()[0]) for line in lines[-5:]] == [1, 2, 16, 128, 1000]
    assert refusal(DEMO, run, "data_dir=elsewhere") == "0"
    assert asked == [(DEMO,), (DEMO, "data_dir=elsewhere")]


def test_no_run_and_a_damaged_one_are_one_sentence(run, tmp_path):
    nowhere = tmp_path / "nowhere"
    assert re.fullmatch(
        rf"Error: there is no finished run in {nowhere}: `make demo` makes one; RUN=.*",
        refusal(TINY, nowhere),
    )
    (run / "benchmarks/scores/one.tsv").write_text("s\nNA\n")
    with pytest.raises(InputError, match=r"one\.tsv has no readable time"):
        list(read_benchmarks(run / "benchmarks", check_config(PRESET)))
    assert "one.tsv has no readable time" in refusal(TINY, run)
    (run / "provenance.json").write_text("[]")
    assert refusal(TINY, run).startswith("Error: ")
    assert "Traceback" not in refusal(Path("no.yaml"), run)


def test_a_run_needs_its_files_no_more_and_a_preset_says_where_they_are(run, tmp_path):
    config = check_config(PRESET)
    faces = {"kind": "embeddings", "path": "faces.npz", "points_per_class": 3}
    config["experiments"]["one"]["dataset"] = faces
    work = dict(each[:2] for each in read_benchmarks(run / "benchmarks", config))
    faces["points_per_class"] = 6
    twice = dict(each[:2] for each in read_benchmarks(run / "benchmarks", config))
    assert twice["observe"] == 2 * work["observe"]
    preset = copy.deepcopy(PRESET)
    preset["experiments"]["one"]["dataset"] = faces
    path = tmp_path / "faces.yaml"
    path.write_text(yaml.safe_dump(preset))
    assert "faces.npz, which is not there" in refusal(path, run)
    (tmp_path / "data").mkdir()
    (tmp_path / "data/faces.npz").touch()
    assert refusal(path, run, f"data_dir={tmp_path / 'data'}") == "0"
