"""Methods of open-set identification, by name: what each takes for both rates."""

import copy
from collections import ChainMap
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification.false_negatives import (
    FalseNegatives,
    FavorabilityOfEach,
    false_negatives_of,
)
from accuracy_curves.identification.false_positives import (
    AtEachThreshold,
    Binomial,
    FalsePositives,
)
from accuracy_curves.identification.pareto_tail import ParetoTail
from accuracy_curves.identification.rivals import BinomialMixture, MixtureOfMates
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class OrdinalTail(AtEachThreshold):
    """`accuracy_curves.Auto`, fitted anew to the replaced score matrix of each threshold."""

    label = "ordinal tail"
    color = "#0B5394"

    def __init__(self) -> None:
        super().__init__("auto")


# Those that are no methods for accuracies by that name. "auto" is one of them.
OWN: Mapping[str, type[FalsePositives]] = {
    "pareto_tail": ParetoTail,
    "ordinal_tail": OrdinalTail,
    "binomial": Binomial,
    "binomial_mixture": BinomialMixture,
}
DEFAULT = "pareto_tail"
# Those of them whose ranks of mates are by `accuracy_curves.Auto`.
RANKED_BY_AUTO = ("pareto_tail", "ordinal_tail")
# Of each method the class that has its label and colour.
KINDS: Mapping[str, type[FalsePositives] | type[Extrapolator]] = ChainMap[str, Any](
    {"auto": OWN[DEFAULT], **OWN}, EXTRAPOLATORS
)
METHODS = ("auto", *OWN, *(name for name in EXTRAPOLATORS if name != "auto"))


def classes_of(method: str) -> list[type[Extrapolator]]:
    """List the methods for accuracies that a method finds by their names."""
    ranked_by = "auto" if method in RANKED_BY_AUTO else method
    return [] if ranked_by in OWN else [EXTRAPOLATORS[ranked_by]]


def check_method(method: str, options: Mapping[str, object]) -> None:
    """Raise `InputError` if there is no such method or option, or an option is out of range."""
    if method not in METHODS:
        raise InputError(f"no method is called {method!r}: there are {', '.join(METHODS)}")
    if method not in OWN and method != "auto":
        make_extrapolator(method, **options)
    elif options:
        raise InputError(f"{method} has no option {next(iter(options))!r}: it has no options")


def check_method_of_trials(method: str) -> str:
    """Choose the method for a list of trials; `InputError` if another was asked for."""
    if method not in ("auto", "binomial"):
        raise InputError(
            f"a list of verification trials has no method but binomial, not {method}: the others "
            "need the scores of every search for every identity"
        )
    return "binomial"


class FittedRates:
    """A method fitted to searches; thresholds are on the scale of `Searches.oriented`."""

    def __init__(
        self, searches: Searches, method: str, seed: int, options: dict[str, object]
    ) -> None:
        check_method(method, options)
        self._searches: Searches | None = searches
        self._seed, self._options = seed, options
        # Number of enrolled identities with a search of their own.
        self.n_mates = len(np.unique(searches.mated.labels))
        self._method = DEFAULT if method == "auto" else method
        self._false_positives = (
            OWN[self._method]() if self._method in OWN else AtEachThreshold(method, seed, **options)
        )
        self._false_positives.fit(searches)
        # The method for accuracies that tells the ranks of the mates, where there is one.
        ranked_by = classes_of(self._method)
        self._ranked_by = ranked_by[0].name if ranked_by else None
        self.minimum_classes = ranked_by[0].minimum_classes if ranked_by else 3

    @property
    def reach(self) -> int:
        """Largest gallery, over the number of enrolled identities, that was measured."""
        return self._false_positives.reach

    def without_scores(self) -> Self:
        """Fit what is not yet fitted, and keep what the fits keep: a half needs its scores once."""
        assert self._false_negatives
        self._searches = None
        return self

    def with_other_shapes(self) -> list[Self]:
        """Copy, with what the method assumes being different; none where nothing is assumed."""
        if not isinstance(self._false_positives, ParetoTail):
            return []
        copies = []
        for other in self._false_positives.with_other_shapes():
            copies.append(copy.copy(self))
            copies[-1]._false_positives = other
        return copies

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the false positive identification rate, (n,)."""
        return self._false_positives.fpir(k, oriented)

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the thresholds of target rates, (n,)."""
        return self._false_positives.threshold(k, fpir)

    def fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the false negative identification rate, (n,)."""
        return self._false_negatives.fnir(k, oriented, rank)

    def fnir_at_fpir(self, k: IntArray, fpir: Float64Array, rank: int) -> Float64Array:
        """Predict the false negative identification rate at the thresholds of target rates."""
        return self.fnir(k, self.threshold(k, fpir), rank)

    @cached_property
    def _false_negatives(self) -> FalseNegatives:
        assert self._searches is not None
        if self._ranked_by is not None:
            return false_negatives_of(self._searches, self._ranked_by, self._seed, self._options)
        if self._method == "binomial_mixture":
            return MixtureOfMates().fit(self._searches)
        # ROC to CMC: every mate meets the same impostor scores.
        one = np.ones(self._searches.mated.n_points, dtype=np.int64)
        share = self._false_positives.fpir(one, self._searches.genuine)
        with np.errstate(divide="ignore"):
            pooled = FavorabilityOfEach(np.log1p(-share), np.log(share))
        return pooled.fit(self._searches)
