"""A score matrix that stays in its memory-mapped folder: a record of the folder stands for it."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.score_files import FOLDER_FILES, load_folder
from accuracy_curves.scores.score_matrix import ScoreMatrix, unchecked
from accuracy_curves.utils.files import save_arrays


def save_record(
    matrix: ScoreMatrix,
    folder: str | os.PathLike[str],
    path: str | os.PathLike[str],
    provenance: str | None = None,
) -> None:
    """Record where a memory-mapped score matrix lies, in the place of a copy, for `load_matrix`.

    The folder is absolute, or relative to the working directory of those who will read the record.
    """
    files = [Path(folder) / name for name in FOLDER_FILES]
    stats = [file.stat() for file in files]
    arrays: dict[str, npt.NDArray[Any]] = {
        "folder": np.array(str(folder)),
        "higher_is_better": np.array(matrix.higher_is_better, dtype=bool),
        "bytes_and_time": np.array([(stat.st_size, stat.st_mtime_ns) for stat in stats]),
        "sha256": np.array([_digest(file) for file in files]),
    }
    save_arrays(arrays, path, provenance)


def load_recorded(record: Mapping[str, npt.NDArray[Any]], source: Path) -> ScoreMatrix:
    """Open the folder that `save_record` recorded in `source`, memory-mapped.

    `InputError` if a file of the folder is not there, or not the one that was recorded.
    """
    folder = Path(str(record["folder"]))
    recorded = zip(FOLDER_FILES, record["bytes_and_time"], record["sha256"], strict=True)
    for name, (size, time), digest in recorded:
        if not _is_same(folder / name, size, time, digest):
            raise InputError(
                f"{folder / name} cannot be read, or is not what it was when {source} was made: "
                f"put it back, or delete {source} and run again"
            )
    scores, labels, _ = load_folder(folder)
    # Checked when the record was written: only what is needed is read.
    return unchecked(ScoreMatrix, scores, labels, bool(record["higher_is_better"]))


def _is_same(file: Path, size: int, time: int, digest: str) -> bool:
    """Compare a file with its record; one that was not written to since is not read."""
    try:
        stat = file.stat()
        return stat.st_size == size and (stat.st_mtime_ns == time or _digest(file) == digest)
    except OSError:
        return False


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()
