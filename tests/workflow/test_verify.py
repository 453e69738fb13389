import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest
import yaml

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from pipeline import verify
from pipeline.preset.configuration import check_config
from pipeline.preset.settings import settings
from pipeline.provenance import host
from running import snakemake

COMMITTED = pd.read_csv(ROOT / "results/verify/errors.csv")
CONFIG = json.loads((ROOT / "results/verify/provenance.json").read_text())["config"]


def test_the_same_numbers_are_identical_and_some_of_them_suffice():
    table = verify.compare(COMMITTED, COMMITTED, CONFIG)
    assert table["curves"].sum() == len(COMMITTED)
    assert (table["identical"] == table["curves"]).all()
    assert (table["difference"] == 0).all()
    some = COMMITTED[COMMITTED["repetition"] == 0].sample(frac=1, random_state=1)
    assert verify.compare(some, COMMITTED, CONFIG)["curves"].sum() == len(some)


@pytest.mark.parametrize("measure", verify.MEASURES)
@pytest.mark.parametrize(
    ("experiment", "method", "tolerance"),
    [
        ("glyphs", "kde", verify.TOLERANCE),
        ("glyphs", "net", verify.TOLERANCE_TRAINED),
        ("glyphs", "regression", verify.TOLERANCE),
        ("glyphs", "stopped", verify.TOLERANCE_TRAINED),
        ("trained", "kde", verify.TOLERANCE_TRAINED),
    ],
)
def test_a_difference_beyond_the_tolerance_is_seen(measure, experiment, method, tolerance):
    stopped = {"method": "regression", "solver": "newton_cg"}
    methods = {**CONFIG["methods"], "net": {"method": "cleanex"}, "stopped": stopped}
    renamed = {"cleanex": "net", **({"regression": "stopped"} if method == "stopped" else {})}
    before = COMMITTED.assign(method=COMMITTED["method"].replace(renamed))
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


def test_what_cannot_be_compared_is_one_sentence():
    with pytest.raises(InputError, match="no recomputed errors"):
        verify.compare(COMMITTED[:0], COMMITTED, CONFIG)
    with pytest.raises(InputError, match="repetition = 77"):
        verify.compare(COMMITTED.assign(repetition=77), COMMITTED, CONFIG)
    with pytest.raises(InputError, match="rmse_curve"):
        verify.compare(COMMITTED.drop(columns="rmse_curve"), COMMITTED, CONFIG)


def test_the_command_passes_fails_and_refuses(tmp_path, capsys):
    run = tmp_path / "results/verify"
    run.mkdir(parents=True)
    COMMITTED.to_csv(run / "errors.csv", index=False)
    with pytest.raises(SystemExit) as left:
        verify.main([str(run)])
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert f"{len(COMMITTED)} curves, all within the tolerances" in said
    assert host()["vector_instructions"] in said
    more = pd.concat([COMMITTED, COMMITTED[:3].assign(experiment="later", rmse_curve=9)])
    more.to_csv(run / "errors.csv", index=False)
    with pytest.raises(SystemExit) as left:
        verify.main([str(run)])
    assert left.value.code == 0
    assert "not compared: later" in capsys.readouterr().out
    COMMITTED.assign(rmse_curve=0.5).to_csv(run / "errors.csv", index=False)
    with pytest.raises(SystemExit, match=r"^Error: beyond the tolerance: .*kde"):
        verify.main([str(run)])
    with pytest.raises(SystemExit, match=r"^Error: results/unknown/errors\.csv is neither"):
        verify.main([str(tmp_path / "results/unknown")])


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX"])
def test_recomputed_errors_are_the_committed_ones_with_every_kernel(kernel, tmp_path):
    # Without the network, whose rounding is not OpenBLAS's. A kernel that the processor lacks is
    # replaced by OpenBLAS with one that it has.
    preset = yaml.safe_load((ROOT / "config/verify.yaml").read_text())
    del preset["methods"]["cleanex"]
    preset |= {"repetitions": 1, "reference": "kde"}
    (tmp_path / "preset.yaml").write_text(yaml.safe_dump(preset))
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_NUM_THREADS": "1"}
    words = ("--cores", "2", "results/verify/errors.csv")
    snakemake(tmp_path, *words, preset=tmp_path / "preset.yaml", environment=environment)
    found = pd.read_csv(tmp_path / "results/verify/errors.csv")
    table = verify.compare(found, COMMITTED, preset)
    assert table["curves"].sum() == len(found) == 15
    assert (table["difference"] <= table["tolerance"]).all(), table


def test_committed_numbers_are_those_of_git_whatever_lies_in_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(verify, "ROOT", tmp_path)
    path = tmp_path / "results/p/errors.csv"
    path.parent.mkdir(parents=True)
    path.write_text("committed")
    name = path.relative_to(tmp_path)
    assert verify.committed_file(name) == "committed"  # no git checkout
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    path.write_text("overwritten by a run")
    assert verify.committed_file(name) == "committed"


def test_the_committed_rows_are_the_presets_and_the_papers_seeds():
    preset = yaml.safe_load((ROOT / "config/verify.yaml").read_text())
    rows = len(settings(check_config(preset))) * len(preset["methods"]) * preset["repetitions"]
    assert len(COMMITTED) == rows
    paper = check_config(yaml.safe_load((ROOT / "config/paper.yaml").read_text()))
    name = "normal_normal_d5_v0.1"
    assert paper["seed"] == preset["seed"]
    assert paper["experiments"][name]["dataset"] == preset["experiments"][name]["dataset"]
    # Its regression is the one that does not depend on the processor.
    assert paper["methods"]["regression"] == {"solver": "newton_cg"}
    for method in ("cleanex", "kde", "radial_nnls", "spline", "auto"):
        # The input's rank is not reduced where k1 is below four times it.
        options = {**paper["methods"][method]}
        assert 4 * options.pop("input_rank", 64) > 100
        assert options == preset["methods"][method]
