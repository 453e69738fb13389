"""The user's own score matrix, from a file."""

from functools import cached_property
from pathlib import Path
from typing import cast
from zipfile import ZipFile

from numpy.lib.format import read_array_header_1_0, read_magic
from numpy.lib.npyio import NpzFile

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats import scores
from accuracy_curves.scores.formats.base import FOLDER_FILES, Source
from accuracy_curves.scores.formats.scores import read_fields
from accuracy_curves.scores.score_matrix import ScoreMatrix
from experiments.datasets.base import Dataset


class Scores(Dataset):
    """A score matrix from a file or folder, as `accuracy_curves.load_scores` reads it.

    Parameters
    ----------
    path : path-like
        The npz or CSV file, or the folder.
    higher_is_better : bool, optional
        True for similarities, False for distances; by default what the file says.
    """

    kind = "scores"

    path: Path
    higher_is_better: bool | None = None

    def files(self) -> tuple[Path, ...]:
        """Input files that the data set reads; of a folder, its files."""
        if self.path.is_dir():
            return tuple(self.path / name for name in FOLDER_FILES)
        return (self.path,)

    @cached_property
    def n_classes(self) -> int:
        """Number of classes; of an npz file the scores are not read."""
        with Source(self.path) as source:
            if not scores.recognises(source):
                raise InputError(
                    f"{self.path} holds no score matrix: embeddings are of the kind `embeddings`"
                )
            if source.arrays is None:
                return len(source.columns) - 1
            if not isinstance(source.arrays, NpzFile):
                return int(source.arrays["scores"].shape[-1])
            with cast(ZipFile, source.arrays.zip).open("scores.npy") as file:
                read_magic(file)
                return int(read_array_header_1_0(file)[0][-1])

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Load the score matrix; nothing is random."""
        # As `load_scores`, but an edit of another reader makes no data set anew.
        with Source(self.path, self.higher_is_better) as source:
            given = read_fields(source)
        with located(self.path):
            return ScoreMatrix(*given)
