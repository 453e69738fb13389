"""Epsilon-NN: votes among a fixed share of all training images."""

from typing import Annotated, Any

from accuracy_curves.utils.arrays import Float64Array, FloatArray
from accuracy_curves.utils.validation import Number
from experiments.datasets.classifiers.base import ScikitLearn, flat


class EpsilonNN(ScikitLearn):
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
        Not used: nothing is random.
    """

    name = "epsilon_nn"

    epsilon: Annotated[float, Number(0, 1, above=True)] = 0.002

    def estimator(self, n_images: int) -> Any:
        """Make the vote of the nearest images."""
        from sklearn.neighbors import KNeighborsClassifier

        return KNeighborsClassifier(max(1, round(self.epsilon * n_images)), algorithm="brute")

    def _scores(self, images: FloatArray) -> Float64Array:
        return self._fitted.predict_proba(flat(images))
