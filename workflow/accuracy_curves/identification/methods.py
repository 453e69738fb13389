"""Methods of open-set identification, by name: what each takes for both rates."""

import copy
from collections import ChainMap
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification.pareto_tail import ParetoTail
from accuracy_curves.identification.rate_models import (
    AtEachThreshold,
    Binomial,
    FalseNegatives,
    FalsePositives,
)
from accuracy_curves.identification.rivals import BinomialMixture
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class OrdinalTail(AtEachThreshold):
    """`accuracy_curves.Auto`, fitted anew to the replaced score matrix of each threshold."""

    label = "ordinal tail"
    color = "#0B5394"


# Those that are no methods for accuracies by that name.
OWN: Mapping[str, type[FalsePositives] | type[Extrapolator]] = {
    "auto": ParetoTail,
    "pareto_tail": ParetoTail,
    "ordinal_tail": OrdinalTail,
    "binomial": Binomial,
    "binomial_mixture": BinomialMixture,
}
# Of every method the class that has its label and colour.
METHODS: Mapping[str, type[FalsePositives] | type[Extrapolator]] = ChainMap[str, Any](
    {**OWN}, EXTRAPOLATORS
)


def method_for_accuracies(
    method: str, options: Mapping[str, object], seed: int = 0
) -> Extrapolator | None:
    """Construct what a method asks for accuracies, of the mates' ranks at least; None if nothing.

    `InputError` if there is no such method or option, or an option is out of range.
    """
    if method not in METHODS:
        raise InputError(f"no method is called {method!r}: there are {', '.join(METHODS)}")
    if method not in OWN:
        return make_extrapolator(method, seed=seed, **options)
    if options:
        raise InputError(f"{method} has no option {next(iter(options))!r}: it has no options")
    if OWN[method] is Binomial:
        return None
    if OWN[method] is BinomialMixture:
        return BinomialMixture(seed=seed)
    return make_extrapolator("auto", seed=seed)


class FittedRates:
    """A method fitted to searches; thresholds are on the scale of `Searches.oriented`.

    One that is infinite accepts nobody.
    """

    def __init__(
        self, searches: Searches, method: str, seed: int, options: Mapping[str, object]
    ) -> None:
        model = method_for_accuracies(method, options, seed)
        kind = METHODS[method]
        own = kind() if model is None or kind is ParetoTail else AtEachThreshold(model)
        assert isinstance(own, FalsePositives)
        self.false_positives: FalsePositives = own.fit(searches)
        self.largest = searches.largest
        # Enrolled identities with a search of their own; fewer where some weigh more.
        people = np.bincount(searches.mated.labels, searches.mated.weights)
        self.n_mates = float(1 / np.square(people).sum())
        self.minimum_classes = model.minimum_classes if model else 3
        self.reach = own.reach
        if model is None:
            # ROC to CMC: every mate meets the same impostor scores.
            one = np.ones(searches.mated.n_points, dtype=np.int64)
            share = own.fpir(one, searches.genuine)
            with np.errstate(divide="ignore"):
                self.false_negatives = FalseNegatives(searches, [np.log1p(-share), np.log(share)])
        else:
            self.false_negatives = FalseNegatives(searches, model)

    def with_other_shapes(self) -> list[Self]:
        """Copy, with what the method assumes being different; none where nothing is assumed."""
        copies = []
        for other in self.false_positives.with_other_shapes():
            copies.append(copy.copy(self))
            copies[-1].false_positives = other.on_grid()
        return copies

    def on_grid(self) -> Self:
        """Copy for many questions, see `FalsePositives.on_grid`."""
        found = copy.copy(self)
        found.false_positives = self.false_positives.on_grid()
        return found

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the false positive identification rate at thresholds."""
        found, some = np.zeros(len(k)), oriented < np.inf
        found[some] = self.false_positives.fpir(k[some], oriented[some])
        return found

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the thresholds of target rates; infinite where they lie beyond every score."""
        found = self.false_positives.threshold(k, fpir)
        return np.where(found > self.largest, np.inf, found)

    def fnir_at_fpir(self, k: IntArray, fpir: Float64Array, rank: int) -> Float64Array:
        """Predict the false negative identification rate at the thresholds of target rates."""
        return self.false_negatives.fnir(k, self.threshold(k, fpir), rank)
