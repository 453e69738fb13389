"""Archives of the field, unpacked without trust.

An archive can name files outside of its folder, links, devices, or a few kilobytes that grow to
fill a disk. Such an archive is refused with a sentence, and nothing of it stays.
"""

import bz2
import gzip
import lzma
import os
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole

_DAMAGE = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError),
    *(EOFError, OverflowError, UnicodeDecodeError, struct.error),
)
_OPENERS = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
_CHUNK = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What an archive may grow to.

    Parameters
    ----------
    bytes : int
        All files together.
    files : int
        Files and folders.
    ratio : float
        Unpacked bytes for each packed one; asked only beyond 64 MiB.
    """

    bytes: int = 8 << 30
    files: int = 200_000
    ratio: float = 200.0


LIMITS = Limits()


def extract_archive(
    archive: str | os.PathLike[str], folder: str | os.PathLike[str], limits: Limits = LIMITS
) -> Path:
    """Unpack a zip or tar archive into a folder of its own.

    Parameters
    ----------
    archive : path-like
        A zip file, or a tar file, plain or packed by gzip, bzip2 or xz.
    folder : path-like
        Whole or absent afterwards; one that is there is replaced.
    limits : Limits
        What the archive may grow to.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InputError
        If it is no archive, is damaged, passes the limits, or holds anything but plain files and
        folders inside of its own folder.
    """
    packed = Path(archive)
    if not packed.is_file():
        raise InputError(f"there is no archive {packed}: fetch it, or put it there")
    with written_whole(folder) as beside:
        beside.mkdir()
        try:
            budget = _Budget(packed, limits, packed.stat().st_size)
            (_unzip if zipfile.is_zipfile(packed) else _untar)(packed, beside, budget)
        except (*_DAMAGE, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # The disk's, not the archive's.
            damage = str(error) or type(error).__name__
            raise InputError(
                f"{packed} is no whole archive ({damage}): delete it and fetch it again"
            ) from error
    return Path(folder)


def _unzip(packed: Path, folder: Path, budget: "_Budget") -> None:
    with zipfile.ZipFile(packed) as archive:
        for member in archive.infolist():
            kind = stat.S_IFMT(member.external_attr >> 16)
            plain = kind in (0, stat.S_IFREG, stat.S_IFDIR)
            target = budget.admitted(folder, member.filename, member.file_size, plain)
            if member.flag_bits & 1:
                raise InputError(f"{packed} has {member.filename!r} under a password: unpack it")
            if member.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            try:
                with archive.open(member) as content:
                    _write(content, target, member.file_size, budget)
            except NotImplementedError as error:
                raise InputError(f"{packed} cannot be unpacked: {error}") from error


def _untar(packed: Path, folder: Path, budget: "_Budget") -> None:
    with _unpacked(packed, budget) as stream, tarfile.open(fileobj=stream, mode="r:") as archive:
        for member in archive:
            plain = (member.isreg() and not member.issparse()) or member.isdir()
            target = budget.admitted(folder, member.name, member.size, plain)
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            content = archive.extractfile(member)
            assert content is not None  # Only links and devices have none.
            _write(content, target, member.size, budget)
        # At a broken header tarfile stops without a word: only zeros end an archive.
        while stream.last:
            if stream.last.strip(b"\0"):
                raise tarfile.ReadError("it goes on with what is no member")
            stream.read(_CHUNK)


def _write(content: IO[bytes], target: Path, size: int, budget: "_Budget") -> None:
    """Write one file that is not there yet, and no byte more than was said."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            shutil.copyfileobj(content, file, _CHUNK)
            if file.tell() != size:
                raise tarfile.ReadError(f"{target.name} is cut off")
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise budget.refusal(f"two members in one place, {target.name!r}") from error


@dataclass
class _Budget:
    """What is left of the limits of one archive."""

    packed: Path
    limits: Limits
    packed_bytes: int
    bytes: int = 0
    files: int = 0

    def refusal(self, what: str) -> InputError:
        return InputError(
            f"{self.packed} is refused, for it holds {what}: fetch it from its source"
        )

    def admitted(self, folder: Path, name: str, size: int, plain: bool) -> Path:
        """Count a member, and say where it goes."""
        path = PurePosixPath(name)
        foreign = "\\" in name or "\0" in name or PureWindowsPath(name).drive
        if foreign or ".." in path.parts or path.is_absolute():
            raise self.refusal(f"a name outside of its folder, {name!r}")
        if not plain:
            raise self.refusal(f"a link, device or sparse file, {name!r}")
        self.files += 1
        self.bytes += size
        if self.files > self.limits.files:
            raise self.refusal(f"more than {self.limits.files:,} files")
        self.check(self.bytes)
        return folder / path

    def check(self, grown: int) -> None:
        """Refuse what grows beyond the limits."""
        if grown > self.limits.bytes:
            raise self.refusal(f"more than {self.limits.bytes:,} bytes")
        if grown > max(64 << 20, self.limits.ratio * self.packed_bytes):
            raise self.refusal(f"{grown:,} bytes in {self.packed_bytes:,}, as no data do")


class _Counted:
    """A stream for tarfile, which stops where the archive passes its limits, headers included."""

    def __init__(self, stream: IO[bytes], budget: _Budget) -> None:
        self._stream = stream
        self._budget = budget
        self.last = b""

    def tell(self) -> int:
        return self._stream.tell()

    def seek(self, position: int) -> int:
        self._budget.check(position - self._headers())
        return self._stream.seek(position)

    def read(self, size: int) -> bytes:
        self._budget.check(self._stream.tell() + size - self._headers())
        self.last = self._stream.read(size)
        return self.last

    def _headers(self) -> int:
        """Bound the bytes of headers and padding, which are no content."""
        return 4096 * (self._budget.files + 4)


@contextmanager
def _unpacked(packed: Path, budget: _Budget) -> Iterator[Any]:
    """Open a tar file, plain or packed, as a stream that is counted."""
    with open(packed, "rb") as file:
        opener: Any = _OPENERS.get(file.read(2), open)
    with opener(packed, "rb") as stream:
        yield _Counted(stream, budget)
