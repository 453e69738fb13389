"""The workflow on open-set identification: a tiny preset, and the one that is shipped."""

import json
import shutil

import pandas as pd
import pytest
import yaml

from accuracy_curves.exceptions import InputError
from presets import PRESETS, checked, read
from running import copied_project, planned, snakemake

PRESET = PRESETS / "open_set.yaml"
OPEN_SET = read(PRESET)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("open_set")
    snakemake(folder, "--cores", "1", preset=PRESET)
    return folder


def test_a_run_makes_errors_coverage_and_figures(run):
    results = run / "results/open_set"
    summary = pd.read_csv(results / "rate_summary.csv")
    assert len(summary) == 2 * 3 * 3 * 2
    assert (summary["repetitions"] == 3).all()
    judged = summary["covered"].notna()
    assert set(summary["method"][judged]) == {"pareto_tail"}
    assert (summary["samples"][judged] == 2).all()
    known = summary[(summary["experiment"] == "known") & (summary["quantity"] == "fpir")]
    assert known["true"].unique().tolist() == [0.3, 0.1]
    errors = pd.read_csv(results / "rate_errors.csv")
    assert len(errors) == 2 * 3 * 3 * 3
    assert errors.columns[-2:].tolist() == ["error_at_0.3", "error_at_0.1"]
    # A row a setting, and one over all.
    assert len(pd.read_csv(results / "rate_coverage/intervals.csv")) == (2 + 1) * 3 * 2
    for name in ("rate_matrix/fpir", "rate_coverage/intervals", "det/det"):
        assert (run / f"figures/open_set/{name}.png").is_file()
    assert not (results / "errors.csv").exists()
    assert json.loads((results / "provenance.json").read_text())["computed_by"] == []


def test_a_finished_run_does_nothing_and_an_option_makes_anew_what_it_decides(run):
    assert planned(run, preset=PRESET) == {}
    changed = run / "changed.yaml"
    methods = {**OPEN_SET["methods"], "curve": {"method": "cubic"}}
    changed.write_text(yaml.safe_dump({**OPEN_SET, "methods": methods}, sort_keys=False))
    drawn = {"draw": 2, "summarise_rates": 1}
    assert planned(run, preset=changed) == {"predict_rates": 2, **drawn}
    changed.write_text(yaml.safe_dump({**OPEN_SET, "fpir": [0.3, 0.2]}, sort_keys=False))
    everything = {"predict_rates": 6}
    # Not the DET curves, which have all thresholds.
    everything |= {"tabulate_figure": 1, "summarise_rates": 1, "draw": 2}
    assert planned(run, preset=changed) == everything


def test_a_new_method_is_computed_beside_published_rates(run, tmp_path):
    preset = {**OPEN_SET, "preset": "mine", "beside": "open_set", "methods": {"log_quadratic": {}}}
    preset["figures"] = {kind: preset["figures"][kind] for kind in ("rate_matrix", "rate_coverage")}
    del preset["reference"]
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(preset))
    copy = copied_project(tmp_path / "project")
    shutil.copytree(run / "results/open_set", copy / "results/published/open_set")
    given = {"preset": tmp_path / "mine.yaml", "snakefile": copy / "Snakefile"}
    assert planned(tmp_path, **given)["predict_rates"] == 2
    snakemake(tmp_path, "--cores", "1", **given)
    for name in ("rate_errors", "rate_summary", "rate_coverage/intervals"):
        found = pd.read_csv(tmp_path / f"results/mine/{name}.csv")
        known = pd.read_csv(run / f"results/open_set/{name}.csv")
        beside = found[found["method"] != "log_quadratic"].reset_index(drop=True)
        pd.testing.assert_frame_equal(beside, known)
    assert (tmp_path / "figures/mine/rate_matrix/fpir.png").is_file()
    preset["fpir"] = [0.3, 0.2]
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(preset))
    said = snakemake(tmp_path, "--cores", "1", "--dry-run", check=False, **given)
    assert "fpir = [0.3, 0.1] and not [0.3, 0.2]" in said.stdout + said.stderr


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"question": "accuracy", "figures": {}, "reference": "curve"}, "binomial"),
        ({"methods": {"binomial": {"options": {"knots": 3}}}}, "knots"),
        ({"methods": {"binomial": {}, "none": {}}}, "'none'"),
        ({"figures": {"matrix": {"all": {}}}}, "matrix"),
        ({"figures": {"rate_matrix": {"x": {"quantity": "far"}}}}, "'far'"),
        ({"fpir": [0.3, 1]}, "fpir"),
    ],
)
def test_what_is_wrong_gets_a_sentence(change, word):
    with pytest.raises(InputError, match=word):
        checked(OPEN_SET, **change)


def test_only_a_closed_form_goes_beyond_its_classes():
    uniform = {**OPEN_SET["experiments"]["uniform"], "k2": 61}
    with pytest.raises(InputError, match="k2 = 61"):
        checked(OPEN_SET, experiments={**OPEN_SET["experiments"], "uniform": uniform})
