"""The user's own embeddings, from a file; the gallery rule makes them scores."""

from dataclasses import dataclass
from typing import ClassVar

from accuracy_curves.scores.embeddings import Embeddings
from experiments.datasets.base import DistanceDataset


@dataclass(frozen=True, kw_only=True)
class EmbeddingsFile(Embeddings, DistanceDataset):
    """Embeddings from an npz file.

    The options are those of `accuracy_curves.scores.embeddings.Embeddings`.
    """

    kind: ClassVar[str] = "embeddings"
    path_options: ClassVar[tuple[str, ...]] = ("path",)
