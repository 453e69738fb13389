"""Nearest centroid: a class scores by the distance of its mean image from the point."""

import numpy as np

from accuracy_curves.scores.distances import distances
from accuracy_curves.utils.arrays import FloatArray, IntArray
from experiments.datasets.classifiers.base import Classifier, flat


class Centroid(Classifier):
    """Minus the euclidean distance to the mean of the class's training images.

    Parameters
    ----------
    seed : int
        Not used: nothing is random.
    """

    name = "centroid"
    marginal = True

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        starts = np.flatnonzero(np.diff(labels, prepend=-1))
        sums = np.add.reduceat(flat(images), starts, axis=0)
        self._means = sums / np.bincount(labels)[:, None].astype(sums.dtype)

    def _scores(self, images: FloatArray) -> FloatArray:
        return -distances(flat(images), self._means, "euclidean")
