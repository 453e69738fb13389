"""CIFAR-100 embedded by VGG-16 (ICLR 2021, Section 5.2, Experiment 1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from accuracy_curves.datasets.cifar100 import CLASSES, read_cifar100
from accuracy_curves.datasets.embedded import Arrays, EmbeddedDataset
from accuracy_curves.datasets.embeddings.vgg16 import PREPROCESSING, vgg16_embeddings
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.gallery import against_gallery
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.validation import Choice, Count, check_options

GALLERIES = ("centroid", "nearest")


@dataclass(frozen=True, kw_only=True)
class Cifar100Vgg16(EmbeddedDataset):
    """Test images of CIFAR-100, scored by their distance to the training images of each class.

    Parameters
    ----------
    archive : path-like
        ``cifar-100-python.tar.gz``.
    weights : path-like
        VGG-16's weights for ImageNet without the top, see
        `accuracy_curves.datasets.embeddings.vgg16.vgg16_embeddings`.
    preprocessing : {"raw", "imagenet"}
        Of the pixels; the text of the paper does not say, the released code takes them raw.
    gallery : {"centroid", "nearest"}
        Euclidean distance to the mean of the class's training images (the paper's text), or to
        the nearest of them (the released code).
    threads : int
        TensorFlow's threads; more than 1 may change the last bits.
    """

    kind: ClassVar[str] = "cifar100"
    extra: ClassVar[str | None] = "cleanex,images"
    path_options: ClassVar[tuple[str, ...]] = ("archive", "weights")
    originals: ClassVar[Mapping[str, str]] = {"archive": "cifar100", "weights": "vgg16"}
    scoring_options: ClassVar[tuple[str, ...]] = ("gallery",)

    archive: Path
    weights: Path
    preprocessing: Annotated[str, Choice(*PREPROCESSING)] = "raw"
    gallery: Annotated[str, Choice(*GALLERIES)] = "centroid"
    threads: Count = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "archive", Path(self.archive))
        object.__setattr__(self, "weights", Path(self.weights))
        check_options(self)

    def files(self) -> tuple[Path, ...]:
        """Input files that the data set reads.

        Returns
        -------
        tuple of Path
        """
        return (self.archive, self.weights)

    def embed(self) -> Arrays:
        """Embed the images: ``train``, ``test`` (n, 512), ``train_labels`` and ``test_labels``."""
        data = read_cifar100(self.archive)
        absent = np.setdiff1d(np.arange(CLASSES), data.train.labels)
        if len(absent):
            raise InputError(
                f"{self.archive} has no training image of class {absent[0]} "
                f"({data.class_names[absent[0]]}): fetch it again"
            )
        arrays: Arrays = {"train_labels": data.train.labels, "test_labels": data.test.labels}
        for name, part in (("train", data.train), ("test", data.test)):
            arrays[name] = vgg16_embeddings(
                part.images, self.weights, preprocessing=self.preprocessing, threads=self.threads
            )
        return arrays

    def scores_of(self, embedded: Arrays, seed: int) -> ScoreMatrix:
        """Score the test images against the training images of each class; draws nothing."""
        by_class = np.argsort(embedded["train_labels"], kind="stable")
        return against_gallery(
            embedded["train"][by_class].astype(np.float64),
            embedded["train_labels"][by_class],
            embedded["test"].astype(np.float64),
            embedded["test_labels"],
            nearest=self.gallery == "nearest",
        ).stored()
