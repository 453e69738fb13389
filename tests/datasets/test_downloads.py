"""Downloads from a server on this machine."""

import hashlib
import logging
import subprocess
import time
import traceback
from pathlib import Path

import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.downloads.fetching import fetch_source
from experiments.datasets.downloads.sources import Source
from misbehaving import DATA, PAGE, SHA256

ACCOUNT = {
    "account": "CRCNS",
    "register": "https://crcns.org/request-account",
    "form": {"fn": "set/x.mat", "submit": "Login"},
    "starts_with": "\0",
}


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)


def source_at(*urls: str, **known) -> Source:
    known = {"size": len(DATA), "checksums": {"sha256": SHA256}} | known
    return Source(name="set/x.mat", title="Set X", urls=urls, **known)


def refusal(source: Source, folder: Path) -> str:
    """The sentence with which a fetch ends; it names the place, and leaves nothing there."""
    before = sorted(folder.iterdir())
    with pytest.raises(InputError) as caught:
        fetch_source(source, folder)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert str(folder / "x.mat") in sentence
    assert sorted(folder.iterdir()) == before
    return sentence


def test_a_good_host(server, tmp_path, capfd):
    path = fetch_source(source_at(server.url("good")), tmp_path / "new" / "folder")
    assert path == tmp_path / "new" / "folder" / "x.mat"
    assert path.read_bytes() == DATA
    assert [p.name for p in path.parent.iterdir()] == ["x.mat"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("page", "4,151 bytes"),
        ("short", "1,047,576 bytes"),
        ("other", "SHA-256"),
        ("missing", "404"),
        ("refuses", "ConnectionError"),
        ("drops", "cannot be reached"),
    ],
)
def test_another_address_is_asked_where_one_does_not_give_the_file(
    server, tmp_path, answer, reason
):
    sentence = refusal(source_at(server.url(answer), server.url("missing")), tmp_path)
    assert reason in sentence
    assert "404" in sentence
    assert (
        fetch_source(source_at(server.url(answer), server.url("good")), tmp_path).read_bytes()
        == DATA
    )


def test_a_busy_host_is_asked_again_and_a_redirect_is_followed(server, tmp_path):
    assert fetch_source(source_at(server.url("busy")), tmp_path / "a").read_bytes() == DATA
    assert server.count("busy") == 3
    assert fetch_source(source_at(server.url("moved")), tmp_path / "b").read_bytes() == DATA


def test_each_kind_of_checksum(server, tmp_path):
    git = subprocess.run(["git", "hash-object", "--stdin"], input=DATA, capture_output=True)
    right = {
        "md5": hashlib.md5(DATA, usedforsecurity=False).hexdigest(),
        "git_sha1": git.stdout.decode().strip(),
        "sha256": SHA256,
    }
    for kind, digits in right.items():
        both = {"sha256": SHA256, kind: digits}
        fetch_source(source_at(server.url("good"), checksums=both), tmp_path).unlink()
        wrong = source_at(server.url("good"), checksums=both | {kind: digits[::-1]})
        assert digits in refusal(wrong, tmp_path)


def test_a_file_placed_by_hand_is_used_without_network(tmp_path):
    (tmp_path / "x.mat").write_bytes(DATA)
    source = source_at("http://no-such-host.invalid/x", account="NOBODY")
    assert fetch_source(source, tmp_path) == tmp_path / "x.mat"


@pytest.mark.parametrize(
    ("content", "flaw"),
    [(PAGE, "4,151 bytes"), (DATA[:-1], "1,048,575"), (DATA[::-1], SHA256), (None, "is no file")],
)
def test_a_wrong_file_placed_by_hand_is_refused_and_kept(server, tmp_path, content, flaw):
    path = tmp_path / "x.mat"
    path.mkdir() if content is None else path.write_bytes(content)
    assert flaw in refusal(source_at(server.url("good")), tmp_path)
    assert content is None or path.read_bytes() == content
    assert not server.asked


def test_a_file_without_checksum_must_look_like_itself(tmp_path):
    (tmp_path / "x.mat").write_bytes(b"abc")
    source = source_at("http://unused.invalid", size=None, checksums={}, starts_with="MATLAB")
    assert "MATLAB" in refusal(source, tmp_path)


def test_an_account_is_needed_before_the_network(server, tmp_path, monkeypatch):
    monkeypatch.delenv("CRCNS_USER", raising=False)
    monkeypatch.setenv("CRCNS_PASSWORD", "half of it")
    sentence = refusal(source_at(server.url("account"), **ACCOUNT), tmp_path)
    assert "CRCNS_USER" in sentence
    assert ACCOUNT["register"] in sentence
    assert not server.asked


def test_an_account_of_the_environment(server, tmp_path, monkeypatch):
    monkeypatch.setenv("CRCNS_USER", "ada")
    monkeypatch.setenv("CRCNS_PASSWORD", "pa$s w&rd")
    assert fetch_source(source_at(server.url("account"), **ACCOUNT), tmp_path).read_bytes() == DATA
    assert server.asked == [("POST", "/account")]


@pytest.mark.parametrize("answer", ["account", "elsewhere", "refuses", "missing", "drops"])
def test_the_password_is_shown_nowhere(server, tmp_path, monkeypatch, caplog, capfd, answer):
    monkeypatch.setenv("CRCNS_USER", "adalovelace")
    monkeypatch.setenv("CRCNS_PASSWORD", "s3cretword")
    caplog.set_level(logging.DEBUG)
    source = source_at(server.url(answer), **ACCOUNT)
    with pytest.raises(InputError) as caught:
        fetch_source(source, tmp_path)
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    texts = [*shown.format(), caplog.text, *capfd.readouterr(), repr(caught.value)]
    assert caplog.text  # The log was listened to.
    assert "s3cretword" not in "".join(texts)
    assert "adalovelace" not in "".join(texts)
    if answer == "account":
        assert "password wrong" in str(caught.value)
    if answer == "elsewhere":
        assert server.count("account") == 0
