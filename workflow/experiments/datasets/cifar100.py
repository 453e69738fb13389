"""CIFAR-100, from its archive, embedded by VGG-16 (ICLR 2021, Section 5.2, Experiment 1)."""

import os
import pickle
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from accuracy_curves.scores.embeddings import against_gallery
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.files import readable
from accuracy_curves.utils.validation import Choice
from experiments.datasets.base import EmbeddedDataset
from experiments.datasets.embeddings.vgg16 import PREPROCESSING, vgg16_embeddings

# All that a pickle of arrays may call, under the names of old and of new versions of NumPy.
ARRAYS = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): np.empty(0).__reduce__()[0],
    ("numpy._core.multiarray", "_reconstruct"): np.empty(0).__reduce__()[0],
}


class _Arrays(pickle.Unpickler):
    """Read arrays, texts and lists, and run nothing else: copies of the archive are not checked."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in ARRAYS:
            raise pickle.UnpicklingError(f"it needs {module}.{name}")
        return ARRAYS[module, name]


def read_cifar100(archive: str | os.PathLike[str]) -> dict[str, AnyArray]:
    """Read the images and fine labels of `cifar-100-python.tar.gz`.

    Returns ``train`` and ``test``, (n, 32, 32, 3), red, green, blue from the top left, and
    ``train_labels`` and ``test_labels``, (n,), 0 ... 99. The archive is of 50,000 + 10,000 images.
    """
    arrays = {}
    with readable(archive), tarfile.open(archive) as packed:
        for part in ("train", "test"):
            file = packed.extractfile(f"cifar-100-python/{part}")
            assert file is not None
            # Texts that Python 2 wrote are bytes.
            batch = _Arrays(file, encoding="bytes").load()
            # Stored are planes of red, green and blue.
            images = np.reshape(batch[b"data"], (-1, 3, 32, 32)).transpose(0, 2, 3, 1)
            arrays[part] = np.ascontiguousarray(images)
            arrays[f"{part}_labels"] = np.asarray(batch[b"fine_labels"], dtype=np.int64)
    return arrays


class Cifar100Vgg16(EmbeddedDataset):
    """Test images of CIFAR-100, scored by their distance to the training images of each class.

    Parameters
    ----------
    archive : path-like
        ``cifar-100-python.tar.gz``.
    weights : path-like
        VGG-16's weights for ImageNet without the top, see
        `experiments.datasets.embeddings.vgg16.vgg16_embeddings`.
    preprocessing : {"raw", "imagenet"}
        Scale of the pixels; the text of the paper does not say, the released code takes them raw.
    gallery : {"centroid", "nearest"}
        Euclidean distance to the mean of the class's training images (the paper's text), or to
        the nearest of them (the released code).
    """

    kind = "cifar100"
    extra = "cleanex"
    originals: ClassVar = {"archive": "cifar100", "weights": "vgg16"}
    embedding_options = ("archive", "weights", "preprocessing")

    archive: Path
    weights: Path
    preprocessing: Annotated[str, Choice(*PREPROCESSING)] = "raw"
    gallery: Annotated[str, Choice("centroid", "nearest")] = "centroid"

    def embed(self) -> dict[str, AnyArray]:
        """Embed all images: ``train`` and ``test``, (n, 512), with their labels."""
        arrays = read_cifar100(self.archive)
        for part in ("train", "test"):
            arrays[part] = vgg16_embeddings(
                arrays[part], self.weights, preprocessing=self.preprocessing
            )
        return arrays

    def score_embedded(self, arrays: Mapping[str, AnyArray]) -> ScoreMatrix:
        """Score the images of the test against the others."""
        by_class = np.argsort(arrays["train_labels"], kind="stable")
        return against_gallery(
            arrays["train"][by_class].astype(np.float64),
            arrays["train_labels"][by_class],
            arrays["test"].astype(np.float64),
            arrays["test_labels"],
            nearest=self.gallery == "nearest",
        ).stored()
