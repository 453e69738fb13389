"""1-NN: a class scores by its training image nearest to the point."""

import numpy as np

from accuracy_curves.utils.arrays import FloatArray, IntArray
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
        from sklearn.metrics import pairwise_distances_chunked

        def nearest(distances: FloatArray, _: int) -> FloatArray:
            return -np.minimum.reduceat(distances, self._starts, axis=1)

        blocks = pairwise_distances_chunked(flat(images), self._gallery, reduce_func=nearest)
        return np.concatenate(list(blocks))
