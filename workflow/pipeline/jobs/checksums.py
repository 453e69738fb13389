"""SHA-256 beside each intermediate result, so that a file changed afterwards is not used."""

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import written_whole

# What other jobs read; tables for readers and figures are in provenance.json.
CHECKED = {".npz", ".parquet"}


def record_checksums(paths: Iterable[str | Path]) -> None:
    """Write ``NAME.sha256`` beside each score matrix and curve, as ``sha256sum`` would.

    Parameters
    ----------
    paths : iterable of path-like
        What a job wrote; other kinds of files are passed over.
    """
    for path in map(Path, paths):
        if path.suffix in CHECKED:
            with written_whole(_beside(path)) as partial:
                partial.write_text(f"{digest(path)}  {path.name}\n", encoding="utf-8")


def check_files(paths: Iterable[str | Path]) -> None:
    """Refuse files that are not what their job wrote.

    Parameters
    ----------
    paths : iterable of path-like
        What a job is about to read. A file without a checksum (the user's own, or an older
        version's) is passed over, and that is logged.

    Raises
    ------
    InputError
        If a file does not have the SHA-256 that stands beside it.
    """
    for path in dict.fromkeys(map(Path, paths)):
        beside = _beside(path)
        if path.suffix not in CHECKED or path.is_dir():
            continue
        if not beside.exists():
            logging.info("%s has no checksum beside it: taken as it is", path)
            continue
        recorded = beside.read_text(encoding="utf-8", errors="replace").split()[:1]
        if recorded != [digest(path)]:
            raise InputError(
                f"{path} is not what its job wrote (its SHA-256 is not the one in {beside.name}): "
                "delete it and run again"
            )


def digest(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _beside(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")
