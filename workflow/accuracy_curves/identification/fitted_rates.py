"""A method fitted to searches; thresholds are on the scale of `Searches.oriented`."""

from collections.abc import Mapping
from typing import Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.identification import make_open_set_method
from accuracy_curves.identification.base import OpenSetMethod
from accuracy_curves.identification.binomial import Binomial
from accuracy_curves.scores.searches import Searches

DEFAULT = "auto"


class FittedRates:
    """A method, the `model`, fitted to the `sample`: the `searches` on the scale of the method."""

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
                f"{method} needs the scores of each search for all: of trials take {Binomial.name}"
            )
        self.model.fit(self.sample)

    def unfitted(self) -> OpenSetMethod:
        """Make the method anew, with its options."""
        return make_open_set_method(self.method, seed=self.seed, **self._options)
