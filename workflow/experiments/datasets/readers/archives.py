"""Archives of the field, unpacked without trust by `zipfile` and `tarfile`.

An archive can name files outside of its folder, links, devices, or a few kilobytes that grow to
fill a disk. Such an archive is refused with a sentence, and nothing of it stays.
"""

import bz2
import gzip
import lzma
import os
import stat
import tarfile
import tempfile
import zipfile
from collections import Counter
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole

_OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}


class Limits(NamedTuple):
    """What an archive may grow to: bytes, members, bytes for each packed one beyond 64 MiB."""

    bytes: int = 8 << 30
    files: int = 200_000
    ratio: float = 200.0


LIMITS = Limits()


class _RefusedError(Exception):
    """What an archive holds that it should not."""


def extract_archive(
    archive: str | os.PathLike[str], folder: str | os.PathLike[str], limits: Limits = LIMITS
) -> Path:
    """Unpack a zip file, or a tar file, plain or packed by gzip, bzip2 or xz.

    The folder is whole or absent afterwards; one that is there is replaced. `InputError` if it is
    no archive, is damaged, passes the limits, or holds anything but plain files and folders inside
    of its own folder.
    """
    packed = Path(archive)
    if not packed.is_file():
        raise InputError(f"there is no archive {packed}: fetch it, or put it there")
    with written_whole(folder) as beside, packed.open("rb") as file:
        beside.mkdir()
        kind = file.read(2)
        try:
            (_unzip if kind == b"PK" else _untar)(packed, beside, limits, _OPENERS.get(kind, open))
        except _RefusedError as refusal:
            raise InputError(
                f"{packed} is refused, for it holds {refusal}: fetch it from its source"
            ) from None
        except Exception as error:  # Damaged archives raise nearly everything.
            if isinstance(error, OSError) and error.errno is not None:
                raise  # The disk's, not the archive's.
            raise InputError(
                f"{packed} is no whole archive ({str(error) or type(error).__name__}): delete it "
                "and fetch it again"
            ) from error
    return Path(folder)


def _unzip(packed: Path, folder: Path, limits: Limits, _: Any) -> None:
    with zipfile.ZipFile(packed) as archive:
        members = archive.infolist()
        modes = [stat.S_IFMT(member.external_attr >> 16) for member in members]
        plain = [mode in (0, stat.S_IFREG, stat.S_IFDIR) for mode in modes]
        _check_members([(one.filename, one.is_dir()) for one in members], plain, limits)
        _check_size(packed, sum(member.file_size for member in members), limits)
        for member in members:
            if member.flag_bits & 1:
                raise _RefusedError(f"{member.filename!r} under a password")
            target = archive.extract(member, folder)
            if not member.is_dir() and os.path.getsize(target) != member.file_size:
                raise zipfile.BadZipFile(f"{member.filename!r} is cut off")


def _untar(packed: Path, folder: Path, limits: Limits, opener: Any) -> None:
    with opener(packed, "rb") as stream, tempfile.TemporaryFile(dir=folder) as unpacked:
        while chunk := stream.read(1 << 20):
            _check_size(packed, unpacked.tell() + len(chunk), limits)
            unpacked.write(chunk)
        unpacked.seek(0)
        with tarfile.open(fileobj=unpacked, mode="r:") as archive:
            members = archive.getmembers()
            # At a broken header tarfile stops without a word: only zeros end an archive.
            unpacked.seek(archive.offset)
            while chunk := unpacked.read(1 << 20):
                if chunk.strip(b"\0"):
                    raise tarfile.ReadError("it goes on with what is no member")
            plain = [one.isdir() or (one.isreg() and not one.issparse()) for one in members]
            _check_members([(one.name, one.isdir()) for one in members], plain, limits)
            for member in members:
                member.mode = 0o644  # No bits of the archive's; folders have the user's own.
            archive.extractall(folder, members, filter="data")


def _check_size(packed: Path, grown: int, limits: Limits) -> None:
    size = packed.stat().st_size
    if grown > limits.bytes:
        raise _RefusedError(f"more than {limits.bytes:,} bytes")
    if grown > max(64 << 20, limits.ratio * size):
        raise _RefusedError(f"{grown:,} bytes in {size:,}, as no data do")


def _check_members(members: list[tuple[str, bool]], plain: list[bool], limits: Limits) -> None:
    """Refuse names and kinds of members; each is a name, and whether it is a folder."""
    if len(members) > limits.files:
        raise _RefusedError(f"more than {limits.files:,} files")
    counts = Counter(PurePosixPath(name) for name, is_folder in members if not is_folder)
    for (name, is_folder), is_plain in zip(members, plain, strict=True):
        path = PurePosixPath(name)
        foreign = "\\" in name or "\0" in name or PureWindowsPath(name).drive
        if foreign or ".." in path.parts or path.is_absolute():
            raise _RefusedError(f"a name outside of its folder, {name!r}")
        if not is_plain:
            raise _RefusedError(f"a link, device or sparse file, {name!r}")
        if counts[path] > 1 - is_folder or any(parent in counts for parent in path.parents):
            raise _RefusedError(f"two members in one place, {name!r}")
