"""Printed characters for a classifier that is trained on distorted prints; no download."""

from typing import Annotated

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import IntArray
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Count, Number, Whole
from experiments.datasets.glyphs import MAXIMUM_CLASSES, Glyphs
from experiments.datasets.trained import Images, TrainedDataset
from experiments.datasets.typefaces import FACES, distorted, printed


class GlyphImages(TrainedDataset):
    """Distorted prints of characters, some for training and others for the test.

    A class is a character, printed equally often in each of DejaVu's twelve faces; every print is
    distorted in its own way.

    Parameters
    ----------
    prints_per_face : int
        Prints of a character in each face, for training and test together.
    size : int
        Side of the images in pixels; `deep_cnn` needs 48.
    distortion : float
        From 0 to 1, see `experiments.datasets.glyphs.Glyphs`.
    classifier, classifier_options, n_classes, test_per_class
        See `experiments.datasets.trained.TrainedDataset`.
    """

    kind = "glyph_images"

    n_classes: Annotated[int, Whole(3, MAXIMUM_CLASSES)] = 400
    test_per_class: Count = 12
    prints_per_face: Count = 3
    size: Annotated[int, Whole(8, 128)] = 48
    distortion: Annotated[float, Number(0, 1)] = 0.25

    def __post_init__(self) -> None:
        super().__post_init__()
        prints = self.prints_per_face * len(FACES)
        if self.test_per_class >= prints:
            raise InputError(
                f"test_per_class is {self.test_per_class}: it must be below the {prints} prints of "
                "a character"
            )

    def class_images(self, seed: int, classes: IntArray) -> list[Images]:
        """Print some of the characters, face by face; ink is 1, paper 0, plus noise."""
        characters, _ = Glyphs(n_classes=self.n_classes, size=self.size).characters(seed)
        chosen = [characters[index] for index in classes]
        faces = [printed(face, chosen, self.size) for face in FACES]
        result = []
        for column, index in enumerate(classes):
            rng = np.random.default_rng(derive_seed(seed, "glyph images", int(index)))
            prints = np.stack([face[column] for face in faces])
            every = np.repeat(prints, self.prints_per_face, axis=0)
            result.append(distorted(every, self.distortion, rng))
        return result
