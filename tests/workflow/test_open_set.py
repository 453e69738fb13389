"""The workflow on open-set identification: a tiny preset, and the one that is shipped."""

import json
import shutil

import pandas as pd
import pytest
import yaml

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from pipeline.preset.configuration import check_config
from pipeline.preset.settings import settings, stores_matrix
from running import planned, snakemake

PRESET = ROOT / "tests/workflow/presets/open_set.yaml"
OPEN_SET = yaml.safe_load(PRESET.read_text())


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
    assert set(summary["method"][judged]) == {"binomial", "pareto_tail"}
    assert (summary["samples"][judged] == 2).all()
    known = summary[(summary["experiment"] == "known") & (summary["quantity"] == "fpir")]
    assert known["true"].unique().tolist() == [0.3, 0.1]
    errors = pd.read_csv(results / "rate_errors.csv")
    assert len(errors) == 2 * 3 * 3 * 3
    assert errors.columns[-2:].tolist() == ["error_at_0.3", "error_at_0.1"]
    coverage = pd.read_csv(results / "rate_coverage/intervals.csv")
    assert len(coverage) == 2 * 2 * 3 * 2
    files = json.loads((results / "provenance.json").read_text())["sha256"]
    for name in ("rate_matrix/fpir", "rate_matrix/sd", "rate_coverage/intervals", "det/det"):
        assert f"figures/open_set/{name}.png" in files
    assert not (results / "errors.csv").exists()


def test_a_finished_run_does_nothing_and_another_option_makes_anew_what_it_decides(run, tmp_path):
    shutil.copytree(run, tmp_path, dirs_exist_ok=True)
    shutil.rmtree(tmp_path / ".snakemake")
    assert planned(tmp_path, preset=PRESET) == {}
    preset = {**OPEN_SET, "methods": {**OPEN_SET["methods"], "curve": {"method": "cubic"}}}
    changed = tmp_path / "changed.yaml"
    changed.write_text(yaml.safe_dump(preset, sort_keys=False))
    drawn = {"draw_rate_matrix": 2, "draw_det": 1, "summarise_rates": 1}
    assert planned(tmp_path, preset=changed) == {"predict_rates": 2, **drawn}
    changed.write_text(yaml.safe_dump({**OPEN_SET, "fpir": [0.3, 0.2]}, sort_keys=False))
    everything = {"find_true_rates": 2, "predict_rates": 6, "find_rate_intervals": 4}
    assert planned(tmp_path, preset=changed) == {**everything, **drawn, "draw_rate_coverage": 1}


def test_the_shipped_preset_is_valid_where_its_files_are(tmp_path):
    preset = yaml.safe_load((ROOT / "config/identification.yaml").read_text())
    for experiment in preset["experiments"].values():
        options = experiment["dataset"]
        for name in [options.get("path"), *options.get("paths", [])]:
            if name:
                (tmp_path / name).touch()
    checked = check_config({**preset, "data_dir": str(tmp_path)})
    assert [(name, k1) for name, k1 in settings(checked)][:2] == [("lfw", 200), ("omniglot", 100)]
    assert all(stores_matrix(checked, name) for name in checked["experiments"])
    assert checked["repetitions"] == 50


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"question": "speed"}, "question: 'speed' is not one of"),
        ({"question": "accuracy", "figures": {}}, "no method is called 'binomial'"),
        ({"methods": {"binomial": {"knots": 3}}}, "binomial has no option 'knots'"),
        ({"methods": {"binomial": {}, "none": {}}}, "no method is called 'none'"),
        ({"figures": {"matrix": {"all": {}}}}, "identification has no figures of the kind matrix"),
        ({"figures": {"rate_matrix": {"x": {"quantity": "far"}}}}, "'far' is not one of"),
        ({"fpir": [0.3, 1]}, "fpir.1: 1 is greater than or equal to the maximum"),
    ],
)
def test_what_is_wrong_gets_a_sentence(change, sentence):
    with pytest.raises(InputError, match=sentence):
        check_config({**OPEN_SET, **change})


def test_only_a_closed_form_goes_beyond_its_classes():
    experiments = {**OPEN_SET["experiments"]}
    experiments["uniform"] = {**experiments["uniform"], "k2": 61}
    with pytest.raises(InputError, match="k2 = 61 is above the data set's 60 classes"):
        check_config({**OPEN_SET, "experiments": experiments})


def test_accuracies_have_no_figures_of_open_set_rates():
    tiny = yaml.safe_load((ROOT / "tests/workflow/presets/tiny.yaml").read_text())
    with pytest.raises(InputError, match="accuracy has no figures of the kind det"):
        check_config({**tiny, "figures": {"det": {"det": {}}}})
