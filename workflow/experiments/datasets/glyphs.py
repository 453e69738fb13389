"""Recognition of printed characters across typefaces: many real classes, and no download."""

from typing import Annotated

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.embeddings import against_gallery
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.numerics import principal_components
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Choice, Number, Whole
from experiments.datasets.base import Dataset
from experiments.datasets.typefaces import Images, distinct_characters, distorted, printed

# Of about 2,160 distinct characters; the rest is for the PCA.
MAXIMUM_CLASSES = 2000
# Number of principal components.
PCA = 32
GALLERY_FACES = ("DejaVuSans", "DejaVuSansMono", "DejaVuSerif")
POINT_FACES = (
    "DejaVuSans-Bold",
    "DejaVuSans-Oblique",
    "DejaVuSansMono-Oblique",
    "DejaVuSerif-Bold",
    "DejaVuSerif-Italic",
)


class Glyphs(Dataset):
    """Characters printed in five faces, looked up among prints in three others.

    A class is a character, and its gallery is its clean print in each of three faces of DejaVu. Its
    data points are prints in five other faces, each distorted in its own way. Images are embedded
    by a PCA fitted on characters that are not among the classes.

    Parameters
    ----------
    n_classes : int
        K, sampled at random from the characters that all twelve faces share and none of them
        prints twice (about 2,160).
    size : int
        Side of the images in pixels.
    distortion : float
        From 0, clean prints, to 1: rotation, scale, shift, blur and noise of the points.
    gallery : {"centroid", "nearest"}
        Whether a point's score is its distance to the mean of the gallery prints or to the
        nearest of them.
    """

    kind = "glyphs"

    n_classes: Annotated[int, Whole(MINIMUM_CLASSES, MAXIMUM_CLASSES)] = 1500
    size: Annotated[int, Whole(8, 128)] = 32
    distortion: Annotated[float, Number(0, 1)] = 0.25
    gallery: Annotated[str, Choice("centroid", "nearest")] = "centroid"

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Print the characters, as gallery and as points, and embed the prints."""
        classes, others = self.characters(seed)
        gallery = self._prints(classes, GALLERY_FACES, 0, seed, "gallery")
        points = self._prints(classes, POINT_FACES, self.distortion, seed, "points")
        faces = GALLERY_FACES + POINT_FACES
        fitted_on = self._prints(others, faces, self.distortion, seed, "pca")
        reduced = principal_components(
            _flat(np.concatenate([gallery, points])), PCA, fitted_on=_flat(fitted_on)
        )
        columns = np.arange(self.n_classes)
        return against_gallery(
            reduced[: len(gallery)],
            np.repeat(columns, len(GALLERY_FACES)),
            reduced[len(gallery) :],
            np.repeat(columns, len(POINT_FACES)),
            nearest=self.gallery == "nearest",
        ).stored()

    def characters(self, seed: int) -> tuple[list[str], list[str]]:
        """Draw which characters are classes, and give the others, on which the PCA is fitted.

        Column j of the score matrix is the j-th class, in the order of the code points.
        """
        pool = distinct_characters(self.size)
        if len(pool) <= self.n_classes:
            raise InputError(
                f"only {len(pool)} characters differ at {self.size} pixels, not enough for "
                f"{self.n_classes} classes and a PCA: take a larger size or fewer classes"
            )
        rng = np.random.default_rng(derive_seed(seed, "glyphs", "characters"))
        drawn = {*rng.choice(len(pool), size=self.n_classes, replace=False).tolist()}
        others = [character for i, character in enumerate(pool) if i not in drawn]
        return [pool[i] for i in sorted(drawn)], others

    def _prints(
        self, characters: list[str], faces: tuple[str, ...], strength: float, seed: int, what: str
    ) -> Images:
        """Print and distort each character in each face, (characters * faces, size, size)."""
        result = []
        for index, face in enumerate(faces):
            rng = np.random.default_rng(derive_seed(seed, "glyphs", what, index))
            result.append(distorted(printed(face, characters, self.size), strength, rng))
        return np.stack(result, axis=1).reshape(-1, self.size, self.size)


def _flat(images: Images) -> Float64Array:
    return images.reshape(len(images), -1).astype(np.float64)
