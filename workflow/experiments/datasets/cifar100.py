"""CIFAR-100, from its archive, embedded by VGG-16 (ICLR 2021, Section 5.2, Experiment 1)."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.gallery import against_gallery
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.validation import Choice, Count
from experiments.datasets.base import Arrays, EmbeddedDataset
from experiments.datasets.embeddings.vgg16 import PREPROCESSING, vgg16_embeddings
from experiments.datasets.readers.archives import unpack
from experiments.datasets.readers.pickles import read_pickled_arrays

GALLERIES = ("centroid", "nearest")
SIDE = 32
CLASSES = 100
_PIXELS = 3 * SIDE * SIDE


@dataclass(frozen=True)
class LabelledImages:
    """Images (n, 32, 32, 3), red, green, blue from the top left; their classes (n,), 0 ... 99."""

    images: NDArray[np.uint8]
    labels: NDArray[np.int64]


@dataclass(frozen=True)
class Cifar100:
    """The data set, 50,000 + 10,000 images; the 100 fine classes in the order of the labels."""

    train: LabelledImages
    test: LabelledImages
    class_names: tuple[str, ...]


def read_cifar100(archive: str | os.PathLike[str]) -> Cifar100:
    """Read `cifar-100-python.tar.gz`: the pickles `train`, `test` and `meta` in one folder."""
    with tempfile.TemporaryDirectory(prefix="cifar100-") as scratch:
        unpack(archive, scratch)
        folder = Path(scratch) / "cifar-100-python"
        pickled = {}
        for name in ("train", "test", "meta"):
            if not (folder / name).is_file():
                raise InputError(
                    f"{archive} has no file cifar-100-python/{name}: take the python version of "
                    "CIFAR-100"
                )
            pickled[name] = read_pickled_arrays(folder / name)
    return Cifar100(
        _labelled(pickled["train"], f"{archive}, train"),
        _labelled(pickled["test"], f"{archive}, test"),
        _names(pickled["meta"], f"{archive}, meta"),
    )


def _labelled(batch: dict[str, Any], where: str) -> LabelledImages:
    """Check a batch and put its pixels in order: stored are planes of red, green and blue."""
    data, labels = _field(batch, "data", where), np.asarray(_field(batch, "fine_labels", where))
    if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or data.shape[1:] != (_PIXELS,):
        raise InputError(f"{where}: data should be bytes of shape (n, {_PIXELS})")
    if labels.shape != data.shape[:1] or labels.dtype.kind not in "iu":
        raise InputError(f"{where}: fine_labels should be {len(data)} whole numbers, one an image")
    if labels.size and not (labels.min() >= 0 and labels.max() < CLASSES):
        raise InputError(f"{where}: fine_labels should be in 0 ... {CLASSES - 1}")
    images = data.reshape(-1, 3, SIDE, SIDE).transpose(0, 2, 3, 1)
    return LabelledImages(np.ascontiguousarray(images), labels.astype(np.int64))


def _names(meta: dict[str, Any], where: str) -> tuple[str, ...]:
    names = _field(meta, "fine_label_names", where)
    texts = tuple(n.decode() if isinstance(n, bytes) else str(n) for n in names)
    if len(set(texts)) != CLASSES:
        raise InputError(f"{where}: fine_label_names should be {CLASSES} different names")
    return texts


def _field(batch: dict[str, Any], key: str, where: str) -> Any:
    if key not in batch:
        raise InputError(f"{where} has no {key}: take the python version of CIFAR-100")
    return batch[key]


@dataclass(frozen=True, kw_only=True)
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
    threads : int
        TensorFlow's threads; more than 1 may change the last bits.
    """

    kind: ClassVar[str] = "cifar100"
    path_options: ClassVar[tuple[str, ...]] = ("archive", "weights")
    originals: ClassVar[Mapping[str, str]] = {"archive": "cifar100", "weights": "vgg16"}
    scoring_options: ClassVar[tuple[str, ...]] = ("gallery",)

    archive: Path
    weights: Path
    preprocessing: Annotated[str, Choice(*PREPROCESSING)] = "raw"
    gallery: Annotated[str, Choice(*GALLERIES)] = "centroid"
    threads: Count = 1

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
