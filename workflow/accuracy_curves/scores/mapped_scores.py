"""A score matrix that stays in its memory-mapped folder: a record of the folder stands for it."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.scores.score_files import DIRECTION, load_folder
from accuracy_curves.scores.score_matrix import ScoreMatrix, unchecked
from accuracy_curves.utils.files import readable, save_arrays

FOLDER = "folder"


def save_record(
    matrix: ScoreMatrix,
    folder: str | os.PathLike[str],
    path: str | os.PathLike[str],
    provenance: str | None = None,
) -> None:
    """Record where a memory-mapped score matrix lies, in the place of a copy, for `load_matrix`.

    The folder is absolute, or relative to the working directory of those who will read the record.
    """
    arrays = {FOLDER: np.array(str(folder)), DIRECTION: np.array(matrix.higher_is_better)}
    save_arrays(arrays, path, provenance)


def load_recorded(record: Mapping[str, npt.NDArray[Any]]) -> ScoreMatrix:
    """Open the folder that `save_record` recorded, memory-mapped."""
    folder = Path(str(record[FOLDER]))
    with readable(folder):
        scores, labels, _ = load_folder(folder)
    # Checked when the record was written: only what is needed is read.
    return unchecked(ScoreMatrix, scores, labels, bool(record[DIRECTION]))
