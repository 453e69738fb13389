"""Omniglot: handwritten characters, each drawn by twenty people (Lake et al. 2015)."""

from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.embeddings import GalleryRule, gallery_distances
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.files import load_arrays
from accuracy_curves.utils.validation import Count
from experiments.datasets.base import Dataset
from experiments.datasets.readers import averaged, read_omniglot


class Omniglot(GalleryRule, Dataset):
    """Omniglot's drawings, reduced in size, embedded by a PCA.

    Parameters
    ----------
    paths : sequence of path-like
        The background and the evaluation set, 964 + 659 characters, as the official zip files or
        as npz files with ``images`` (classes, drawings, height, width) bool; ink may be True or
        False.
    scale : int
        Each square of this many pixels is averaged; it must divide height and width (105).
    gallery, gallery_photos, points_per_class, metric, pca
        See `accuracy_curves.scores.embeddings.GalleryRule`; a photo is a drawing.
    """

    kind = "omniglot"
    originals: ClassVar = {"paths": "omniglot"}

    paths: tuple[Path, ...]
    scale: Count = 3
    gallery: str = "centroid"
    pca: int | None = 64

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Embed the drawings and divide them into gallery and points, as `seed` decides."""
        images = np.concatenate([*map(self._reduced, self.files())])
        labels = np.repeat(np.arange(len(images)), images.shape[1])
        return gallery_distances(images.reshape(len(labels), -1), labels, self, seed).stored()

    def _reduced(self, path: Path) -> npt.NDArray[np.float32]:
        """Load a file's drawings at the reduced size, ink = 1, (classes, drawings, h, w)."""
        zipped = path.suffix.lower() == ".zip"
        images = read_omniglot(path) if zipped else load_arrays(path, "images")[0]
        if images.dtype != np.bool_ or images.ndim != 4 or images.size == 0:
            raise InputError(
                f"{path}: images must be bool (classes, drawings, height, width), "
                f"not {images.dtype} of shape {images.shape}"
            )
        # Ink covers less than paper does.
        ink_is_true = np.count_nonzero(images) * 2 <= images.size
        shares = (averaged(drawings, self.scale, np.float64) for drawings in images)
        ink = [(share if ink_is_true else 1 - share).astype(np.float32) for share in shares]
        return np.stack(ink)
