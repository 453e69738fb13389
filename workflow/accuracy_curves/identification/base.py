"""The base of all methods of open-set identification: both rates, in a gallery of any size."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
import pandas as pd
import scipy

from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import AnyArray, BoolArray, Float64Array, IntArray
from accuracy_curves.utils.numerics import one_thread
from accuracy_curves.utils.representation import Tabular
from accuracy_curves.utils.validation import Seed, check_options


@dataclass(frozen=True, repr=False)
class Rate(Tabular):
    """A rate, or a threshold, with its interval for the draw of the identities; each (n,).

    `question` is what they belong to: gallery_size, and threshold or target_fpir; each (n,).
    """

    value: Float64Array
    lower: Float64Array
    upper: Float64Array
    question: Mapping[str, npt.NDArray[np.number]] = field(default_factory=dict)

    @classmethod
    def alone(cls, value: Float64Array, **question: AnyArray) -> Rate:
        """Give a rate that has no interval."""
        none = np.full(len(value), np.nan)
        return cls(value, none, none, question)

    def to_frame(self) -> pd.DataFrame:
        """Give a table of the question, then value, lower and upper, one row per gallery."""
        ends = {"value": self.value, "lower": self.lower, "upper": self.upper}
        return pd.DataFrame({**self.question, **ends})


SMALLEST = 1e-12
REFINED = 16  # Steps of a line between two thresholds of a grid.


class RateGrid:
    """FPIR by monotone interpolation of its log odds, piecewise cubics, between some thresholds.

    Each size of a gallery is evaluated once on all thresholds; beyond them every rate is computed.

    Parameters
    ----------
    rate_at : callable
        FPIR at pairs of a gallery size and a threshold, (n,).
    thresholds : (m,) array of float
        Those of the grid.
    """

    def __init__(
        self, rate_at: Callable[[IntArray, Float64Array], Float64Array], thresholds: Float64Array
    ) -> None:
        self._rate_at, self._coarse = rate_at, np.unique(thresholds)
        last = len(self._coarse) - 1
        places = np.linspace(0, last, REFINED * last + 1)
        self._thresholds = np.interp(places, np.arange(last + 1), self._coarse)
        self._odds: dict[int, Float64Array] = {}

    def _read(
        self, k: IntArray, of_size: Callable[[BoolArray, Float64Array], Float64Array]
    ) -> Float64Array:
        """Read something from the log odds of each size, (n,)."""
        result, nodes = np.empty(len(k)), self._coarse
        if new := [size for size in np.unique(k) if size not in self._odds]:
            rates = self._rate_at(np.repeat(new, len(nodes)), np.tile(nodes, len(new)))
            odds = scipy.special.logit(rates.clip(SMALLEST, 1 - SMALLEST)).reshape(len(new), -1)
            curves = scipy.interpolate.PchipInterpolator(nodes, odds, axis=1)(self._thresholds)
            self._odds |= dict(zip(new, curves, strict=True))
        for size in np.unique(k):
            here = k == size
            result[here] = of_size(here, self._odds[size])
        return result

    def rates(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""
        inside = (oriented >= self._coarse[0]) & (oriented <= self._coarse[-1])
        at, result = oriented[inside], np.empty(len(k))
        odds = self._read(k[inside], lambda here, odds: np.interp(at[here], self._thresholds, odds))
        result[inside] = scipy.special.expit(odds)
        if not inside.all():
            result[~inside] = self._rate_at(k[~inside], oriented[~inside])
        return result

    def thresholds(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold of the grid, (n,), at which the rate is at most a given one."""
        wanted, at = -scipy.special.logit(fpir), self._thresholds
        return self._read(k, lambda here, odds: np.interp(wanted[here], -odds, at, right=np.inf))


DOUBLINGS = 60


@dataclass(kw_only=True, eq=False, repr=False)
class OpenSetMethod(ABC):
    """Base of all methods of open-set identification.

    A subclass is fitted to the impostor scores (`_fit`), predicts FPIR from them (`_fpir`), and
    says what gives the ranks of the mates (`_rank_mates`), from which FNIR follows. Its options are
    fields or keyword arguments, as of an `Extrapolator`; its `seed` decides every random draw.

    Thresholds are on the scale of `Searches.oriented`; one that is infinite accepts nobody.
    Searches that failed, all of whose scores are equal, are set aside in the fit. The share of
    their scores that reach a threshold is added to the rates.

    Attributes
    ----------
    name : str
        Key in configurations and on the command line.
    label, color : str
        Name and color in figures.
    minimum_classes : int
        Least number of enrolled identities.
    reach : int
        Largest gallery over K for which the coverage of the intervals was measured to be at most 5
        points below nominal (`benchmarks/studies/identification.py`); 2 where it was not
        measured.
    takes_trials : bool
        Whether a list of verification trials is enough for it.
    tail_scale : bool
        Whether it is fitted on the scale of `Searches.for_tail`; else to the scores as they are.
    largest : float
        Largest score of the searches: no threshold beyond it is known.
    n_mates : float
        Number of enrolled identities with a search of their own; fewer where some weigh more.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    color: ClassVar[str]
    reach: ClassVar[int] = 2
    takes_trials: ClassVar[bool] = False
    tail_scale: ClassVar[bool] = False

    minimum_classes = MINIMUM_CLASSES

    seed: Seed = 0

    # Of the search for a threshold: how near, in ranges of the scores, and how far its log odds may
    # be from those of the target.
    near: ClassVar[float] = 1e-9
    precision: ClassVar[float] = 0.0

    # Of a copy that is quicker.
    _grid: RateGrid | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        check_options(self)

    def fit(self, searches: Searches) -> Self:
        """Fit both rates; `InputError` or `FitError` if that cannot be done."""
        others, *self._failed = searches.set_aside_failures()
        failed = searches.mated.failed & (others is not searches)
        self._failed_mates = searches.genuine[failed], searches.mated.weights[failed]
        self._low = float(others.impostor[:, 0].min())
        self._high = float(others.impostor[:, -1].max())
        self.largest = others.largest
        people = np.bincount(searches.mated.labels, searches.mated.weights)
        self.n_mates = float(1 / np.square(people).sum())
        # The products are small: threads would only wait for each other.
        with one_thread():
            self._fit(others)
            self._ranked_by: Any = self._rank_mates(others)
        self._genuine, self._mate_weights = others.genuine, others.mated.weights
        return self

    def fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict FPIR(k, T) = 1 - E_x[F_x(T)^k], F_x(T) = P(score < T), at pairs of both, (n,)."""
        if self._grid is not None:
            return self._grid.rates(k, oriented)
        found, some = np.zeros(len(k)), oriented < np.inf
        found[some] = self._fpir(k[some], oriented[some])
        scores, weights = self._failed
        return np.asarray((1 - weights.sum()) * found + (scores >= oriented[:, None]) @ weights)

    def fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict FNIR(k, T) = 1 - E_x[1{s_x >= T} C_x^(k - 1)] at pairs of both, (n,).

        Where a search that failed is accepted its mate is one of all that tie.
        """
        missed, (scores, weights) = self._fnir(k, oriented, rank), self._failed_mates
        accepted, share = (scores >= oriented[:, None]) @ weights, weights.sum()
        return np.asarray((1 - share) * missed + share - accepted * np.minimum(rank / k, 1.0))

    def fnir_at_fpir(self, k: IntArray, fpir: Float64Array, rank: int) -> Float64Array:
        """Predict the false negative rate at the thresholds of target rates, (n,).

        Not a number where such a target cannot be measured.
        """
        missed = self.fnir(k, self.threshold(k, fpir), rank)
        return np.where(fpir < self.least_fpir(k), np.nan, missed)

    def threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find the least threshold, (n,), at which the rate is at most the given one, in (0, 1).

        Infinite where it lies beyond every score, or the target cannot be measured.
        """
        root = self._grid.thresholds(k, fpir) if self._grid else self._find_threshold(k, fpir)
        return np.where((root > self.largest) | (fpir < self.least_fpir(k)), np.inf, root)

    def least_fpir(self, k: IntArray) -> Float64Array:
        """Find the least rate but 0 that can be measured, (n,): none where a tail is fitted."""
        return np.zeros(len(k))

    def _find_threshold(self, k: IntArray, fpir: Float64Array) -> Float64Array:
        """Find where the rate, which falls with the threshold, meets a target, (n,).

        The root of the difference of log odds, which is nearly straight (Chandrupatla 1997).
        """
        from scipy.optimize import elementwise

        def excess(at: Float64Array, sizes: IntArray, wanted: Float64Array) -> Float64Array:
            # A rate that is too low to be measured is no number.
            rate = np.fmax(self.fpir(sizes, at), SMALLEST).clip(max=1 - SMALLEST)
            return np.asarray(scipy.special.logit(rate) - wanted)

        # A rate that is the target counts as below it.
        given = k, scipy.special.logit(fpir) + 1e-12
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

    @abstractmethod
    def _fit(self, searches: Searches) -> None:
        """Fit the impostor scores."""

    @abstractmethod
    def _fpir(self, k: IntArray, oriented: Float64Array) -> Float64Array:
        """Predict the rate at pairs of a gallery size and a threshold, (n,)."""

    def _fnir(self, k: IntArray, oriented: Float64Array, rank: int) -> Float64Array:
        """Predict the rate of the searches that did not fail, (n,).

        Summed in the order of their mates' scores: all thresholds at once.
        """
        order = np.argsort(-self._genuine)
        accepted = np.searchsorted(-self._genuine[order], -oriented, side="right")
        result = np.empty(len(k))
        for size in np.unique(k):
            right, law = self._mate_weights, self._ranked_by
            if size > rank:
                # Each mate may have several values of C, after those of all others.
                right = law.chances(np.array([size]), rank) * law.weights
                right = right.reshape(-1, len(order)).sum(axis=0)
            share = np.append(0.0, np.cumsum(right[order]))
            here = k == size
            result[here] = 1 - share[accepted[here]]
        return result.clip(0.0, 1.0)

    @abstractmethod
    def _rank_mates(self, searches: Searches) -> Favorabilities | None:
        """Estimate the favorability of each mate; None where `_fnir` does without."""

    def with_other_shapes(self) -> list[Self]:
        """Make copies that assume other things, which fits to halves share; none if nothing is."""
        return []

    def on_grid(self) -> Self:
        """Give what is quicker for many rates, up to interpolation; by default this."""
        return self


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
