"""Models of the false positives and false negatives of searches in a gallery of any size."""

import copy
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.optimize import elementwise
from scipy.special import logit

from accuracy_curves.extrapolators.base import Extrapolator, FavorabilityExtrapolator
from accuracy_curves.observed.top_accuracy import expected_top_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix, unchecked
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray

DOUBLINGS = 60
SMALLEST = 1e-12


class FalsePositives(ABC):
    """Base of the models of FPIR(k, T) = 1 - E_x[F_x(T)^k], F_x(T) = P(score < T).

    A subclass implements `fpir`, and sets `label` and `color`, those of figures, where it is a
    method of its own. Thresholds are on the scale of `Searches.oriented`.
    """

    label: ClassVar[str]
    color: ClassVar[str]
    # Largest gallery over K for which the coverage of the intervals was measured to be at most 5
    # points below nominal (`benchmarks/studies/identification.py reach`); 2 where it was not
    # measured.
    reach: ClassVar[int] = 2

    # Of the search for a threshold: how near, in ranges of the scores, and how far its log odds may
    # be from those of the target.
    near: ClassVar[float] = 1e-9
    precision: ClassVar[float] = 0.0

    _low: float
    _high: float

    @abstractmethod
    def fit(self, searches: Searches) -> Self:
        """Fit the impostor scores; set `_low` and `_high`, the least and the largest of them."""

    @abstractmethod
    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""

    def with_other_shapes(self) -> list[Self]:
        """Make copies that assume other things, which fits to halves share; none if nothing is."""
        return []

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold, (n,), at which the rate is at most the given one, in (0, 1).

        The root of the difference of log odds, which is nearly straight (Chandrupatla 1997).
        """

        def excess(at: Float64Array, sizes: IntArray, wanted: Float64Array) -> Float64Array:
            rate = self.fpir(sizes, at).clip(SMALLEST, 1 - SMALLEST)
            return np.asarray(logit(rate) - wanted)

        # A rate that is the target counts as below it.
        given = k, logit(fpir) + 1e-12
        step = max(self._high - self._low, 1e-9 * max(1.0, abs(self._high)))
        ends = elementwise.bracket_root(
            excess,
            np.full(len(k), self._high - 0.02 * step),
            np.full(len(k), self._high + 0.001 * step),
            xmin=self._low - 1e-6 * step,
            maxiter=DOUBLINGS,
            args=given,
        )
        found = elementwise.find_root(
            excess,
            ends.bracket,
            args=given,
            tolerances={"xatol": self.near * step, "xrtol": 1e-12, "fatol": self.precision},
        )
        at = found.x if self.precision else found.bracket[1]
        # Else the rate is too high, or low enough, everywhere.
        everywhere = np.where(ends.f_bracket[1] > 0, ends.bracket[1], self._low)
        return np.where(found.success, at, everywhere)


class Binomial(FalsePositives):
    """Pooled scores: FPIR(k, T) = 1 - (1 - FMR(T))^k (Grother and Phillips 2004).

    FMR(T) is the share of all impostor scores that are at or above T, whichever search they come
    from. Searches differ, so that the rate is predicted too high in large galleries; and beyond
    the largest score it is 0.
    """

    label = "binomial, ROC to CMC"
    color = "#777777"

    def fit(self, searches: Searches) -> Self:
        """Pool the scores."""
        self._low, self._high = ends(searches)
        weights = np.broadcast_to(
            searches.impostor_weights[:, None] / searches.impostor.shape[1],
            searches.impostor.shape,
        )
        order = np.argsort(searches.impostor, axis=None)
        self._scores = searches.impostor.ravel()[order]
        self._above = np.append(np.cumsum(weights.ravel()[order][::-1])[::-1], 0.0)
        return self

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        share = self._above[np.searchsorted(self._scores, oriented, side="left")]
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(k * np.log1p(-np.minimum(share, 1.0))))


class AtEachThreshold(FalsePositives):
    """A method for accuracies, fitted anew for each threshold, which takes time.

    FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the score matrix whose correct
    scores are replaced by T.
    """

    near, precision = 1e-4, 0.01

    def __init__(self, model: Extrapolator) -> None:
        self._model = model

    def fit(self, searches: Searches) -> Self:
        """Keep the searches."""
        self._searches = searches
        self._low, self._high = ends(searches)
        self._fits = dict[float, Extrapolator]()
        return self

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        result = np.empty(len(k))
        for threshold in map(float, np.unique(oriented)):
            if threshold not in self._fits:
                replaced = self._searches.with_threshold(threshold)
                self._fits[threshold] = copy.copy(self._model).fit(replaced)
            here = oriented == threshold
            result[here] = 1 - self._fits[threshold].predict(k[here] + 1)
        return result.clip(0.0, 1.0)


def ends(searches: Searches) -> tuple[float, float]:
    """Find the least and the largest impostor score."""
    return float(searches.impostor[:, 0].min()), float(searches.impostor[:, -1].max())


@dataclass(frozen=True, eq=False, repr=False)
class _Accepted(ScoreMatrix):
    """Searches that weigh as they do among all, and not each identity the same."""

    among_all: Float64Array | None = None

    @property
    def weights(self) -> Float64Array:
        """Weight of each search, (N,), summing to 1."""
        assert self.among_all is not None
        return self.among_all


class FalseNegatives:
    """FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)], from what tells the ranks of the mates.

    That is log C_x and log(1 - C_x) of each mated search; or a method for accuracies, fitted anew
    to the accepted searches of each threshold: the rate is 1 minus their share times their expected
    accuracy at k classes. Thresholds are on the scale of `Searches.oriented`.
    """

    def __init__(self, searches: Searches, ranked_by: Extrapolator | Sequence[Float64Array]):
        self._genuine, self._weights = searches.genuine, searches.mated.weights
        if not isinstance(ranked_by, Extrapolator):
            self._of_each = ranked_by
            return
        self._of_each, self._matrix, self._model = (), searches.mated, ranked_by
        if isinstance(ranked_by, FavorabilityExtrapolator) and ranked_by.needs == "scores":
            # That of each search alone: `auto` has curves beside, which are for all.
            model = copy.copy(ranked_by)
            model._check(searches.mated)
            FavorabilityExtrapolator._fit(model, searches.mated)
            *of_each, _ = FavorabilityExtrapolator._favorabilities(model)
            if len(of_each[0]) == searches.mated.n_points:
                self._of_each = of_each
                del self._matrix

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

    def _found(self, k: IntArray, accepted: npt.NDArray[np.bool_], rank: int) -> Float64Array:
        """Predict which share of the accepted searches, (N,), has its mate in rank, (n,)."""
        weights = self._weights[accepted] / self._weights[accepted].sum()
        if self._of_each:
            log_favorability, log_loss = (each[accepted] for each in self._of_each)
            return expected_top_accuracy(log_favorability, log_loss, weights, k, rank)
        matrix = self._matrix
        kept = matrix.scores[accepted], matrix.labels[accepted], matrix.higher_is_better
        sample = unchecked(_Accepted, *kept, None, weights)
        return copy.copy(self._model).fit(sample).predict(k, top=rank).clip(0.0, 1.0)
