import hashlib
import logging
import socket
import subprocess
import sys
import textwrap
import traceback
from dataclasses import replace
from pathlib import Path

import pytest

from accuracy_curves.datasets.access import Credentials, Patience
from accuracy_curves.datasets.sources import Source
from accuracy_curves.downloads import fetch_source
from accuracy_curves.errors import InputError, MissingDependencyError
from misbehaving import DATA, PAGE, Server, misbehaving_server

SHA256 = hashlib.sha256(DATA).hexdigest()
QUICK = Patience(attempts=3, backoff=0.01, longest=0.05, connect=2, read=0.3)


@pytest.fixture(scope="module")
def server():
    with misbehaving_server() as running:
        yield running


@pytest.fixture(autouse=True)
def fresh(server: Server) -> None:
    server.asked.clear()


def source_at(*urls: str, **known) -> Source:
    known = {"size": len(DATA), "checksums": {"sha256": SHA256}} | known
    return Source(name="set/x.mat", title="Set X", urls=urls, **known)


def fetch(source: Source, folder: Path, **options) -> Path:
    return fetch_source(source, folder, **{"patience": QUICK, "progress": False} | options)


def refusal(source: Source, folder: Path, **options) -> str:
    """The sentence with which a fetch ends; it names the place, and leaves nothing there."""
    before = sorted(folder.iterdir())
    with pytest.raises(InputError) as caught:
        fetch(source, folder, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert str(folder / "x.mat") in sentence
    assert sorted(folder.iterdir()) == before
    return sentence


def test_a_good_host(server, tmp_path):
    path = fetch(source_at(server.url("good")), tmp_path / "new" / "folder")
    assert path == tmp_path / "new" / "folder" / "x.mat"
    assert path.read_bytes() == DATA
    assert [p.name for p in path.parent.iterdir()] == ["x.mat"]


def test_the_bar_is_called_as_the_file(server, tmp_path, capfd):
    fetch(source_at(server.url("good")), tmp_path, progress=True)
    shown = capfd.readouterr()
    assert shown.err.startswith("x.mat ")
    assert "1.0/1.0 MB" in shown.err
    assert shown.out == ""
    (tmp_path / "x.mat").unlink()
    fetch(source_at(server.url("good")), tmp_path)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("answer", "reason", "attempts"),
    [
        ("page", "sends a web page (HTML) instead of the data", 1),
        ("short", "sends 1,047,576 bytes instead of 1,048,576", 1),
        ("long", "sends more than the 1,048,576 bytes", 1),
        ("other", "sends a file that has the SHA-256", 1),
        ("missing", "answers 404 Not Found", 1),
        ("nowhere", "redirects without end", 9),
        ("stalls", "sends nothing for 0.3 s, in 3 attempts", 3),
        ("silent", "sends nothing for 0.3 s, in 3 attempts", 3),
        ("refuses", "breaks the connection after 0 bytes, in 3 attempts", 3),
        ("drops", "breaks the connection after", 3),
        ("drops_unsaid", "sends 600,000 bytes instead of 1,048,576, in 3 attempts", 3),
    ],
)
def test_each_misbehaviour_ends_with_a_sentence(server, tmp_path, answer, reason, attempts):
    sentence = refusal(source_at(server.url(answer)), tmp_path)
    assert f"127.0.0.1 {reason}" in sentence
    assert sentence.endswith(
        f"put the file by hand at {tmp_path / 'x.mat'} "
        f"(from {server.url(answer)}, 1,048,576 bytes, SHA-256 {SHA256})"
    )
    assert server.count(answer) == attempts


@pytest.mark.parametrize("answer", ["page", "short", "other", "missing", "silent", "drops"])
def test_the_next_address_is_tried(server, tmp_path, answer):
    path = fetch(source_at(server.url(answer), server.url("good")), tmp_path)
    assert path.read_bytes() == DATA
    assert server.asked[-1][1] == "/good"


def test_every_address_has_its_reason(server, tmp_path):
    sentence = refusal(source_at(server.url("missing"), server.url("page")), tmp_path)
    assert "127.0.0.1 answers 404 Not Found; 127.0.0.1 sends a web page" in sentence


def test_a_dead_port_and_an_unknown_host(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # Bound and not listening: refused.
        dead = f"http://127.0.0.1:{taken.getsockname()[1]}/x"
        sentence = refusal(source_at(dead, "http://no-such-host.invalid/x"), tmp_path)
    assert "127.0.0.1 cannot be reached, in 3 attempts" in sentence
    assert "no-such-host.invalid cannot be reached, in 3 attempts" in sentence


def test_an_address_that_is_none(tmp_path):
    assert "cannot be asked (InvalidSchema)" in refusal(source_at("gopher://there/x"), tmp_path)


def test_a_busy_host_is_asked_again_and_a_redirect_is_followed(server, tmp_path):
    assert fetch(source_at(server.url("busy")), tmp_path / "a").read_bytes() == DATA
    assert server.count("busy") == 3
    assert fetch(source_at(server.url("moved")), tmp_path / "b").read_bytes() == DATA


def test_a_broken_download_is_resumed_where_it_broke(server, tmp_path):
    assert fetch(source_at(server.url("resumes")), tmp_path).read_bytes() == DATA
    starts = [asked[2] for asked in server.asked]
    assert starts[0] == ""
    assert 0 < int(starts[1].removeprefix("bytes=").removesuffix("-")) <= 600_000
    assert len(starts) == 2


@pytest.mark.parametrize("answer", ["replaced", "wrong_part"])
def test_a_download_that_cannot_be_resumed_starts_again(server, tmp_path, answer):
    assert fetch(source_at(server.url(answer)), tmp_path).read_bytes() == DATA


def test_a_file_that_became_shorter_between_two_attempts(server, tmp_path):
    source = source_at(server.url("shrinks"), size=None, checksums={})
    assert fetch(source, tmp_path).read_bytes() == DATA[:1000]


def test_no_download_starts_without_room_for_it(server, tmp_path):
    sentence = refusal(source_at(server.url("huge"), size=1 << 60), tmp_path)
    assert (
        "No space left on device; make room for the file of 1,152,921,504,606,846,976" in sentence
    )
    assert server.count("huge") == 1


@pytest.mark.parametrize(
    "checksums",
    [
        {"md5": hashlib.md5(DATA, usedforsecurity=False).hexdigest()},
        {"git_sha1": "?"},
        {"sha256": SHA256, "md5": "0" * 32},
    ],
)
def test_each_kind_of_checksum(server, tmp_path, checksums):
    if "git_sha1" in checksums:  # What git itself says.
        told = subprocess.run(["git", "hash-object", "--stdin"], input=DATA, capture_output=True)
        checksums = {"git_sha1": told.stdout.decode().strip()}
    source = source_at(server.url("good"), checksums=checksums)
    if len(checksums) == 1:
        assert fetch(source, tmp_path).read_bytes() == DATA
        kind, digits = next(iter(checksums.items()))
        source = replace(source, checksums={kind: digits[::-1]})
        (tmp_path / "x.mat").unlink()
    assert "sends a file that has the" in refusal(source, tmp_path)


def test_a_file_placed_by_hand_is_used_without_network(tmp_path):
    (tmp_path / "x.mat").write_bytes(DATA)
    source = source_at("http://no-such-host.invalid/x", account="NOBODY")
    assert fetch(source, tmp_path) == tmp_path / "x.mat"


@pytest.mark.parametrize(
    ("content", "flaw"),
    [
        (PAGE, "is a web page (HTML) and not the data"),
        (DATA[:-1], "has 1,048,575 bytes and not 1,048,576"),
        (DATA[::-1], f"and not {SHA256}"),
    ],
)
def test_a_wrong_file_placed_by_hand_is_refused_and_kept(server, tmp_path, content, flaw):
    (tmp_path / "x.mat").write_bytes(content)
    sentence = refusal(source_at(server.url("good")), tmp_path)
    assert flaw in sentence
    assert "delete it" in sentence
    assert (tmp_path / "x.mat").read_bytes() == content
    assert not server.asked


def test_a_folder_in_the_place_of_the_file(tmp_path):
    (tmp_path / "x.mat").mkdir()
    assert "is a folder" in refusal(source_at("http://no-such-host.invalid/x"), tmp_path)


def test_the_first_copy_without_a_published_checksum_is_trusted(server, tmp_path):
    source = source_at(server.url("good"), size=None, checksums={})
    path = fetch(source, tmp_path)
    assert (tmp_path / "x.mat.sha256").read_text() == f"{SHA256}  x.mat\n"
    assert fetch(source, tmp_path) == path
    path.write_bytes(DATA[::-1])
    assert "that of the first copy" in refusal(source, tmp_path)
    path.unlink()
    assert "that of the first copy" in refusal(
        replace(source, urls=(server.url("other"),)), tmp_path
    )


@pytest.mark.parametrize(("content", "flaw"), [(b"", "is empty"), (b"abc", 'start with "MATLAB"')])
def test_a_file_without_checksum_must_look_like_itself(tmp_path, content, flaw):
    (tmp_path / "x.mat").write_bytes(content)
    source = source_at("http://unused.invalid", size=None, checksums={}, starts_with="MATLAB")
    assert flaw in refusal(source, tmp_path)


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


CHILD = """
import os, resource, sys
from pathlib import Path
from accuracy_curves.datasets.access import Patience
from accuracy_curves.datasets.sources import Source
from accuracy_curves.downloads import fetch_source
from accuracy_curves.errors import InputError
url, folder, size, sha, limit = sys.argv[1:]
if int(limit):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
source = Source(
    name="set/x.mat", title="Set X", urls=(url,), size=int(size) or None,
    checksums={"sha256": sha},
)
try:
    fetch_source(source, folder, progress=False, patience=Patience(attempts=2, read=5))
except InputError as error:
    print(error)
print(sorted(os.listdir(folder)))
"""


def child(url: str, folder: Path, size: int = 0, limit: int = 0, before: str = "") -> list[str]:
    python = [sys.executable, "-c", textwrap.dedent(CHILD)]
    command = [*python, url, str(folder), str(size), SHA256, str(limit)]
    if before:
        command = ["unshare", "--mount", "sh", "-c", f'{before} && exec "$@"', "sh", *command]
    told = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def test_a_file_larger_than_allowed(server, tmp_path):
    sentence, left = child(server.url("good"), tmp_path, len(DATA), limit=500_000)
    assert sentence.startswith(f"cannot write {tmp_path / 'x.mat'}: File too large; make room")
    assert left == "[]"


@pytest.mark.parametrize(("answer", "size"), [("good", len(DATA)), ("endless", 0)])
def test_a_full_disk(server, tmp_path, answer, size):
    mount = f"mount -t tmpfs -o size=512k none {tmp_path}"
    allowed = subprocess.run(["unshare", "--mount", "sh", "-c", mount], capture_output=True)
    if allowed.returncode:
        pytest.skip("no permission to mount a small disk")
    sentence, left = child(server.url(answer), tmp_path, size, before=mount)
    assert sentence.startswith(f"cannot write {tmp_path / 'x.mat'}: No space left on device")
    assert sentence.endswith("or choose another folder")
    assert left == "[]"


def test_processes_that_fetch_the_same_file_at_the_same_time(server, tmp_path):
    python = [sys.executable, "-c", textwrap.dedent(CHILD)]
    command = [*python, server.url("together"), str(tmp_path), str(len(DATA)), SHA256, "0"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate(timeout=60)[0] for process in running]
    assert all("could not" not in text for text in told)
    assert [p.name for p in tmp_path.iterdir()] == ["x.mat"]
    assert (tmp_path / "x.mat").read_bytes() == DATA


def test_a_file_of_an_installed_package(tmp_path, monkeypatch):
    package = tmp_path / "some_models"
    (package / "models").mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('not to be imported')")
    source = Source(
        name="landmarks/models/x.dat",
        title="Landmarks",
        package="some_models",
        version="some_models 0.3.0",
        checksums={"sha256": SHA256},
    )
    with pytest.raises(MissingDependencyError, match=r"install some_models==0\.3\.0"):
        fetch(source, tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingDependencyError, match="install some_models again"):
        fetch(source, tmp_path)
    (package / "models" / "x.dat").write_bytes(DATA)
    assert fetch(source, tmp_path) == package / "models" / "x.dat"
    (package / "models" / "x.dat").write_bytes(DATA[1:])
    with pytest.raises(InputError, match="SHA-256"):
        fetch(source, tmp_path)
