import json
import runpy
from types import SimpleNamespace

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from experiments.job import job
from experiments.provenance import config_hash

CONFIG = {"preset": "p"}


@pytest.fixture
def log(tmp_path):
    return tmp_path / "said.log"


def failed(log, error):
    with pytest.raises(SystemExit) as left, job(SimpleNamespace(log=[str(log)], config=CONFIG)):
        raise error
    assert left.value.code == 1


def test_what_a_job_says_is_in_its_log_and_not_on_the_terminal(log, capfd):
    with job(SimpleNamespace(log=[str(log)], config=CONFIG)) as stamp:
        print("printed")
    assert json.loads(stamp)["config_sha256"] == config_hash(CONFIG)
    assert log.read_text() == "printed\n"
    assert capfd.readouterr() == ("", "")


def test_an_error_of_this_project_is_its_sentence_and_another_one_a_traceback(log, capfd):
    failed(log, InputError("no scores"))
    assert log.read_text() == capfd.readouterr().err == "no scores\n"
    failed(log, KeyError("scores"))
    assert "Traceback" in log.read_text()
    assert "KeyError: 'scores'" in capfd.readouterr().err


def test_k2_above_the_classes_of_a_score_file_is_refused(log, tmp_path):
    np.savez(tmp_path / "s.npz", scores=np.eye(5), labels=np.arange(5), higher_is_better=True)
    params = {"stored": True, "known": False, "seed": 1, "k2": 6}
    params["dataset"] = {"kind": "scores", "path": str(tmp_path / "s.npz")}
    snakemake = SimpleNamespace(
        **{"input": [], "output": [str(tmp_path / "made.npz")], "log": [str(log)]},
        **{"params": SimpleNamespace(**params), "config": {"data_dir": ""}},
        wildcards=SimpleNamespace(experiment="mine"),
    )
    with pytest.raises(SystemExit):
        runpy.run_path(str(ROOT / "workflow/scripts/score.py"), {"snakemake": snakemake})
    assert log.read_text().startswith("experiments.mine: k2 = 6 is above the 5 classes")
