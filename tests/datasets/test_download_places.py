import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

from accuracy_curves.exceptions import InputError, MissingDependencyError
from downloading import SHA256, fetch, refusal, source_at
from experiments.datasets.downloads.sources import Source
from misbehaving import DATA, PAGE


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


CHILD = """
import os, resource, sys
from pathlib import Path
from experiments.datasets.downloads.sources import Source
from experiments.datasets.downloads.fetching import fetch_source
from experiments.datasets.downloads.transfer import Patience
from accuracy_curves.exceptions import InputError
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
