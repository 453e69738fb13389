"""The user's own score matrix, from a file."""

import csv
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.score_files import FOLDER_FILES, load_scores
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.files import readable
from experiments.datasets.base import Dataset


@dataclass(frozen=True, kw_only=True)
class Scores(Dataset):
    """A score matrix from a file or folder, as `accuracy_curves.load_scores` reads it.

    Parameters
    ----------
    path : path-like
        The npz or CSV file, or the folder.
    higher_is_better : bool, optional
        True for similarities, False for distances; by default what the file says.
    """

    kind: ClassVar[str] = "scores"
    path_options: ClassVar[tuple[str, ...]] = ("path",)

    path: Path
    higher_is_better: bool | None = None

    def files(self) -> tuple[Path, ...]:
        """Input files that the data set reads; of a folder, its files."""
        if self.path.is_dir():
            return tuple(self.path / name for name in FOLDER_FILES)
        return (self.path,)

    @property
    def n_classes(self) -> int | None:
        """How many classes the head of the file tells; None if it is not there, or damaged."""
        with suppress(InputError), readable(self.path):
            if self.path.is_dir():
                return int(np.load(self.path / "scores.npy", mmap_mode="r").shape[1])
            if self.path.suffix.lower() == ".csv":
                with self.path.open(encoding="utf-8-sig", newline="") as table:
                    return len(next(csv.reader(table))) - 1
            with zipfile.ZipFile(self.path) as archive, archive.open("scores.npy") as array:
                np.lib.format.read_magic(array)
                return int(np.lib.format.read_array_header_1_0(array)[0][1])
        return None

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Load the score matrix; nothing is drawn."""
        return load_scores(self.path, higher_is_better=self.higher_is_better)
