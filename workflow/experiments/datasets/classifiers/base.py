"""The base of all classifiers: options that are checked, training, scores."""

import warnings
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np
import numpy.typing as npt

from accuracy_curves.utils.arrays import AnyArray, ArrayLike, FloatArray, IntArray
from accuracy_curves.utils.numerics import one_thread
from accuracy_curves.utils.validation import Seed, check_options

Float32Array = npt.NDArray[np.float32]


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False)
class Classifier(ABC):
    """Base of all classifiers.

    A subclass is made a dataclass, whose fields are its options; ranges in their types are checked.
    It sets `name` (the key in configurations) and `marginal`, and implements `_fit` and `_scores`.
    Its `seed` decides every random draw.

    Attributes
    ----------
    marginal : bool
        Whether a class's score is learned from that class's own images alone (Zheng, Achanta &
        Benjamini 2018): the scores of k1 classes are then columns of those of all classes.
        Otherwise the classifier must be trained on the k1 classes alone.
    """

    name: ClassVar[str]
    marginal: ClassVar[bool]
    # The extra of the package that trains it.
    extra: ClassVar[str] = "images"

    seed: Seed = 0

    def __init_subclass__(cls) -> None:
        dataclass(kw_only=True, eq=False)(cls)

    def __post_init__(self) -> None:
        check_options(self)

    def fit(self, images: AnyArray, labels: ArrayLike) -> Self:
        """Train on images (M, ...) with pixels from 0 to 1, or rows of features (M, d).

        Labels are 0..K - 1, each with an image at least, K at least 3.
        """
        pixels, classes = _as_float(images), np.asarray(labels, dtype=np.int64)
        order = np.argsort(classes, kind="stable")
        with one_thread():
            self._fit(pixels[order], classes[order])
        return self

    def scores(self, images: AnyArray) -> Float32Array:
        """Score images of the training's shape for each class, (N, K); higher is better."""
        with one_thread():
            return np.asarray(self._scores(_as_float(images)), dtype=np.float32)

    @abstractmethod
    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        """Train; the labels ascend."""

    @abstractmethod
    def _scores(self, images: FloatArray) -> FloatArray:
        """Score, (N, K)."""


class ScikitLearn(Classifier):
    """Base of the classifiers of scikit-learn: a subclass implements `estimator` and `_scores`."""

    marginal = False

    @abstractmethod
    def estimator(self, n_images: int) -> Any:
        """Make the estimator, for so many training images."""

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.exceptions import ConvergenceWarning

        # A few steps are a regularisation, and a long tail changes no decision.
        with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
            self._fitted = self.estimator(len(images)).fit(flat(images), labels)


def flat(images: FloatArray) -> FloatArray:
    """Lay the pixels of each image in a row, (M, d)."""
    return images.reshape(len(images), -1)


def _as_float(images: AnyArray) -> FloatArray:
    """Give images as float; float32 and float64 stay as they are."""
    return images if images.dtype.kind == "f" else images.astype(np.float32)
