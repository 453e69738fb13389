"""Is this file the file of the table? Size, checksums, and no web page saved as data.

Where no checksum is published the first copy is trusted, and its SHA-256 is kept beside it in
`FILE.sha256` (the format of `sha256sum`); from then on a copy must have that sum.
"""

import hashlib
import os
from pathlib import Path

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole
from experiments.datasets.downloads.sources import CHECKSUM_NAMES, Source


def find_flaw(path: Path, source: Source, final: Path) -> str:
    """Say what is wrong with a file, to follow "the file ..."; empty where all is right."""
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
    if not head.startswith(source.starts_with.encode()):
        return f'does not start with "{source.starts_with}"'
    expected, first = dict(source.checksums), _record(final)
    if not expected and first.exists():
        expected["sha256"] = first.read_text("ascii", "replace").partition(" ")[0].strip()
    for kind, digits in expected.items():
        if (found := _checksum(path, kind)) != digits:
            said = "" if source.checksums else f", that of the first copy ({first})"
            return f"has the {CHECKSUM_NAMES[kind]} {found} and not {digits}{said}"
    return ""


def keep_first_sum(path: Path, source: Source) -> None:
    """Write the SHA-256 of a first copy beside it, where no checksum is published."""
    if source.checksums or _record(path).exists() or not os.access(path.parent, os.W_OK):
        return
    with written_whole(_record(path)) as beside:
        beside.write_text(f"{_checksum(path, 'sha256')}  {path.name}\n", encoding="ascii")


def check_copy(path: Path, source: Source) -> None:
    """Refuse a file that is already there if it is another one, or cannot be read."""
    try:
        flaw = find_flaw(path, source, path)
        if not flaw:
            return keep_first_sum(path, source)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    raise InputError(
        f"the file {path} {flaw}: delete it to have it downloaded, or put the right one there"
    )


def is_web_page(head: bytes) -> bool:
    """Tell a web page by its first bytes."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script"))


def _record(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _checksum(path: Path, kind: str) -> str:
    """Compute the digits of a checksum; git's is the SHA-1 of "blob SIZE", zero, and content."""
    start = hashlib.new(kind.removeprefix("git_"), usedforsecurity=False)
    if kind == "git_sha1":
        start.update(b"blob %d\0" % path.stat().st_size)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: start).hexdigest()
