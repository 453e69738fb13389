import gzip
import io
import os
import resource
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.readers.archives import Limits, extract_archive

FILES = {"set/a.txt": b"first", "set/deep/b.bin": bytes(range(256)) * 5000, "set/empty": b""}


def write_zip(path: Path, files=FILES, attributes: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = attributes
            archive.writestr(member, content)
    return path


def write_tar(path: Path, files=FILES, how: str = "w:gz", **attributes) -> Path:
    with tarfile.open(path, how) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            for key, value in attributes.items():
                setattr(member, key, value)
            archive.addfile(member, io.BytesIO(content) if member.isreg() else None)
    return path


def content_of(folder: Path) -> dict[str, bytes]:
    found = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}


def refusal(archive: Path, limits: Limits | None = None) -> str:
    """The sentence of the refusal; nothing is left, within the folder and around it."""
    before = sorted(archive.parent.iterdir())
    with pytest.raises(InputError) as caught:
        extract_archive(archive, archive.parent / "out", *([limits] if limits else []))
    assert sorted(archive.parent.iterdir()) == before
    assert str(archive) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["zip", "w:", "w:gz", "w:bz2", "w:xz"])
def test_an_honest_archive(tmp_path, kind):
    packed = tmp_path / "x.archive"
    write_zip(packed) if kind == "zip" else write_tar(packed, how=kind)
    folder = extract_archive(packed, tmp_path / "out")
    assert content_of(folder) == FILES
    (folder / "stray").write_text("of an earlier time")
    assert content_of(extract_archive(packed, folder)) == FILES


def test_an_archive_that_tar_and_zip_wrote(tmp_path):
    for name in FILES:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(FILES[name])
    with tarfile.open(tmp_path / "x.tgz", "w:gz") as archive:
        archive.add(tmp_path / "in", arcname=".")  # With "./" and folders.
    assert content_of(extract_archive(tmp_path / "x.tgz", tmp_path / "out")) == FILES
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as packed:
        for path in (tmp_path / "in").rglob("*"):
            packed.write(path, path.relative_to(tmp_path / "in"))
    assert content_of(extract_archive(tmp_path / "x.zip", tmp_path / "out")) == FILES


@pytest.mark.parametrize("write", [write_zip, write_tar])
@pytest.mark.parametrize(
    "name", ["../out.txt", "set/../../out.txt", "/tmp/out.txt", "..\\out.txt", "C:out.txt", "C:/o"]
)
def test_names_outside_of_the_folder(tmp_path, write, name):
    sentence = refusal(write(tmp_path / "x", {"set/good": b"1", name: b"bad"}))
    assert f"a name outside of its folder, {name!r}" in sentence
    assert not (tmp_path.parent / "out.txt").exists()


@pytest.mark.parametrize(
    "kind",
    [
        tarfile.SYMTYPE,
        tarfile.LNKTYPE,
        tarfile.CHRTYPE,
        tarfile.BLKTYPE,
        tarfile.FIFOTYPE,
        tarfile.GNUTYPE_SPARSE,
    ],
)
@pytest.mark.parametrize("to", ["/etc/passwd", "good"])
def test_links_and_devices_in_tar(tmp_path, kind, to):
    archive = write_tar(tmp_path / "x", {"link": b""}, type=kind, linkname=to)
    assert "a link, device or sparse file, 'link'" in refusal(archive)


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_in_zip(tmp_path, kind):
    archive = write_zip(tmp_path / "x", {"link": b"/etc/passwd"}, (kind | 0o777) << 16)
    assert "a link, device or sparse file, 'link'" in refusal(archive)


def test_no_bits_of_the_archive_are_taken_over(tmp_path):
    archive = write_tar(tmp_path / "x", {"program": b"#!/bin/sh"}, mode=0o6777)
    mode = (extract_archive(archive, tmp_path / "out") / "program").stat().st_mode
    assert not mode & 0o6111


@pytest.mark.parametrize("write", [write_zip, write_tar])
def test_more_bytes_or_files_than_allowed(tmp_path, write):
    archive = write(tmp_path / "x")
    assert "more than 1,000 bytes" in refusal(archive, Limits(bytes=1000))
    assert "more than 2 files" in refusal(archive, Limits(files=2))
    assert content_of(extract_archive(archive, tmp_path / "out", Limits(files=3))) == FILES


@pytest.mark.parametrize("write", [write_zip, write_tar])
def test_a_small_archive_of_a_hundred_million_zeros(tmp_path, write):
    archive = write(tmp_path / "x", {"zeros": bytes(100_000_000)})
    assert archive.stat().st_size < 150_000
    assert "as no data do" in refusal(archive)


def test_a_name_of_a_gigabyte_is_not_read_into_memory(tmp_path):
    header = tarfile.TarInfo("././@LongLink")
    header.type = tarfile.GNUTYPE_LONGNAME
    header.size = 20 << 30
    with gzip.open(tmp_path / "x", "wb") as file:
        file.write(header.tobuf(tarfile.GNU_FORMAT))
        file.write(bytes(1 << 20))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert "is no whole archive" in refusal(tmp_path / "x")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000  # KiB


@pytest.mark.parametrize("said", [10, 4999, 5001, 1 << 30])
def test_a_zip_that_misstates_its_size(tmp_path, said):
    archive = write_zip(tmp_path / "x", {"a": bytes(5000)})
    honest = archive.read_bytes()
    changed = honest.replace((5000).to_bytes(4, "little"), said.to_bytes(4, "little"))
    assert changed != honest
    archive.write_bytes(changed)
    assert "is no whole archive" in refusal(archive, Limits(ratio=1e9))


@pytest.mark.parametrize("write", [write_zip, write_tar])
@pytest.mark.parametrize(
    "names", [["a", "./a"], ["a", "a/b"], ["a/b", "a"], ["a/b/c", "a/b"], ["a", "a/b/c"]]
)
def test_two_members_in_one_place(tmp_path, write, names):
    archive = write(tmp_path / "x", dict.fromkeys(names, b""))
    assert "two members in one place" in refusal(archive)


def test_a_folder_may_be_named_twice(tmp_path):
    with zipfile.ZipFile(tmp_path / "x", "w") as archive:
        archive.mkdir("a")
        archive.mkdir("a/b")
        archive.writestr("a/b/c", b"1")
    assert content_of(extract_archive(tmp_path / "x", tmp_path / "out")) == {"a/b/c": b"1"}
    with tarfile.open(tmp_path / "y", "w") as archive:
        for name in ("a", "a", "a/b"):
            member = tarfile.TarInfo(name)
            member.type = tarfile.DIRTYPE
            archive.addfile(member)
        archive.addfile(tarfile.TarInfo("a/b/c"))
    assert content_of(extract_archive(tmp_path / "y", tmp_path / "out")) == {"a/b/c": b""}


def test_a_member_under_a_password(tmp_path):
    archive = write_zip(tmp_path / "x", {"a": b"1"})
    packed = bytearray(archive.read_bytes())
    packed[packed.index(b"PK\1\2") + 8] |= 1
    archive.write_bytes(packed)
    assert "under a password" in refusal(archive)


@pytest.mark.parametrize("kind", ["zip", "w:", "w:gz", "w:bz2", "w:xz"])
def test_every_cut_is_noticed(tmp_path, kind):
    packed = tmp_path / "x"
    write_zip(packed) if kind == "zip" else write_tar(packed, how=kind)
    whole = packed.read_bytes()
    for keep in (1, 3, 100, 600, len(whole) // 2):
        packed.write_bytes(whole[: min(keep, len(whole) - 9)])
        assert "is no whole archive" in refusal(packed)


@pytest.mark.parametrize("kind", ["zip", "w:gz", "w:bz2", "w:xz"])
def test_a_changed_byte_is_noticed(tmp_path, kind):
    packed = tmp_path / "x"
    noise = {"a": os.urandom(50_000)}
    write_zip(packed, noise) if kind == "zip" else write_tar(packed, noise, how=kind)
    changed = bytearray(packed.read_bytes())
    changed[25_000] ^= 1
    packed.write_bytes(changed)
    assert "is no whole archive" in refusal(packed)


def test_a_broken_header_in_the_middle_is_noticed(tmp_path):
    packed = write_tar(tmp_path / "x", how="w:")
    changed = bytearray(packed.read_bytes())
    changed[changed.index(b"set/deep") + 1] ^= 1
    packed.write_bytes(changed)
    assert "goes on with what is no member" in refusal(packed)


@pytest.mark.parametrize("content", [b"", b"<html>no archive</html>", bytes(5000)])
def test_what_is_no_archive(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    if content == bytes(5000):  # Tar's own way to say: nothing in here.
        assert content_of(extract_archive(tmp_path / "x", tmp_path / "out")) == {}
    else:
        assert "is no whole archive" in refusal(tmp_path / "x")


def test_an_archive_that_is_absent(tmp_path):
    assert "there is no archive" in refusal(tmp_path / "x")
