"""Is this file the file of the table? Its size, checksums, and first characters."""

import hashlib
from pathlib import Path

from accuracy_curves.exceptions import InputError
from experiments.datasets.downloads.sources import CHECKSUM_NAMES, Source


def find_flaw(path: Path, source: Source) -> str:
    """Say what is wrong with a file, to follow "the file ..."; empty where all is right."""
    if not path.is_file():
        return "is no file"
    size = path.stat().st_size
    if source.size is not None and size != source.size:
        return f"has {size:,} bytes and not {source.size:,}"
    with path.open("rb") as file:
        if not file.read(512).startswith(source.starts_with.encode()):
            return f'does not start with "{source.starts_with}"'
    for kind, digits in source.checksums.items():
        if (found := _checksum(path, kind)) != digits:
            return f"has the {CHECKSUM_NAMES[kind]} {found} and not {digits}"
    return ""


def check_copy(path: Path, source: Source) -> None:
    """Refuse a file that is already there if it is another one, or cannot be read."""
    try:
        flaw = find_flaw(path, source)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    if flaw:
        raise InputError(
            f"the file {path} {flaw}: delete it to have it downloaded, or put the right one there"
        )


def _checksum(path: Path, kind: str) -> str:
    """Compute the digits of a checksum; git's is the SHA-1 of "blob SIZE", zero, and content."""
    start = hashlib.new(kind.removeprefix("git_"), usedforsecurity=False)
    if kind == "git_sha1":
        start.update(b"blob %d\0" % path.stat().st_size)
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: start).hexdigest()
