"""The base of all extrapolators: fit a sample of k1 classes, predict the accuracy at any k."""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.observed.accuracy import average_measure, curve_to_fit, ranks
from accuracy_curves.observed.measures import Credits, Measure, Top, posterior
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.scores.sample import Sample, as_sample, set_aside_failures
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.linear_algebra import one_thread
from accuracy_curves.utils.validation import Seed, check_classes, check_options

# Right answers of a query that are fitted together begin at these places; so few are not.
FIRST_PLACES, LEAST_PAIRS = (1, 3, 6, 10, 20), 50
# Of the squared errors of a curve; 1 where all weigh the same.
Weights = Float64Array | float


class Points(NamedTuple):
    """What a measure needs of points that were fitted, some of which fixed rivals beat.

    So many of all drawn `rivals` beat each, (N,).
    """

    weights: Float64Array
    fixed: FixedRivals
    beaten: IntArray
    rivals: int


def points_of(sample: Sample, seed: int) -> Points | None:
    """Keep the points of a sample that has fixed rivals; None of others."""
    if sample.design.rivals is None:
        return None
    rivals, fixed = sample.n_classes - 1, replace(sample.design.rivals, counts=None)
    return Points(sample.weights, fixed, rivals - ranks(sample, seed), rivals)


def rows_by_place(sample: Sample) -> list[IntArray]:
    """Divide points into those that are fitted together: by the place of their right answer.

    The best; the 2nd and 3rd; to the 6th; the 10th; the 20th; the others.
    """
    if sample.design.rivals is None:
        return [np.arange(sample.n_points)]
    groups = list[IntArray]()
    group = np.searchsorted(FIRST_PLACES, sample.design.rivals.place, side="right")
    for number in range(len(FIRST_PLACES) + 1):
        rows = np.flatnonzero(group == number)
        # Those that are too few go with the ones before.
        if groups and np.count_nonzero(~sample.censored[rows]) < LEAST_PAIRS:
            groups[-1] = np.append(groups[-1], rows)
        else:
            groups.append(rows)
    return [rows for rows in groups if len(rows)]


@dataclass(kw_only=True, eq=False, repr=False)
class Extrapolator(ABC):
    """Base of all methods.

    A subclass sets `name` (the key in configurations), `label` and `color` (in figures), takes
    its options as keyword arguments with defaults, checks them with one sentence each
    (`InputError`), and stores them under the same names: a dataclass whose fields have ranges
    (`utils.validation`) does. Its `seed` decides every random draw.
    It needs the "scores", or sets `needs` to "ranks" where the ranks of the correct classes tell
    it all: then it also takes `Ranks` and distances that are not stored.

    A method says itself, in these class attributes, what other parts of the project must know of
    it.

    Attributes
    ----------
    name : str
        Key in configurations and on the command line.
    label, color : str
        Name and color in figures.
    minimum_classes : int
        Least k1.
    needs : {"scores", "moments", "ranks"}
        What it is fitted to: scores, of which the mean and standard deviation of each point's
        incorrect ones may be enough, or ranks.
    reach : int
        Largest k / k1 at which the coverage of its intervals, pooled over settings, was measured
        to be at most 5 points below nominal; at most 2 where it was not measured on real sets, and
        0 where it is not even at k1, on populations of known accuracy
        (benchmarks/studies/reach.py).
    splits : int
        Splits into halves for its intervals, by default and at most.
    has_tops : bool
        Whether it predicts top-t accuracies, t > 1.
    sees_fixed : bool
        Whether it is fitted to the points that a fixed rival beats, too.
    takes_lists : bool
        Whether it is fitted to lists of candidates as well.
    slow : bool
        Whether a fit takes seconds to minutes.
    extra : str or None
        Extra that must be installed beside the library: `pip install 'accuracy-curves[EXTRA]'`.
    two_names : {"drawn", "fixed"}
        What it takes pairs for that look like one class under two names, see `Auto`.
    stepwise : bool
        Whether a fit stops after a number of steps, short of the exact minimum, so that
        differences in rounding grow.
    failed_share_ : float
        Weight of the points that failed, all of whose scores are equal: the fit is made without
        them, and at k classes they count as the tie that they are, 1 / k.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    color: ClassVar[str]
    minimum_classes: ClassVar[int] = MINIMUM_CLASSES
    reach: ClassVar[int] = 2
    splits: ClassVar[int] = 30
    has_tops: ClassVar[bool] = False
    sees_fixed: ClassVar[bool] = False
    takes_lists: ClassVar[bool] = False
    slow: ClassVar[bool] = False

    needs = "scores"
    two_names = "drawn"
    stepwise = False
    extra: str | None = field(default=None, init=False)
    failed_share_ = 0.0
    _points: Points | None = field(default=None, init=False)
    _orders: Sequence[tuple[float, Extrapolator]] = field(default=(), init=False)
    _group_size = 1.0

    seed: Seed = 0

    def __post_init__(self) -> None:
        check_options(self)

    def __repr__(self) -> str:
        options = inspect.signature(type(self)).parameters.values()
        given = [
            (each.name, getattr(self, each.name, each.default), each.default) for each in options
        ]
        shown = [f"{name}={value!r}" for name, value, default in given if value != default]
        return f"{type(self).__name__}({', '.join(shown)})"

    def fit(self, sample: Sample) -> Self:
        """Fit the method to the scores of k1 classes.

        Parameters
        ----------
        sample : ScoreMatrix, or Ranks or DistanceMatrix where `needs` is "ranks"
            N points, k1 classes.

        Returns
        -------
        Self

        Raises
        ------
        InputError
            If k1 is too small for the method, or the method needs scores and there are none.
        FitError
            If the method cannot be fitted to the sample.
        """
        # Lists of halves are half as long.
        as_sample(sample).check_lengths()
        return self._fit_any(sample)

    @classmethod
    def fit_each(cls, pairs: Iterable[tuple[Self, Sample]]) -> Iterator[Self]:
        """Fit models whose options are equal, each to its sample; yields them in turn."""
        for model, sample in pairs:
            yield model.fit(sample)

    def _fit_any(self, sample: Sample, fit: Callable[[Any], None] | None = None) -> Self:
        """Fit to a sample, or to what is left of one, by `_fit` or another function."""
        self._check(sample)
        orders = rows_by_place(sample)
        if len(orders) > 1:
            ready = self.prepared(sample)
            parts = [ready.fit_part(sample.select_points(rows)) for rows in orders]
            shares = [float(sample.weights[rows].sum()) for rows in orders]
            # It is what was fitted to the best answers.
            vars(self).update(vars(parts[0]))
            self._orders = list(zip(shares, parts, strict=True))
            return self
        self._orders = ()
        # The products are small: threads would only wait for each other.
        try:
            with one_thread():
                others, share = set_aside_failures(self.fitted_to(sample))
                self._group_size = others.design.group_size
                self._points = points_of(others, self.seed)
                (fit or self._fit)(others if self.sees_fixed else others.unbeaten())
                self.failed_share_ = share
        except MemoryError as error:
            raise FitError(
                f"{self.name} does not fit in the memory of this machine, with {sample.n_points:,} "
                f"points of {sample.n_classes:,} classes: take smaller options, if it has any, or "
                "fewer points"
            ) from error
        return self

    def fitted_to(self, sample: Any) -> Any:
        """Reduce a large score matrix, unless whole rows are needed."""
        return sample.reduced if self.takes_lists or self.needs != "scores" else sample

    def prepared(self, sample: Any) -> Self:
        """Find what all fits share, those to a sample that `fitted_to` gave and to parts of it."""
        return self

    def fit_part(self, part: Any) -> Self:
        """Fit a copy to what `fitted_to` made of a sample, or to some of its classes."""
        return copy.copy(self)._fit_any(part)

    def _check(self, sample: Sample) -> None:
        """Raise if the method cannot be fitted to such a sample."""
        if not (as_sample(sample).is_complete or self.takes_lists):
            raise InputError(
                f"{self.name} does not take lists of candidates: take another method, for instance "
                "auto"
            )
        if sample.n_classes < self.minimum_classes:
            raise InputError(
                f"{self.name} needs at least k1 = {self.minimum_classes} classes, "
                f"the sample has {sample.n_classes}"
            )
        if self.needs != "ranks" and not sample.has_scores:
            raise InputError(
                f"{self.name} needs the scores, not only the ranks: give it a score matrix"
                + (", which .stored() makes" if hasattr(sample, "stored") else "")
            )

    def predict(
        self, k: npt.ArrayLike, top: Top = 1, *, measure: str | None = None
    ) -> Float64Array:
        """Predict the expected accuracy at k classes.

        Parameters
        ----------
        k : int or (n,) array of int
            Numbers of classes, each from 2 to 10**18.
        top : int
            t: a point counts where fewer than t incorrect classes outscore its own
            (`accuracy_curves.extrapolators.favorability.Favorabilities.accuracy`).
        measure : str, optional
            Another measure of the ranks, such as ``"ndcg@10"``.

        Returns
        -------
        (n,) array of float
            Expected accuracies E_k[A]. Methods without shape constraints may leave [0, 1].

        Raises
        ------
        InputError
            If a k is below 2 or not a whole number; or if t is above 1 and the method fits the
            curve without the distribution of the favorability behind it.
        FitError
            If the method was not fitted.
        """
        classes, asked = check_classes(k), Measure.of(top, measure)
        if not self._is_fitted():
            raise FitError(f"{type(self).__name__} must be fitted before it can predict")
        return self._expect(classes, asked)

    def predict_parts(self, k: npt.ArrayLike, top: Top = 1) -> Float64Array:
        """Predict as `predict`, by each of its parts alone, (parts, n)."""
        classes, asked = check_classes(k), Measure.of(top)
        return np.array([self._expect(classes, asked, place) for place in range(len(self.parts))])

    def _expect(self, classes: IntArray, asked: Measure, place: int | None = None) -> Float64Array:
        """Expect a measure at checked numbers of classes; by all parts, or by one of them alone."""
        if self._points is None and asked.is_hit:
            by = self._part(place)
            found = by._predict(classes) if asked.top == 1 else by._predict_top(classes, asked.top)
            return self._with_failed(found, classes, asked)
        units = np.maximum(np.rint(classes / self._group_size), 1).astype(np.int64)
        found, queries = np.zeros(len(units)), 0.0
        for share, part in self._orders or [(1.0, self)]:
            own, of_queries = share * part._credits(asked).counted
            queries += of_queries
            if own:
                earned = part._part(place)._earn(units, asked)
                found += own * part._with_failed(earned, units, asked)
        return found / queries

    def _credits(self, measure: Measure) -> Credits:
        """Say what a measure counts of each point that was fitted; of one where all are alike."""
        if self._points is None:
            return Credits.of(measure, np.ones(1))
        return Credits.of(measure, self._points.weights, self._points.fixed)

    def _with_failed(
        self, found: Float64Array, classes: IntArray, measure: Measure
    ) -> Float64Array:
        """Count the points that failed as the ties that they are."""
        if not self.failed_share_:
            return found
        earned = np.cumsum(measure.discounts)[np.minimum(classes, measure.top) - 1] / classes
        return (1 - self.failed_share_) * found + self.failed_share_ * earned

    @property
    def classes_for_halves(self) -> int:
        """Least number of classes whose halves are enough for it."""
        return 2 * max(MINIMUM_CLASSES, self.minimum_classes)

    def reach_of(self, top: Top) -> int:
        """Largest k / k1 for a measure: t times as far for the t best, as t rivals must beat."""
        measure = Measure.of(top)
        return self.reach * (measure.top if measure.is_hit else 1)

    @property
    def parts(self) -> list[tuple[float, Extrapolator]]:
        """The methods that it mixes, with their weights."""
        return [(1.0, self)]

    def _part(self, place: int | None) -> Extrapolator:
        return self if place is None else self.parts[place][1]

    def _earn(self, k: IntArray, measure: Measure) -> Float64Array:
        """Expect what points earn of a measure, as a share of the best, at k columns."""
        if len(self.parts) > 1:
            return np.sum([w * part._earn(k, measure) for w, part in self.parts], axis=0)
        credits = self._credits(measure)
        if measure.top == 1 and not self.sees_fixed:
            unbeaten = credits.credit[credits.codes, 0] > 0
            return float(credits.weights[unbeaten].sum()) * self._predict(k)
        self.check_top(measure.top)
        law = self.favorabilities
        if self._points is None:
            return law.expected(k, credits.credit[0][:, None] * law.weights)
        if self.sees_fixed:
            return law.expected(k, credits.points)
        if law.weights.min() < 0:
            raise InputError(
                f"{self.name} does not tell which points err, and so nothing of {measure} where "
                "some rivals stay: take another method, for instance auto"
            )
        seen, place = np.unique(self._points.beaten, return_inverse=True)
        chance = posterior(seen, self._points.rivals, law.log_c, law.log_loss, law.weights)
        with one_thread():
            return law.expected(k, credits.spread(place, len(seen)) @ chance)

    def observed(self, sample: Sample) -> tuple[IntArray, Float64Array]:
        """Average accuracies of the sample, with their k = 2..k1 and this method's tie-breaking."""
        k = np.arange(2, sample.n_classes + 1)
        return k, average_measure(sample.drawn_rivals(), k, ranks(sample, self.seed))

    @abstractmethod
    def _fit(self, sample: Any) -> None:
        """Set the fitted attributes, whose names end in an underscore."""

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution of the favorability, where the method has one."""
        raise AttributeError(f"{self.name} has no distribution of the favorability")

    def value_points(self, sample: Sample) -> Favorabilities | None:
        """Estimate the favorability of each point of a sample; None if the method values none."""
        return None

    # Any: a subclass may say that it takes the whole numbers k as floats.
    def _predict(self, k: Any) -> Float64Array:
        """Predict at checked numbers of classes; a method without `favorabilities` has its own."""
        return self.favorabilities.accuracy(k)

    def _predict_top(self, k: IntArray, top: int) -> Float64Array:
        """Predict the top-t accuracy at checked numbers of classes."""
        self.check_top(top)
        return self.favorabilities.accuracy(k, top)

    def check_top(self, top: int) -> None:
        """Raise `InputError` where it has the curve of the top 1 alone."""
        if top > 1 and not self.has_tops:
            raise InputError(
                f"{self.name} fits the top-1 curve alone and says nothing of the top-{top} "
                "accuracy: take another method, for instance auto"
            )

    def _is_fitted(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))


class FavorabilityExtrapolator(Extrapolator):
    """Base of the methods that estimate C_x, the favorability of each point.

    C_x = P_Y'(S_y*(x) > S_y'(x)), and E_k[A] = E_x[C_x ** (k - 1)] (ICLR 2021, Eq. 12). A
    subclass implements `_favorability`.

    Attributes
    ----------
    favorability_ : (N,) array of float
        Estimates of C_x in [0, 1].
    weights_ : (N,) array of float
        Weights of the points, summing to 1.
    """

    has_tops = True
    sees_fixed = True

    @abstractmethod
    def _favorability(self, sample: ScoreMatrix) -> Float64Array:
        """Estimate C_x for every point of the sample, (N,)."""

    def _fit(self, sample: Any) -> None:
        self._keep(sample, self._favorability(sample))

    def _keep(self, sample: Sample, favorability: Float64Array) -> None:
        """Set the fitted attributes."""
        self._points = points_of(sample, self.seed)
        self.weights_ = sample.weights
        self.favorability_ = np.asarray(favorability, dtype=np.float64)

    @property
    def favorabilities(self) -> Favorabilities:
        """The points' estimates, with their weights."""
        return Favorabilities.of(self.favorability_, self.weights_)

    def value_points(self, sample: Sample) -> Favorabilities | None:
        """Fit a copy to the sample, and give what it estimates."""
        fitted = copy.copy(self)
        fitted._check(sample)
        fitted._fit(sample)
        return fitted.favorabilities


class CurveExtrapolator(Extrapolator):
    """Base of the methods that fit a curve to the observed average accuracies alone.

    A subclass implements `_fit_curve` and `_predict`. Its `_fit_curve` may take `weights` as well,
    (n,) numbers of mean 1, for accuracies of which some are known better than others.

    Attributes
    ----------
    every_k : bool
        Whether it needs the accuracy at every k = 2..k1.
    """

    every_k: ClassVar[bool] = False

    needs = "ranks"

    def _fit(self, sample: Sample) -> None:
        k, accuracy, weights = curve_to_fit(sample, self.seed, every_k=not self.takes_lists)
        # A curve of another package may know of no weights.
        given = {} if weights is None else {"weights": weights}
        self._fit_curve(k, accuracy, **given)

    def _fit_top_curve(
        self, k: IntArray, accuracy: Float64Array, weights: Float64Array, top: int
    ) -> None:
        """Fit top-t accuracies, t > 1, as `_fit_curve`."""
        raise InputError(
            f"{self.name} fits the curve of the top 1 alone: take another method, for instance "
            "two_parameter"
        )

    @abstractmethod
    def _predict(self, k: Any) -> Float64Array:
        """Predict at checked numbers of classes."""

    @abstractmethod
    def _fit_curve(self, k: Any, accuracy: Float64Array) -> None:
        """Fit the average accuracies at k = 2..k1; set the fitted attributes."""
