import json
from types import SimpleNamespace

import pytest

from accuracy_curves.exceptions import InputError
from experiments.job import job
from experiments.provenance import config_hash

CONFIG = {"preset": "p"}


@pytest.fixture
def log(tmp_path):
    return tmp_path / "said.log"


def failed(log, error):
    with (
        pytest.raises(SystemExit) as left,
        job(SimpleNamespace(log=[str(log)], config=CONFIG)),
    ):
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
