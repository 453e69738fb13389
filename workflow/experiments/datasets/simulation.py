"""Classes and points as random vectors, scored by euclidean distance."""

from typing import Annotated

import numpy as np

from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Choice, Count, Positive, Whole
from experiments.datasets.base import Dataset

DISTRIBUTIONS = ("normal", "uniform")


class Simulation(Dataset):
    """Simulated classes and points (ICLR 2021, Section 5.1 and Appendix B).

    Classes y are sampled from N(0, I) or a centred uniform, points x from N(y, sigma^2 I) or a
    uniform around y; the score is the euclidean distance of x and y, or of x and one labelled
    example of y, as the 1-nearest neighbour of Zheng et al. (2017, Section 6; d = 10, r = 1).

    Parameters
    ----------
    classes, points : {"normal", "uniform"}
        Distribution of the classes Y and of the points X | Y.
    dimension : int
        d; the paper has 3, 5 and 10.
    variance : float
        sigma^2; the paper has 0.1 and 0.2 (d = 3, 5), 0.6 and 0.9 (d = 10).
    n_classes : int
        K.
    points_per_class : int
        r.
    uniform_convention : {"covariance", "appendix"}
        "covariance": U(-sqrt 3, sqrt 3) and U(y - sqrt(3 sigma^2), y + sqrt(3 sigma^2)), which
        have the covariances of the normal case (Section 5.1, and the released code).
        "appendix": U(-1, 1) and U(y - sigma^2, y + sigma^2), as Appendix B prints for d = 3, 10.
    gallery_noise : bool
        True: distances are to one labelled example of each class, drawn as the points are, and
        not to y itself.
    """

    kind = "simulation"

    classes: Annotated[str, Choice(*DISTRIBUTIONS)] = "normal"
    points: Annotated[str, Choice(*DISTRIBUTIONS)] = "normal"
    dimension: Count = 5
    variance: Positive = 0.1
    n_classes: Annotated[int, Whole(MINIMUM_CLASSES)] = 2000
    points_per_class: Count = 10
    uniform_convention: Annotated[str, Choice("covariance", "appendix")] = "covariance"
    gallery_noise: bool = False

    def draw(self, seed: int) -> tuple[Float64Array, Float64Array]:
        """Draw the classes, (K, d), and their points, (K * r, d), r consecutive rows a class."""
        classes = self._drawn(self.classes, 1.0, seed, "classes", self.n_classes)
        n_points = self.n_classes * self.points_per_class
        noise = self._drawn(self.points, self.variance, seed, "points", n_points)
        return classes, np.repeat(classes, self.points_per_class, axis=0) + noise

    def _drawn(
        self, distribution: str, variance: float, seed: int, purpose: str, n: int
    ) -> Float64Array:
        """Draw n vectors around 0, (n, d)."""
        rng = np.random.default_rng(derive_seed(seed, "simulation", purpose))
        if distribution == "normal":
            return rng.normal(scale=np.sqrt(variance), size=(n, self.dimension))
        half = variance if self.uniform_convention == "appendix" else np.sqrt(3 * variance)
        return rng.uniform(-half, half, size=(n, self.dimension))

    def score_matrix(self, seed: int) -> ScoreMatrix:
        """Draw points and classes, or labelled examples of the classes, for euclidean distances."""
        gallery, points = self.draw(seed)
        if self.gallery_noise:
            noise = self._drawn(self.points, self.variance, seed, "gallery", self.n_classes)
            gallery = gallery + noise
        labels = np.repeat(np.arange(self.n_classes), self.points_per_class)
        return DistanceMatrix(points, gallery, labels, "euclidean").stored()
