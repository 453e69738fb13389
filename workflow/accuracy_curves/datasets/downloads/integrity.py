"""Is this file the file of the table? Size, checksums, and no web page saved as data.

Where no checksum is published the first copy is trusted, and its SHA-256 is kept beside it in
`FILE.sha256` (the format of `sha256sum`); from then on a copy must have that sum.
"""

import hashlib
import os
from pathlib import Path

from accuracy_curves.datasets.downloads.sources import Source
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole

CHECKSUM_NAMES = {"sha256": "SHA-256", "md5": "MD5", "git_sha1": "git blob name"}


def find_flaw(path: Path, source: Source, record: Path | None = None) -> str:
    """Compare a file with what is known of it.

    Parameters
    ----------
    path : Path
        An existing file.
    source : Source
        What it should be.
    record : Path or None
        Where the sum of the first copy is kept, for a file of no known checksum.

    Returns
    -------
    str
        What is wrong, to follow the words "the file ..."; empty where all is right.
    """
    if path.is_dir():
        return "is a folder"
    with open(path, "rb") as file:
        head = file.read(512)
    if is_web_page(head):
        return "is a web page (HTML) and not the data"
    size = path.stat().st_size
    if source.size is not None and size != source.size:
        return f"has {size:,} bytes and not {source.size:,}"
    if not size:
        return "is empty"
    if source.starts_with and not head.startswith(source.starts_with.encode()):
        return f'does not start with "{source.starts_with}"'
    for kind, expected in source.checksums.items():
        found = checksum(path, kind)
        if found != expected:
            return f"has the {CHECKSUM_NAMES[kind]} {found} and not {expected}"
    if not source.checksums and record is not None and record.exists():
        first = (record.read_text(encoding="ascii", errors="replace").split() or [""])[0]
        found = checksum(path, "sha256")
        if found != first:
            return f"has the SHA-256 {found} and not {first}, that of the first copy ({record})"
    return ""


def record_of(path: Path) -> Path:
    """Name the file in which the sum of the first copy is kept."""
    return path.with_name(f"{path.name}.sha256")


def keep_first_sum(path: Path, source: Source) -> None:
    """Write the SHA-256 of a first copy beside it, where no checksum is published.

    Parameters
    ----------
    path : Path
        The file; in a folder that cannot be written to, nothing is kept.
    source : Source
        What the table knows of it.
    """
    record = record_of(path)
    if source.checksums or record.exists() or not os.access(path.parent, os.W_OK):
        return
    with written_whole(record) as beside:
        beside.write_text(f"{checksum(path, 'sha256')}  {path.name}\n", encoding="ascii")


def check_copy(path: Path, source: Source) -> None:
    """Check a file that is already there.

    Parameters
    ----------
    path : Path
        The file.
    source : Source
        What it should be.

    Raises
    ------
    InputError
        If it is another file, or cannot be read.
    """
    try:
        flaw = find_flaw(path, source, record_of(path))
        if not flaw:
            keep_first_sum(path, source)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if flaw:
        raise InputError(
            f"the file {path} {flaw}: delete it to have it downloaded, or put the right one there"
        )


def is_web_page(head: bytes) -> bool:
    """Tell a web page by its first bytes."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script"))


def checksum(path: Path, kind: str) -> str:
    """Compute a checksum of a file.

    Parameters
    ----------
    path : Path
        The file.
    kind : {"sha256", "md5", "git_sha1"}
        Git's name of a blob is the SHA-1 of "blob SIZE", a zero byte, and the content.

    Returns
    -------
    str
        Hexadecimal digits.
    """
    with open(path, "rb") as file:
        if kind != "git_sha1":
            return hashlib.file_digest(file, kind).hexdigest()
        start = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
        return hashlib.file_digest(file, lambda: start).hexdigest()
