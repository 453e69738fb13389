"""Arrays of an npz file, read without trust: the arrays, or one sentence.

NumPy's own reader believes a damaged header: it may allocate terabytes, and raises a dozen kinds
of errors. Here a member's header is compared with its size before anything is allocated.
"""

import math
import os
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError

_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_DEFLATED_MOST = 1032  # Deflate packs no byte of data into less than 1 / 1032 byte.


def array_names(path: str | os.PathLike[str]) -> list[str]:
    """List the arrays of an npz file, in its order; `InputError` if it is none."""
    with _opened(Path(path)) as archive:
        return list(_members(archive))


def load_arrays(path: str | os.PathLike[str], *names: str) -> tuple[npt.NDArray[Any], ...]:
    """Load named arrays of an npz file, in the order of the names.

    `InputError` if it cannot be read, lacks one of them, or holds Python objects there.
    """
    source = Path(path)
    with _opened(source) as archive:
        members = _members(archive)
        for name in names:
            if name not in members:
                raise InputError(f"{source} has no array {name!a}: it has {_listed(members)}")
        return tuple(_read(archive, members[name], name, source) for name in names)


def load_all_arrays(path: str | os.PathLike[str]) -> dict[str, npt.NDArray[Any]]:
    """Load every array of an npz file by its name; errors as of `load_arrays`."""
    names = array_names(path)
    return dict(zip(names, load_arrays(path, *names), strict=True))


def _read(
    archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, source: Path
) -> npt.NDArray[Any]:
    """Read one member; NumPy sees it only once its header and its size agree."""
    what = f"{source}: the array {name!a}"
    if member.flag_bits & 1:
        raise InputError(f"{what} is under a password: write the file with numpy.savez")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise InputError(f"{what} is packed by an unknown method: write the file with numpy.savez")
    if member.file_size > _DEFLATED_MOST * source.stat().st_size:
        raise zipfile.BadZipFile("more than can be packed into the file")
    with archive.open(member) as stream:
        magic = stream.read(len(np.lib.format.MAGIC_PREFIX))
        if magic != np.lib.format.MAGIC_PREFIX:
            raise InputError(
                f"{source} holds no NumPy arrays, such as {name!a}: write it with numpy.savez"
            )
        stream.seek(0)
        shape, _, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
        if dtype.hasobject:
            raise InputError(
                f"{what} holds Python objects, such as None or texts among numbers: save it as an "
                "array of numbers or of text, without gaps"
            )
        count = math.prod(shape)
        if stream.tell() + count * dtype.itemsize != member.file_size or (
            count and not dtype.itemsize
        ):
            raise zipfile.BadZipFile("a header that does not fit the data")
        stream.seek(0)
        found: npt.NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
        return found


@contextmanager
def _opened(source: Path) -> Iterator[zipfile.ZipFile]:
    """Open an npz file; what damage raises, which is nearly everything, becomes a sentence."""
    try:
        file = source.open("rb") if source.is_file() else None
    except OSError as error:
        raise InputError(f"cannot read {source}: {error.strerror or error}") from error
    if file is None:
        raise InputError(f"there is no file {source}: check its name")
    with file, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of Python's parser, about damaged headers.
        magic = file.read(2)
        if not magic:
            raise InputError(f"{source} is empty")
        if magic != b"PK":
            raise InputError(f"{source} is not an .npz file: write it with numpy.savez")
        try:
            with zipfile.ZipFile(file) as archive:
                yield archive
        except InputError:
            raise
        except MemoryError as error:
            raise InputError(f"{source} does not fit in the memory of this machine") from error
        except Exception as error:
            raise InputError(f"{source} is truncated or damaged: write it again") from error


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    return {member.filename.removesuffix(".npy"): member for member in archive.infolist()}


def _listed(names: Iterable[str]) -> str:
    """Write names for a sentence: escaped, and not without end."""
    texts = [ascii(name)[1:-1] or "''" for name in names]
    texts = [text if len(text) <= 40 else f"{text[:40]}..." for text in texts]
    return ", ".join(texts[:10] + [f"and {len(texts) - 10} more"] * (len(texts) > 10)) or "none"
