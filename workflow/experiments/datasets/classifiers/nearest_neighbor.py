"""1-NN: a class scores by its training image nearest to the point."""

import numpy as np

from accuracy_curves.utils.arrays import FloatArray, IntArray
from experiments.datasets.classifiers._neighbors import squared_distances
from experiments.datasets.classifiers.base import Classifier, flat


class NearestNeighbor(Classifier):
    """Minus the euclidean distance to the nearest training image of the class.

    Parameters
    ----------
    seed : int
        Not used: nothing is drawn.
    """

    name = "nearest_neighbor"
    marginal = True

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        self._gallery = flat(images)
        self._starts = np.flatnonzero(np.diff(labels, prepend=-1))

    def _scores(self, images: FloatArray) -> FloatArray:
        result = np.empty((len(images), self.n_classes_), dtype=np.float32)
        for rows, squared in squared_distances(flat(images), self._gallery):
            result[rows] = -np.sqrt(np.minimum.reduceat(squared, self._starts, axis=1))
        return result
