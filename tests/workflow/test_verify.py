import os
import shutil

import numpy as np
import pandas as pd
import pytest
import yaml

from experiments import published, verify
from experiments.provenance import host
from experiments.published import Published, configuration_of
from experiments.stored import write_table
from presets import checked, shipped
from running import snakemake

VERIFY = Published("verify")
ERRORS = pd.read_csv(VERIFY.folder / "errors.csv")
CONFIG = VERIFY.config


def test_the_same_numbers_are_identical_and_some_of_them_suffice():
    for found in (ERRORS, ERRORS[ERRORS["repetition"] == 0].sample(frac=1, random_state=1)):
        table = verify.compare(found, ERRORS, CONFIG)
        assert table["curves"].sum() == len(found)
        assert (table["identical"] == table["curves"]).all()
        assert (table["difference"] == 0).all()


@pytest.mark.parametrize("measure", verify.MEASURES)
@pytest.mark.parametrize(
    ("experiment", "method", "tolerance"),
    [
        ("glyphs", "kde", verify.TOLERANCE),
        ("glyphs", "net", verify.TOLERANCE_TRAINED),
        ("glyphs", "stopped", verify.TOLERANCE_TRAINED),
        ("trained", "kde", verify.TOLERANCE_TRAINED),
    ],
)
def test_a_difference_beyond_the_tolerance_is_seen(measure, experiment, method, tolerance):
    stopped = {"method": "regression", "options": {"solver": "newton_cg"}}
    methods = {**CONFIG["methods"], "net": {"method": "cleanex"}, "stopped": stopped}
    renamed = {"cleanex": "net", "regression": "stopped"}
    before = ERRORS.assign(method=ERRORS["method"].replace(renamed))
    one = before.index[(before["method"] == method) & (before["experiment"] == experiment)][-1]
    for step in (-1.01 * tolerance, 0.99 * tolerance, 1.01 * tolerance, np.nan):
        now = before.copy()
        now.loc[one, measure] += step
        table = verify.compare(now, before, {**CONFIG, "methods": methods})
        own = (table["method"] == method) & (table["tolerance"] == tolerance)
        beyond = table["difference"] > table["tolerance"]
        assert beyond[own].item() == (not abs(step) < tolerance)
        assert not beyond[~own].any()
        assert (table["curves"] - table["identical"])[own].item() == 1
        assert (table["identical"] == table["curves"])[~own].all()


def test_the_command_passes_fails_and_refuses(tmp_path, capsys):
    run = tmp_path / "results/verify"
    run.mkdir(parents=True)
    later = ERRORS[:3].assign(experiment="later", rmse_curve=9)
    pd.concat([ERRORS, later]).to_csv(run / "errors.csv", index=False)
    verify.main(run)
    said = capsys.readouterr().out
    assert f"{len(ERRORS)} curves, all within the tolerances" in said
    assert "not compared: 3 curves" in said
    assert host()["vector_instructions"] in said
    ERRORS.assign(rmse_curve=0.5).to_csv(run / "errors.csv", index=False)
    with pytest.raises(SystemExit, match=r"^Error: beyond the tolerance: .*kde"):
        verify.main(run)
    for wrong in (tmp_path / "results/unknown", tmp_path / "verify"):
        with pytest.raises(SystemExit, match=r"^Error: "):
            verify.main(wrong)


def test_the_record_keeps_what_differed_and_who_made_it(tmp_path, monkeypatch, capsys):
    run, copy = tmp_path / "results/verify", tmp_path / "published"
    shutil.copytree(VERIFY.folder, copy / "verify")
    monkeypatch.setattr(published, "RESULTS", copy)
    write_table(pd.DataFrame({"k": [2]}), run / "predicted/a.parquet", '{"commit": "made"}')
    ERRORS.assign(rmse_curve=ERRORS["rmse_curve"] + 1e-5).to_csv(run / "errors.csv", index=False)
    verify.main(run, record=True)
    kept = Published("verify").record
    found = kept.pop("verified")
    assert kept == VERIFY.record
    assert found["commits"] == ["made"]
    assert {each["method"] for each in found["differing"]} == {*ERRORS["method"]}
    assert found["differing"][0]["difference"] == pytest.approx(1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["Prescott", "Haswell"])
def test_recomputed_errors_are_the_published_ones_with_every_kernel(kernel, tmp_path):
    # Without the network, whose rounding is not OpenBLAS's. A kernel that the processor lacks is
    # replaced by OpenBLAS with one that it has.
    preset = {**shipped("verify"), "repetitions": 1, "reference": "kde"}
    del preset["methods"]["cleanex"]
    (tmp_path / "preset.yaml").write_text(yaml.safe_dump(preset))
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "1"}
    words = ("--cores", "2", "results/verify/errors.csv")
    snakemake(tmp_path, *words, preset=tmp_path / "preset.yaml", environment=environment)
    found = pd.read_csv(tmp_path / "results/verify/errors.csv")
    table = verify.compare(found, ERRORS, preset)
    assert table["curves"].sum() == len(found) == 15
    assert (table["difference"] <= table["tolerance"]).all(), table


def test_the_published_rows_are_the_presets_and_the_papers_seeds():
    preset, paper = checked(shipped("verify")), checked(shipped("paper"))
    assert len(ERRORS) == len(preset.settings) * len(preset.computed) * preset.config["repetitions"]
    setting = preset.settings[0]
    for method in preset.methods:
        of_paper, own = (
            configuration_of(each.config, setting.experiment, method) for each in (paper, preset)
        )
        # The input's rank is not reduced where k1 is below four times it.
        ranks = [each.pop("cleanex.input_rank", None) or 64 for each in (of_paper, own)]
        assert 4 * min(ranks) > setting.k1
        # The paper's regression is the one that depends on the processor.
        assert (of_paper == own) == (method != "regression")
