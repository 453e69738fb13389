import hashlib
import json
import logging
import os
from types import SimpleNamespace

import pandas as pd
import pytest

from accuracy_curves import save_scores
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.tables import read_table, table_provenance, write_csv, write_table
from conftest import ROOT, simulated
from damaging import damages
from pipeline.jobs.curve_files import read_curves, read_errors
from pipeline.jobs.job import job
from pipeline.jobs.results import check_results, result_name, stamp_result

CONFIG = {"preset": "p"}
ONE, TWO = "results/p/scores/one.npz", "results/p/scores/two.npz"
CURVE = pd.DataFrame({"repetition": [0, 0, 1, 1], "k": [2, 3, 2, 3], "accuracy": [0.9, 0.8, 1, 0]})


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Two score matrices, and curves of them in two settings, as the jobs write them."""
    monkeypatch.chdir(tmp_path)
    for seed, scores in enumerate((ONE, TWO)):
        save_scores(simulated(8, 2, seed=seed), scores, provenance=stamp_result(CONFIG, scores, {}))
        made_from = check_results([scores])
        name = scores[len("results/p/scores/") : -len(".npz")]
        for kind in (f"true/{name}", f"predicted/{name}/k1_5/kde/0000-0001"):
            path = f"results/p/{kind}.parquet"
            write_table(CURVE, path, stamp_result(CONFIG, path, made_from))
    return tmp_path


def curve(experiment, method="kde"):
    return f"results/p/predicted/{experiment}/k1_5/{method}/0000-0001.parquet"


def swap(one, two):
    os.rename(one, "aside")
    os.rename(two, one)
    os.rename("aside", two)


def test_a_result_is_named_by_its_place_in_any_folder(tmp_path):
    for above in ("", "module/", f"{tmp_path}/"):
        path = tmp_path.__class__(above + curve("one"))
        assert result_name(path) == "predicted/one/k1_5/kde/0000-0001"
    assert result_name(tmp_path / "my_results" / "scores.npz") == ""


def test_what_jobs_wrote_passes_and_says_which_scores_are_behind_it(run):
    made_from = check_results([ONE, curve("one"), "results/p/true/one.parquet", curve("two")])
    assert set(made_from) == {"scores/one", "scores/two"}
    said = json.loads(table_provenance(curve("one")))
    assert said["result"] == "predicted/one/k1_5/kde/0000-0001"
    assert said["made_from"] == {"scores/one": made_from["scores/one"]}


def test_the_same_scores_of_another_commit_are_the_same_scores(run):
    before = check_results([ONE])
    save_scores(simulated(8, 2, seed=0), ONE, provenance="another commit")
    assert check_results([ONE]) == before
    save_scores(simulated(8, 2, seed=3), ONE)
    assert check_results([ONE]) != before


@pytest.mark.parametrize(("one", "two"), [(ONE, TWO), (curve("one"), curve("two"))])
def test_two_results_that_were_swapped_are_refused(run, one, two):
    swap(one, two)
    for path in (one, two):
        with pytest.raises(InputError, match=r"is not what its name says, but .*: delete it"):
            check_results([path])


def test_a_curve_of_other_scores_is_refused_beside_the_rest(run):
    save_scores(simulated(8, 2, seed=9), ONE, provenance=stamp_result(CONFIG, ONE, {}))
    path = curve("one", "auto")
    write_table(CURVE, path, stamp_result(CONFIG, path, check_results([ONE])))
    check_results([path, ONE])
    with pytest.raises(InputError, match="was made from another scores/one"):
        check_results([curve("one"), path])
    with pytest.raises(InputError, match="was made from another scores/one"):
        check_results([ONE, "results/p/true/one.parquet"])


def test_a_result_of_an_older_version_is_taken_and_logged(run, caplog):
    older = next((ROOT / "results/paper/predicted").rglob("*.parquet"))
    save_scores(simulated(8, 2, seed=0), TWO)
    with caplog.at_level(logging.INFO):
        check_results([older, TWO])
    assert caplog.text.count("does not say which result it is") == 2
    assert len(read_table(older))


def test_what_is_no_result_is_not_looked_at(run):
    for name in ("mine.npz", "mine.parquet", "results/p/summary.csv"):
        (run / name).write_text("anything")
    assert check_results(["mine.npz", "mine.parquet", "results/p/summary.csv"]) == {}


def test_damaged_scores_are_refused_or_are_the_same_scores(run):
    path = run / ONE
    before, whole, refused = check_results([ONE]), path.read_bytes(), 0
    for damaged in damages(whole):
        path.write_bytes(damaged)
        try:
            assert check_results([ONE]) == before
        except InputError:
            refused += 1
    assert refused > len(whole) / 6


def test_errors_of_the_results_are_those_of_the_csv_and_not_of_its_editor(run):
    paths = []
    for experiment in ("one", "two"):
        path = f"results/p/errors/{experiment}/k1_5.parquet"
        errors = pd.DataFrame({"method": ["kde", "auto"], "rmse_curve": [1 / 3, 2e-7 / 3]})
        write_table(errors, path, stamp_result(CONFIG, path, {}))
        paths.append(path)
    write_csv(read_curves(paths), "errors.csv")
    before = read_errors(["errors.csv"])
    pd.testing.assert_frame_equal(read_errors(paths), before)
    assert before["rmse_curve"][0] == 0.333333333


def test_a_job_stamps_what_others_read_and_stops_at_a_damaged_input(run, capfd):
    path = "results/p/observed/one/k1_5.parquet"
    snakemake = SimpleNamespace(
        input=[ONE], output=[path], log=["said.log"], config=CONFIG, params={}
    )
    with job(snakemake) as provenance:
        write_table(CURVE, path, provenance)
    assert json.loads(table_provenance(path))["result"] == "observed/one/k1_5"
    digest = hashlib.sha256((run / path).read_bytes()).digest()
    with job(snakemake) as provenance:
        write_table(CURVE, path, provenance)
    assert hashlib.sha256((run / path).read_bytes()).digest() == digest
    snakemake.output = ["figures/p/curves/a.pdf"]
    with job(snakemake) as provenance:
        assert provenance == ""
    (run / ONE).write_bytes((run / ONE).read_bytes()[:-30])
    with pytest.raises(SystemExit), job(snakemake):
        raise AssertionError
    assert capfd.readouterr().err.count("one.npz is cut off, or was changed") == 1
