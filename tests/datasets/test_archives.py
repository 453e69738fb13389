import io
import tarfile
import zipfile
from contextlib import suppress

import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.readers import unpack

FILES = {"set/a.txt": b"first", "set/deep/b.bin": bytes(range(256)) * 5000, "set/empty": b""}


def write(path, kind, files=FILES, **attributes):
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return path
    with tarfile.open(path, kind) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for key, value in attributes.items():
                setattr(member, key, value)
            archive.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return path


def content_of(folder):
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


KINDS = ["zip", "w:", "w:gz", "w:bz2", "w:xz"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_archive_of_each_kind(tmp_path, kind):
    unpack(write(tmp_path / "x", kind), tmp_path / "out")
    assert content_of(tmp_path / "out") == FILES


@pytest.mark.parametrize("kind", KINDS)
def test_half_of_an_archive_is_one_sentence(tmp_path, kind):
    whole = write(tmp_path / "x", kind).read_bytes()
    (tmp_path / "x").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="x cannot be read"):
        unpack(tmp_path / "x", tmp_path / "out")


@pytest.mark.parametrize("kind", ["zip", "w:gz"])
@pytest.mark.parametrize("name", ["../out.txt", "set/../../out.txt"])
def test_nothing_is_written_outside_of_the_folder(tmp_path, kind, name):
    (tmp_path / "in").mkdir()
    # A zip file's member moves into the folder; a tar file is refused.
    with suppress(InputError):
        unpack(write(tmp_path / "in/x", kind, {name: b"bad"}), tmp_path / "in/out")
    assert not (tmp_path / "in/out.txt").exists()
    assert not (tmp_path / "out.txt").exists()


def test_a_link_out_of_the_folder_is_refused(tmp_path):
    archive = write(
        tmp_path / "x", "w:", {"link": b""}, type=tarfile.SYMTYPE, linkname="/etc/passwd"
    )
    with pytest.raises(InputError, match="link"):
        unpack(archive, tmp_path / "out")


def test_what_is_no_archive(tmp_path):
    (tmp_path / "x").write_bytes(b"<html>no archive</html>")
    with pytest.raises(InputError, match="x cannot be read"):
        unpack(tmp_path / "x", tmp_path / "out")
