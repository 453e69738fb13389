import json
import logging

import pytest
from click.testing import CliRunner

from accuracy_curves.evaluation.subsampling import predict
from accuracy_curves.exceptions import InputError
from conftest import simulated
from pipeline.cost.overhead import REPETITION, main, time_spent
from pipeline.preset.configuration import check_config

PRESET = {
    "preset": "one",
    "repetitions": 3,
    "chunk": 2,
    "methods": {"regression": {}, "cleanex": {}},
    "jobs": [{"methods": ["cleanex"], "chunk": 3}],
    "experiments": {
        "one": {"dataset": {"kind": "glyphs", "n_classes": 40}, "k1": [20], "k2": 40},
    },
}


@pytest.fixture
def run(tmp_path):
    for name, seconds in {
        "scores/one": 10,
        "extrapolate/one/k1_20/regression/0000-0001": 8,
        "extrapolate/one/k1_20/regression/0002-0002": 4,
        "extrapolate/one/k1_20/cleanex/0000-0002": 100,
        # Left by an earlier preset, whose chunks were of one repetition.
        "extrapolate/one/k1_20/regression/0001-0001": 1000,
    }.items():
        path = tmp_path / "benchmarks" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\th:m:s\tmax_rss\n{seconds}\t0:00:00\t-\n")
        log = tmp_path / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"2026 repetition {i}: 60 points, {seconds / 4:.3f} s\n" for i in range(2)]
        log.write_text("".join(["2026 something else: 5 s\n", *lines]))
    (tmp_path / "provenance.json").write_text(json.dumps({"config": check_config(PRESET)}))
    return tmp_path


def test_what_is_not_an_estimator_is_overhead(run):
    spent = time_spent(run)
    assert spent["scores"] == (1, 10, 0)
    assert spent["extrapolate/regression"] == (2, 12, 6)
    assert spent["extrapolate/cleanex"] == (1, 100, 50)
    said = CliRunner().invoke(main, [str(run)])
    assert said.exit_code == 0
    # 122 s in all, 56 of them estimators'.
    assert said.output.splitlines()[-1] == "not in an estimator: 54.1 % of the jobs' time"
    # 56 of 2 x 70 s: Snakemake's own time and that of a core without a job as well.
    said = CliRunner().invoke(main, [str(run), "--wall", "70", "--cores", "2"])
    assert said.output.splitlines()[-1].startswith("not in an estimator: 60.0 % of 2 x 70 s")


def test_the_log_is_what_repetitions_write(caplog):
    with caplog.at_level(logging.INFO):
        predict(simulated(20, 2), 10, 20, range(3), (1, "here"), "empirical_bayes", {})
    assert len(REPETITION.findall(caplog.text)) == 3


def test_no_run_and_a_broken_one_are_one_sentence(run, tmp_path):
    with pytest.raises(InputError, match="nowhere has no readable provenance"):
        time_spent(tmp_path / "nowhere")
    log = run / "logs/extrapolate/one/k1_20/cleanex/0000-0002.log"
    log.rename(run / "away")
    with pytest.raises(InputError, match=r"0000-0002\.log is not readable"):
        time_spent(run)
    (run / "away").rename(log)
    (run / "benchmarks/scores/one.tsv").write_text("s\nmany\n")
    said = CliRunner().invoke(main, [str(run)])
    assert said.exit_code == 1
    assert "one.tsv has no readable time" in said.output
    for path in (run / "benchmarks").rglob("*.tsv"):
        path.unlink()
    with pytest.raises(InputError, match="has no benchmarks"):
        time_spent(run)
