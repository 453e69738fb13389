"""A method fitted to searches, and what it predicts at thresholds as they are given."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification import make_open_set_method
from accuracy_curves.identification.base import OpenSetMethod, Rates
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray

DEFAULT = "auto"


class FittedRates:
    """Rates that a fitted method predicts at pairs of a gallery size and a threshold, (n,).

    `model` is fitted to the `sample`, which is the searches on the scale of `Searches.oriented`.
    """

    def __init__(
        self, searches: Searches, method: str, seed: int, options: Mapping[str, Any]
    ) -> None:
        if searches.are_trials and method == DEFAULT:
            method = Binomial.name
        self.searches, self.method, self.seed, self._options = searches, method, seed, options
        # Methods for accuracies are fitted to what is given, with thresholds among the scores.
        self.sample, self.model = searches, self.unfitted()
        if self.model.tail_scale or searches.sum_of_probabilities:
            self.sample = searches.for_tail()
        if searches.are_trials and not self.model.takes_trials:
            raise InputError(
                f"{method} takes no list of verification trials, as it needs the scores of every "
                f"search for every identity: take {Binomial.name}, or give those scores"
            )
        self.model.fit(self.sample)

    def unfitted(self) -> OpenSetMethod:
        """Make the method anew, with its options."""
        return make_open_set_method(self.method, seed=self.seed, **self._options)

    @property
    def farthest(self) -> float:
        """Largest gallery for which the intervals were measured; of trials there is no limit."""
        trials = self.searches.are_trials
        return np.inf if trials else self.model.reach * self.searches.n_classes

    def fpir(
        self, k: IntArray, thresholds: Float64Array, part: Rates | None = None
    ) -> Float64Array:
        """Predict FPIR, by a fit to a part of the searches where one is given."""
        at = self.searches.oriented(thresholds)
        found, some = np.zeros(len(k)), at < np.inf
        found[some] = (part or self.model).fpir(k[some], at[some])
        return np.where(some & (found < self.least_fpir(k) / 2), np.nan, found)

    def least_fpir(self, k: IntArray) -> Float64Array:
        """Find the least rate but 0 that can be told: trials have few scores, and no tail."""
        trials = len(self.searches.non_mated) if self.searches.are_trials else np.inf
        return np.asarray(-np.expm1(k * np.log1p(-1 / trials)))

    def fnir(
        self, k: IntArray, thresholds: Float64Array, part: Rates | None = None, rank: int = 1
    ) -> Float64Array:
        """Predict FNIR, by a fit to a part of the searches where one is given."""
        return (part or self.model).fnir(k, self.searches.oriented(thresholds), rank)

    def fnir_at_fpir(
        self, k: IntArray, fpir: Float64Array, part: Rates | None = None, rank: int = 1
    ) -> Float64Array:
        """Predict FNIR at the threshold of a target, by a fit to a part where one is given."""
        found = (part or self.model).fnir_at_fpir(k, fpir, rank)
        return np.where(fpir < self.least_fpir(k), np.nan, found)

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the loosest threshold at which FPIR is at most a target; infinite for none."""
        found = self.model.threshold(k, fpir)
        return self.searches.as_given(np.where(fpir < self.least_fpir(k), np.inf, found))
