"""Epsilon-NN: votes among a fixed share of all training images."""

from typing import Annotated

import numpy as np

from accuracy_curves.utils.arrays import FloatArray, IntArray
from accuracy_curves.utils.validation import Number, Seed
from experiments.datasets.classifiers.base import Classifier, flat


class EpsilonNN(Classifier):
    """Share of the class among the k nearest training images, k = epsilon * M rounded.

    Many classes have no vote and tie; ties are broken at random where accuracies are averaged.
    An arbitrary choice votes among training images at the same distance as the k-th, always the
    same one.

    Parameters
    ----------
    epsilon : float
        Above 0, at most 1; 0.002 in the thesis of Zheng (2017), Section 5.2, Table 1. At least
        one image votes.
    seed : int
        Not used: nothing is drawn.
    """

    name = "epsilon_nn"
    marginal = False

    def __init__(
        self, *, epsilon: Annotated[float, Number(0, 1, above=True)] = 0.002, seed: Seed = 0
    ) -> None:
        self.epsilon = epsilon
        super().__init__(seed=seed)

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        self._gallery, self._labels = flat(images), labels
        self._neighbors = max(1, round(self.epsilon * len(labels)))

    def _scores(self, images: FloatArray) -> FloatArray:
        from sklearn.metrics import pairwise_distances_chunked

        k, K = self._neighbors, self.n_classes_

        def shares(distances: FloatArray, _: int) -> FloatArray:
            nearest = np.argpartition(distances, k - 1, axis=1)[:, :k]
            cells = np.arange(len(distances))[:, None] * K + self._labels[nearest]
            votes = np.bincount(cells.ravel(), minlength=len(distances) * K)
            return votes.reshape(-1, K) / k

        blocks = pairwise_distances_chunked(flat(images), self._gallery, reduce_func=shares)
        return np.concatenate(list(blocks))
