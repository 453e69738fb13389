"""Any method for accuracies, fitted anew for each threshold."""

import copy

import numpy as np

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.identification.base import OpenSetMethod
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class AtEachThreshold(OpenSetMethod):
    """A method for accuracies, fitted anew for each threshold, which takes time.

    FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the score matrix whose correct
    scores are replaced by T. The method gives the ranks of the mates as well.

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
        result = np.empty(len(k))
        for threshold in map(float, np.unique(oriented)):
            if threshold not in self._fits:
                replaced = self._searches.with_threshold(threshold)
                self._fits[threshold] = copy.copy(self.model).fit(replaced)
            here = oriented == threshold
            result[here] = 1 - self._fits[threshold].predict(k[here] + 1)
        return result.clip(0.0, 1.0)

    def _fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Fit to the accepted searches of each threshold, where the method values no point.

        The rate is 1 minus their share times their expected accuracy at k classes.
        """
        if self._ranked_by is not None:
            return super()._fnir(k, oriented, rank)
        mated, result = self._searches.mated, np.empty(len(k))
        for threshold in np.unique(oriented):
            here, accepted = oriented == threshold, self._genuine >= threshold
            share, found = self._mate_weights[accepted].sum(), np.ones(np.count_nonzero(here))
            ranked = k[here] > rank
            if ranked.any() and share:
                # They weigh as they do among all, and not each identity the same.
                weights = self._mate_weights[accepted] / share
                sample = mated.select_points(np.flatnonzero(accepted)).redesigned(weights=weights)
                fitted = copy.copy(self.model).fit(sample)
                found[ranked] = fitted.predict(k[here][ranked], top=rank).clip(0.0, 1.0)
            result[here] = 1 - share * found
        return result.clip(0.0, 1.0)

    def _rank_mates(self, searches: Searches) -> Favorabilities | None:
        return self.model.value_points(searches.mated)
