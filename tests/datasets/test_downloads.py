import hashlib
import socket
import subprocess
from dataclasses import replace

import pytest

from downloading import SHA256, fetch, refusal, source_at
from misbehaving import DATA


def test_a_good_host(server, tmp_path):
    path = fetch(source_at(server.url("good")), tmp_path / "new" / "folder")
    assert path == tmp_path / "new" / "folder" / "x.mat"
    assert path.read_bytes() == DATA
    assert [p.name for p in path.parent.iterdir()] == ["x.mat"]


def test_the_bar_is_called_as_the_file(server, tmp_path, capfd):
    fetch(source_at(server.url("good")), tmp_path, progress=True)
    shown = capfd.readouterr()
    assert shown.err.startswith("\rx.mat: ")
    assert "x.mat: 100%" in shown.err
    assert "1.05M/1.05M" in shown.err
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
