"""The user's own embeddings, from a file; the gallery rule makes them scores."""

from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.embeddings import GalleryRule, gallery_distances
from accuracy_curves.scores.formats import embedded
from accuracy_curves.scores.formats.base import Embeddings, Source
from accuracy_curves.scores.given_arrays import as_labels, of_nobody
from accuracy_curves.scores.score_matrix import ScoreMatrix
from experiments.datasets.base import Dataset


class EmbeddingsFile(GalleryRule, Dataset):
    """Embeddings from an npz file or a table, as `accuracy-curves predict` reads them.

    Parameters
    ----------
    path : path-like
        The npz file; or a table (CSV, TSV, Parquet) with one column of labels and numbers in all
        others.
    embeddings_key, labels_key : str
        Names of the arrays: embeddings (M, d) and labels (M,), numbers or text. Of a table
        `labels_key` is the name of the column.
    gallery, gallery_photos, points_per_class, metric, pca
        See `accuracy_curves.scores.embeddings.GalleryRule`.
    """

    kind = "embeddings"

    path: Path
    embeddings_key: str = "embeddings"
    labels_key: str = "labels"

    @cached_property
    def n_classes(self) -> int:
        """Number of classes that have a photo besides their gallery."""
        with self._opened() as source:
            labels = as_labels(cast(Embeddings, embedded.read(source).embeddings).labels)
        _, counts = np.unique(labels[~of_nobody(labels)], return_counts=True)
        return sum(count > self.count_gallery(count) for count in counts.tolist())

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Load the embeddings and divide them into gallery and points, as `seed` decides."""
        with self._opened() as source:
            embeddings, labels = cast(Embeddings, embedded.read(source).embeddings)
        with located(self.path):
            return gallery_distances(embeddings, labels, self, seed).stored()

    def _opened(self) -> Source:
        """Open the file; `InputError` if it holds something else."""
        source = Source(self.path, keys=(self.embeddings_key, self.labels_key))
        if not embedded.recognises(source):
            raise InputError(
                f"{self.path} holds no embeddings, or a table with other columns than labels and "
                "numbers: scores are of the kind `scores`"
            )
        return source
