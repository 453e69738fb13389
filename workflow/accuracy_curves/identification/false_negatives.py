"""Models of the false negatives of searches in a gallery of any size."""

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
import numpy.typing as npt

from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.bare_curves import fit_points
from accuracy_curves.extrapolators.base import CurveExtrapolator, FavorabilityExtrapolator
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, ranks
from accuracy_curves.observed.top_accuracy import expected_top_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


class FalseNegatives(ABC):
    """Base of the models of FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)].

    A subclass implements `_found`. Thresholds are on the scale of `Searches.oriented`.
    """

    def fit(self, searches: Searches) -> Self:
        """Keep the scores of the mates."""
        self._genuine, self._weights = searches.genuine, searches.mated.weights
        return self

    def fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        for threshold in np.unique(oriented):
            here = oriented == threshold
            accepted = self._genuine >= threshold
            share = float(self._weights[accepted].sum())
            sizes, found = k[here], np.full(np.count_nonzero(here), share)
            ranked = sizes > rank
            if ranked.any() and accepted.any():
                found[ranked] = share * self._found(sizes[ranked], accepted, rank)
            result[here] = 1 - found
        return result.clip(0.0, 1.0)

    @abstractmethod
    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        """Predict which share of the accepted searches, (N,), has its mate in rank, (n,)."""


class FavorabilityOfEach(FalseNegatives):
    """A method that tells C_x of each search: the accepted ones are averaged."""

    def __init__(self, log_favorability: Float64Array, log_loss: Float64Array) -> None:
        self._log_favorability, self._log_loss = log_favorability, log_loss

    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        weights = self._weights[accepted]
        return expected_top_accuracy(
            self._log_favorability[accepted],
            self._log_loss[accepted],
            weights / weights.sum(),
            k,
            rank,
        )


class FittedToAccepted(FalseNegatives):
    """A method for accuracies, fitted anew to the accepted searches of each threshold.

    E_x[1{s_x >= T} C_x^(k - 1)] is the share of the accepted searches times their expected accuracy
    at k classes.
    """

    def __init__(self, method: str, seed: int = 0, **options: object) -> None:
        self._method, self._seed, self._options = method, seed, options

    def fit(self, searches: Searches) -> Self:
        """Keep the searches."""
        self._matrix = searches.mated
        return super().fit(searches)

    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        model = make_extrapolator(self._method, seed=self._seed, **self._options)
        matrix = self._matrix
        if isinstance(model, CurveExtrapolator):
            sizes, weights = np.arange(2, matrix.n_classes + 1), matrix.weights[accepted]
            outscored = ranks(matrix, self._seed)[accepted]
            curve = average_accuracy_of_ranks(
                outscored, matrix.n_classes, sizes, weights / weights.sum()
            )
            fit_points(model, sizes, curve)
        else:
            kept = matrix.scores[accepted], matrix.labels[accepted]
            model.fit(ScoreMatrix(*kept, matrix.higher_is_better))
        return model.predict(k, top=rank).clip(0.0, 1.0)


def false_negatives_of(
    searches: Searches, method: str, seed: int, options: dict[str, object]
) -> FalseNegatives:
    """Fit a method for accuracies to the mated searches, in the way that its kind allows."""
    model = make_extrapolator(method, seed=seed, **options)
    if isinstance(model, FavorabilityExtrapolator) and model.needs == "scores":
        # That of each search alone: `auto` has curves beside, which are for all.
        model._check(searches.mated)
        FavorabilityExtrapolator._fit(model, searches.mated)
        log_favorability, log_loss, _ = FavorabilityExtrapolator._favorabilities(model)
        if len(log_favorability) == searches.mated.n_points:
            return FavorabilityOfEach(log_favorability, log_loss).fit(searches)
    return FittedToAccepted(method, seed, **options).fit(searches)
