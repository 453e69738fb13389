"""Intervals that account for the draw of the classes, from fits to halves of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
import scipy

from accuracy_curves.cautions import warn
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals import half_fits
from accuracy_curves.intervals.cautions import Predicted, cautions_of_accuracy
from accuracy_curves.intervals.half_fits import LEAST_SPLITS, LEVEL, HalfFits
from accuracy_curves.intervals.monotone_ends import between, bound_by_others, grid_of, least
from accuracy_curves.intervals.variance import quantile
from accuracy_curves.observed.measures import Measure, Top
from accuracy_curves.scores.sample import Sample
from accuracy_curves.utils.arrays import ArrayLike, BoolArray, Float64Array, IntArray
from accuracy_curves.utils.representation import Described, Tabular
from accuracy_curves.utils.validation import Number, Whole, check, check_classes

# A measure of more places takes long: it is found at every fourth number of classes.
DEEP = 20
# A target is looked for up to so many classes.
SEARCHED_TO = 10**12
NUMBERS = "accuracy", "lower", "upper", "set_lower", "set_upper"


class Sizes(NamedTuple):
    """A number of classes, the ends of its interval, and what speaks against it.

    None beyond 10^12; the ends are NaN without splits.
    """

    estimate: int | None
    lower: float | None
    upper: float | None
    cautions: list[AccuracyWarning]


@dataclass(frozen=True, repr=False)
class Interval(Tabular):
    """Accuracies with intervals, each an (n,) array.

    Attributes
    ----------
    k : array of int
        Numbers of classes.
    accuracy : array of float
        Prediction from all k1 classes, in [0, 1].
    lower, upper : array of float
        Interval of the expected accuracy E_k[A].
    set_lower, set_upper : array of float
        Prediction interval of the accuracy on one new set of k classes, with as many points a
        class as the sample.
    too_far : array of bool
        Whether k / k1 is above the method's reach, `reach_of`: the interval may be too narrow.
    method : str
        Name of the method.
    top : int
        t of the top-t accuracy, or of the measure.
    level : float
        Nominal coverage.
    measure : str
        Which measure of the ranks, ``"hit@1"`` for the accuracy.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=60, points_per_class=4, variance=0.2)
    >>> interval = ac.ClassIntervals(matrix, splits=5).interval([120, 6000], level=0.9)
    >>> bool((interval.set_lower <= interval.lower).all())
    True
    >>> interval.too_far  # 6000 classes are 100 times the observed 60
    array([False,  True])
    >>> interval.to_frame()[["method", "k", "level"]]
      method     k  level
    0   auto   120    0.9
    1   auto  6000    0.9
    """

    k: IntArray
    accuracy: Float64Array
    lower: Float64Array
    upper: Float64Array
    set_lower: Float64Array
    set_upper: Float64Array
    too_far: BoolArray
    method: str = ""
    top: int = 1
    level: float = np.nan
    measure: str = "hit@1"

    def __iter__(self) -> Iterator[Float64Array]:
        """Give accuracy, lower and upper, as in ``accuracy, lower, upper = interval``."""
        return iter((self.accuracy, self.lower, self.upper))

    def to_frame(self) -> pd.DataFrame:
        """Give a tidy table, one row per number of classes.

        Returns
        -------
        DataFrame
            Columns method, k, top, level, accuracy, lower, upper, set_lower, set_upper, too_far;
            of other measures ``measure`` is in the place of ``top``.
        """
        of = "top" if self.measure.startswith("hit@") else "measure"
        first = ["method", "k", of, "level"]
        return pd.DataFrame({name: getattr(self, name) for name in [*first, *NUMBERS, "too_far"]})


class ClassIntervals(Described):
    """A method fitted to k1 classes and to random halves of them.

    The width comes from fits to halves of the classes (`half_fits.HalfFits`): from
    how they differ, and from what they miss of the accuracy observed at k1. The ends fall with the
    number of classes, as the expected accuracy does (`monotone_ends`).

    Parameters
    ----------
    sample : ScoreMatrix, or DistanceMatrix where the method needs ranks alone
        N points, k1 classes.
    method : str or Extrapolator
        A key of `EXTRAPOLATORS`; or a method that was not fitted, with its own options and seed.
    splits : int
        Number of splits into halves, at least 3; the method is fitted 2 splits + 1 times. The
        fewer they are, the more its width varies.
    seed : int
        Seed of the splits and of the method.
    jobs : int
        Number of processes that fit at the same time; the results are the same.
    **options
        The method's options.

    Attributes
    ----------
    fitted : Extrapolator
        The method, fitted to all k1 classes.
    splits : int
        Number of splits.
    reach : int
        Largest k / k1 at which the coverage was measured to be near nominal; 0 for none.
    variation : HalfFits
        The fits to halves of the classes.

    Raises
    ------
    InputError
        If half of the classes are too few for the method.
    FitError
        If the method cannot be fitted to the sample or to a half.

    Warns
    -----
    AccuracyWarning
        If the scores look like probabilities or have the wrong direction, or the method's curve
        misses what was observed: the intervals are then too narrow.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=60, points_per_class=4, variance=0.2)
    >>> intervals = ac.ClassIntervals(matrix, "auto", splits=5)
    >>> interval = intervals.interval(240, level=0.9)
    >>> bool(interval.lower[0] < interval.accuracy[0] < interval.upper[0])
    True
    >>> estimate, lower, upper, cautions = intervals.classes_below(0.5)
    >>> lower <= estimate <= upper
    True
    """

    def __init__(
        self,
        sample: Sample,
        method: str | Extrapolator = "auto",
        *,
        splits: int = 30,
        seed: int = 0,
        jobs: int = 1,
        **options: object,
    ) -> None:
        if isinstance(method, str):
            method = make_extrapolator(method, seed=seed, **options)
        check("splits", splits, Whole(LEAST_SPLITS))
        self._set(*half_fits.fit_halves(sample, [method], [splits], seed, jobs=jobs))
        known = (), (1,), sample, self.variation
        warn(cautions_of_accuracy(Predicted(self.fitted, self.n_classes, *known)))

    def _set(self, variation: HalfFits) -> None:
        self.fitted, self.variation = variation.fitted, variation
        self.n_classes, self.reach = variation.n_classes, self.fitted.reach
        self.splits = len(variation.halves) // 2
        # Found once: a search for a target needs hundreds of intervals.
        self._grids: dict[Measure, tuple[IntArray, Float64Array]] = {}

    @classmethod
    def of(cls, variation: HalfFits) -> Self:
        """Take fits to halves as they are, without a warning."""
        intervals = cls.__new__(cls)
        intervals._set(variation)
        return intervals

    def _facts(self) -> list[str]:
        return [
            repr(self.fitted),
            f"{self.n_classes:,} classes",
            f"{self.splits} splits into halves",
            f"measured up to {self.reach * self.n_classes:,} classes",
        ]

    def accuracy(self, k: ArrayLike, top: Top = 1) -> Float64Array:
        """Predict the expected top-t accuracy, or a measure, at k classes, cut to [0, 1], (n,)."""
        return np.clip(self.fitted.predict(k, top), 0.0, 1.0)

    def interval(
        self, k: ArrayLike, top: Top = 1, level: float = LEVEL, *, measure: str | None = None
    ) -> Interval:
        """Predict the accuracy at k classes, with its interval.

        Parameters
        ----------
        k : int or (n,) array of int
            Numbers of classes, at least 2.
        top : int
            t of the top-t accuracy. The prediction interval of a set is of top 1's width.
        level : float
            Nominal coverage, from 0.5 to 0.999.
        measure : str, optional
            Another measure of the ranks, such as ``"ndcg@10"``.

        Returns
        -------
        Interval

        Raises
        ------
        InputError
            If k, top or the level is out of range.

        Warns
        -----
        AccuracyWarning
            If a k is beyond the method's reach (``"too_far"``).
        """
        top = Measure.of(top, measure)
        interval = self.find_interval(k, top, level)
        largest = [int(interval.k.max(initial=2))]
        warn(cautions_of_accuracy(Predicted(self.fitted, self.n_classes, largest, (top,))))
        return interval

    def find_interval(self, k: ArrayLike, top: Top = 1, level: float = LEVEL) -> Interval:
        """Predict as `interval`, without its warning."""
        check("level", level, Number(0.5, 0.999))
        classes, measure = check_classes(k), Measure.of(top)
        accuracy = self.accuracy(classes, measure)
        lower, upper = self.ends(classes, measure, level)
        angle = half_fits.angle_of(accuracy)
        of_set = quantile(level) ** 2 * self.variation.set_variance / classes
        down = np.sqrt(np.square(angle - half_fits.angle_of(lower)) + of_set)
        up = np.sqrt(np.square(half_fits.angle_of(upper) - angle) + of_set)
        return Interval(
            k=classes,
            accuracy=accuracy,
            lower=lower,
            upper=upper,
            set_lower=half_fits.accuracy_of_angle(angle - down),
            set_upper=half_fits.accuracy_of_angle(angle + up),
            too_far=classes > self.fitted.reach_of(measure) * self.n_classes,
            method=self.fitted.name,
            top=measure.top,
            measure=str(measure),
            level=level,
        )

    def ends(
        self,
        k: ArrayLike,
        top: Top = 1,
        level: float = LEVEL,
        *,
        sample_classes: int | None = None,
        scale: float = 1.0,
    ) -> tuple[Float64Array, Float64Array]:
        """Find both ends, (n,), of the interval of the expected accuracy, as `interval` gives them.

        As if `sample_classes` classes had been sampled, and with the variance times `scale`. Alone
        they are theta +- q sqrt(V) on the log odds theta. They are found on a grid of round
        multiples of k1, so that an end depends on the sample and on k, and not on other k; both
        fall wherever the prediction does.
        """
        classes = check_classes(k)
        accuracy = self.accuracy(classes, top)
        if not self.splits:
            none = np.full(len(classes), np.nan)
            return none, none
        measure, largest = Measure.of(top), self.variation.largest(top)
        if measure not in self._grids:
            grid = grid_of(self.n_classes)
            if measure.top > DEEP and not measure.is_hit:
                grid = np.union1d(grid[::4], self.n_classes)
            self._grids[measure] = grid, self.accuracy(grid, top)
        grid, there = self._grids[measure]
        variance = self.variation.variance(grid, top, sample_classes=sample_classes)
        theta = self.variation.log_odds(there, top)
        width = quantile(level) * np.sqrt(scale * variance)
        # Beyond where log odds are cut the accuracy itself is an end.
        lower = np.minimum(largest * scipy.special.expit(theta - width), there)
        upper = np.maximum(largest * scipy.special.expit(theta + width), there)
        lower, upper = between(classes, grid, bound_by_others(there, lower, upper))
        return np.minimum(lower, accuracy), np.maximum(upper, accuracy)

    def classes_below(
        self, target: float, top: Top = 1, level: float = LEVEL, *, measure: str | None = None
    ) -> Sizes:
        """Find the number of classes from which on the accuracy is below a target.

        Parameters
        ----------
        target : float
            An accuracy, above 0 and at most 1.
        top : int
            t of the top-t accuracy.
        level : float
            Nominal coverage of the interval.
        measure : str, optional
            Another measure of the ranks, such as ``"ndcg@10"``.

        Returns
        -------
        estimate, lower, upper : int or None
            Least k at which the prediction, the lower end and the upper end of its interval are
            below the target. None where this is beyond 10^12 classes. Without splits the ends are
            NaN.
        cautions : list of AccuracyWarning
            Such as that it is beyond the method's `reach`.
        """
        check("target", target, Number(0.0, 1.0, above=True))
        top = Measure.of(top, measure)

        def end(name: str) -> int | None:
            def is_below(k: int) -> bool:
                return bool(getattr(self.find_interval(k, top, level), name)[0] < target)

            return least(2, 2, SEARCHED_TO, is_below)

        estimate = end("accuracy")
        question = [estimate or SEARCHED_TO], (top,)
        cautions = cautions_of_accuracy(Predicted(self.fitted, self.n_classes, *question))
        if not self.splits:
            return Sizes(estimate, np.nan, np.nan, cautions)
        lower, upper = end("lower"), end("upper")
        if lower is None or (estimate is not None and estimate < lower):
            lower = estimate
        return Sizes(estimate, lower, upper, cautions)
