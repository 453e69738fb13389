"""Any method for accuracies, fitted anew for each threshold."""

import copy

import numpy as np

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification.base import OpenSetMethod
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class AtEachThreshold(OpenSetMethod):
    """A method for accuracies, fitted anew for each threshold, which takes time.

    FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the score matrix whose correct
    scores are replaced by T. The method tells the ranks of the mates as well.

    Parameters
    ----------
    model : Extrapolator
        The method for accuracies.
    """

    near, precision = 1e-4, 0.01

    def __init__(self, model: Extrapolator) -> None:
        super().__init__(seed=model.seed)
        self.model, self.minimum_classes = model, model.minimum_classes

    def _fit(self, searches: Searches) -> None:
        self._searches = searches
        self._fits = dict[float, Extrapolator]()

    def _fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        for threshold in map(float, np.unique(oriented)):
            if threshold not in self._fits:
                replaced = self._searches.with_threshold(threshold)
                self._fits[threshold] = copy.copy(self.model).fit(replaced)
            here = oriented == threshold
            result[here] = 1 - self._fits[threshold].predict(k[here] + 1)
        return result.clip(0.0, 1.0)

    def _rank_mates(self, searches: Searches) -> Extrapolator:
        return self.model
