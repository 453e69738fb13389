"""Images that are embedded once, and scored in several ways."""

import os
from abc import abstractmethod
from typing import Any, ClassVar

import numpy.typing as npt

from accuracy_curves.datasets.base import Dataset
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.npz import load_all_arrays

Arrays = dict[str, npt.NDArray[Any]]


class EmbeddedDataset(Dataset):
    """Base of the data sets whose embedding takes long and depends on no draw.

    A subclass implements `embed` and `scores_of`, and names in `scoring_options` those of its
    options that change the scores alone: data sets that differ in nothing else share one embedding.
    """

    scoring_options: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def embed(self) -> Arrays:
        """Embed the images: embeddings and labels, by names of the data set's own; takes long."""

    @abstractmethod
    def scores_of(self, embedded: Arrays, seed: int) -> ScoreMatrix:
        """Score what `embed` returns; `seed` decides every random draw."""

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Embed the images and score them."""
        return self.scores_of(self.embed(), seed)


def load_embedded(path: str | os.PathLike[str]) -> Arrays:
    """Read the npz file of what `EmbeddedDataset.embed` returned."""
    try:
        return load_all_arrays(path)
    except InputError as error:
        raise InputError(
            f"{path} is not a whole file of embeddings: delete it and run again"
        ) from error
