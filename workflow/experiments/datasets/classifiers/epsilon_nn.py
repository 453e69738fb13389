"""Epsilon-NN: votes among a fixed share of all training images."""

from dataclasses import dataclass
from typing import Annotated

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import Number
from experiments.datasets.classifiers.base import Classifier, flat


@dataclass(kw_only=True, eq=False)
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
        Not used: nothing is random.
    """

    name = "epsilon_nn"
    marginal = False

    epsilon: Annotated[float, Number(0, 1, above=True)] = 0.002

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        from sklearn.neighbors import KNeighborsClassifier

        voting = max(1, round(self.epsilon * len(labels)))
        self._fitted = KNeighborsClassifier(voting, algorithm="brute").fit(flat(images), labels)

    def _scores(self, images: FloatArray) -> Float64Array:
        return self._fitted.predict_proba(flat(images))
