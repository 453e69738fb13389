import logging
import traceback

import pytest

from accuracy_curves.exceptions import InputError
from downloading import fetch, refusal, source_at
from experiments.datasets.downloads.transfer import Credentials
from misbehaving import DATA

ACCOUNT = {"account": "CRCNS", "register": "https://crcns.org/request-account"}
FORM = {"fn": "set/x.mat", "submit": "Login"}


def test_an_account_is_asked_for_before_the_network(server, tmp_path, monkeypatch):
    monkeypatch.delenv("CRCNS_USER", raising=False)
    monkeypatch.setenv("CRCNS_PASSWORD", "half of it")
    sentence = refusal(source_at(server.url("account"), form=FORM, **ACCOUNT), tmp_path)
    assert "needs an account (https://crcns.org/request-account)" in sentence
    assert "set CRCNS_USER and CRCNS_PASSWORD in the environment" in sentence
    assert not server.asked


def test_an_account_from_the_environment_or_the_caller(server, tmp_path, monkeypatch):
    source = source_at(server.url("account"), form=FORM, **ACCOUNT)
    given = Credentials("ada", "pa$s w&rd")
    assert fetch(source, tmp_path / "a", credentials=given).read_bytes() == DATA
    monkeypatch.setenv("CRCNS_USER", "ada")
    monkeypatch.setenv("CRCNS_PASSWORD", "pa$s w&rd")
    assert fetch(source, tmp_path / "b").read_bytes() == DATA
    assert server.asked == [("POST", "/account", "")] * 2


@pytest.mark.parametrize(
    "answer", ["account", "elsewhere", "refuses", "silent", "missing", "drops"]
)
def test_the_password_is_shown_nowhere(server, tmp_path, monkeypatch, caplog, capfd, answer):
    monkeypatch.setenv("CRCNS_USER", "adalovelace")
    monkeypatch.setenv("CRCNS_PASSWORD", "s3cretword")
    caplog.set_level(logging.DEBUG)
    source = source_at(server.url(answer), form=FORM, **ACCOUNT)
    with pytest.raises(InputError) as caught:
        fetch(source, tmp_path, progress=True)
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    texts = [*shown.format(), caplog.text, *capfd.readouterr(), repr(caught.value)]
    texts += [p.read_text(errors="replace") for p in tmp_path.iterdir()]
    assert caplog.text  # The log was listened to.
    assert "s3cretword" not in "".join(texts)
    assert "adalovelace" not in "".join(texts)
    assert server.count("good") == 0
    if answer == "account":
        assert "user name or password wrong" in str(caught.value)
    if answer == "elsewhere":
        assert server.count("account") == 0
        assert "a password is not sent on" in str(caught.value)


def test_a_password_goes_over_https_only(tmp_path):
    source = source_at("http://crcns.example/x", form=FORM, **ACCOUNT)
    sentence = refusal(source, tmp_path, credentials=Credentials("ada", "x"))
    assert "is not asked over HTTPS" in sentence
