"""The user's own embeddings, from a file; the gallery rule makes them scores."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from accuracy_curves.exceptions import located
from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.embeddings import GalleryRule, gallery_distances
from accuracy_curves.utils.files import load_arrays
from experiments.datasets.base import Dataset, DistanceDataset


@dataclass(frozen=True, kw_only=True)
class EmbeddingsFile(GalleryRule, DistanceDataset):
    """Embeddings from an npz file.

    Parameters
    ----------
    path : path-like
        The npz file.
    embeddings_key, labels_key : str
        Names of its arrays: embeddings (M, d) and labels (M,), numbers or text.
    gallery, gallery_size, points_per_class, metric, pca
        See `accuracy_curves.scores.embeddings.GalleryRule`.
    """

    kind: ClassVar[str] = "embeddings"
    path_options: ClassVar[tuple[str, ...]] = ("path",)

    path: Path
    embeddings_key: str = "embeddings"
    labels_key: str = "labels"

    def __post_init__(self) -> None:
        super().__post_init__()
        Dataset.__post_init__(self)

    def distance_matrix(self, seed: int) -> DistanceMatrix:
        """Load the embeddings and divide them into gallery and points, as `seed` decides."""
        embeddings, labels = load_arrays(self.path, self.embeddings_key, self.labels_key)
        with located(self.path):
            return gallery_distances(embeddings, labels, self, seed)
