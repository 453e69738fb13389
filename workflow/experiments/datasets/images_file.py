"""The user's own labelled images, from a file, for a classifier that is trained on them."""

from pathlib import Path

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, IntArray
from accuracy_curves.utils.files import load_arrays
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Count
from experiments.datasets.readers import averaged
from experiments.datasets.trained import Images, TrainedDataset


class ImagesFile(TrainedDataset):
    """Images from an npz file; of its classes with enough images, K are sampled at random.

    Parameters
    ----------
    path : path-like
        The npz file.
    images_key, labels_key : str
        Names of its arrays: images (M, height, width), of type bool, uint8 (divided by 255) or
        float (from 0 to 1), and labels (M,), numbers or text.
    packed_side : int, optional
        Side of square binary images that are packed, eight pixels a byte, (M, side^2 / 8).
    scale : int
        Squares of this many pixels are averaged.
    classifier, classifier_options, n_classes, test_per_class
        See `experiments.datasets.trained.TrainedDataset`.
    """

    kind = "images"

    path: Path
    images_key: str = "images"
    labels_key: str = "labels"
    packed_side: Count | None = None
    scale: Count = 1

    def class_images(self, seed: int, classes: IntArray) -> list[Images]:
        """Load the images of some classes, (n, height, width) each, in the order of the file."""
        images, labels = load_arrays(self.path, self.images_key, self.labels_key)
        if labels.shape != images.shape[:1]:
            raise InputError(
                f"{self.path}: labels have shape {labels.shape}, images {images.shape}: "
                "one label per image is needed"
            )
        _, own, counts = np.unique(labels, return_inverse=True, return_counts=True)
        enough = np.flatnonzero(counts > self.test_per_class)
        if len(enough) < self.n_classes:
            raise InputError(
                f"{self.path}: only {len(enough)} classes have more than test_per_class = "
                f"{self.test_per_class} images, not n_classes = {self.n_classes}: take fewer"
            )
        rng = np.random.default_rng(derive_seed(seed, "images", "classes"))
        chosen = np.sort(rng.choice(enough, size=self.n_classes, replace=False))
        return [self._pixels(images[own == number]) for number in chosen[classes]]

    def _pixels(self, images: AnyArray) -> Images:
        """Unpack, bring to 0..1 and reduce the images of a class."""
        if side := self.packed_side:
            if images.dtype != np.uint8 or images.shape[1:] != (-(-(side**2) // 8),):
                raise InputError(
                    f"{self.path}: the images are not packed ones of {side} x {side} pixels, "
                    "uint8 with eight pixels a byte: correct packed_side"
                )
            bits = np.unpackbits(images, axis=1, count=side**2)
            images = bits.reshape(-1, side, side).astype(np.bool_)
        if images.ndim != 3 or images.dtype.kind not in "buf":
            raise InputError(
                f"{self.path}: images must be bool, uint8 or float (M, height, width), "
                f"not {images.dtype} of shape {images.shape}"
            )
        result: Images = averaged(images, self.scale, np.float32)
        return result / np.float32(255) if images.dtype == np.uint8 else result
