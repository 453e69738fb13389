"""The base of all extrapolators: fit a sample of k1 classes, predict the accuracy at any k."""

from __future__ import annotations

import copy
import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np

from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators.favorability import Favorabilities
from accuracy_curves.extrapolators.fitted import (
    Fitted,
    Points,
    Prepared,
    check_sample,
    fit_by_place,
)
from accuracy_curves.observed.accuracy import average_measure, curve_to_fit, ranks
from accuracy_curves.observed.measures import Measure, Top
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray
from accuracy_curves.utils.validation import Seed, check_classes, check_options

# Of the squared errors of a curve; 1 where all weigh the same.
Weights = Float64Array | float


@dataclass_transform(kw_only_default=True, eq_default=False)
@dataclass(kw_only=True, eq=False, repr=False)
class Extrapolator(ABC):
    """Base of all methods.

    A subclass implements `_fit`, and `_predict` or `favorabilities`. It takes its options as
    keyword arguments with defaults, checks them (`InputError`), and stores them under the same
    names. It is made a dataclass, whose fields may have ranges (`utils.validation`). Its `seed`
    decides every random draw. What others must know of it are these attributes.

    Attributes
    ----------
    name : str
        Key in configurations and on the command line.
    label, color : str
        Name and color in figures.
    minimum_classes : int
        Least k1.
    needs : {"scores", "moments", "ranks"}
        What it is fitted to: scores; moments, the mean and standard deviation of each point's
        incorrect scores; or ranks, also `Ranks` and distances that are not stored.
    reach : int
        Largest k / k1 at which its intervals were measured to hold at most 5 points less than
        nominal (benchmarks/studies/reach.py); at most 2 where no real set showed it, 0 for none.
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
        Environment of its jobs (`envs/`), which most often has the name of an extra to install.
    two_names : {"drawn", "fixed"}
        What pairs are that look like one class under two names, see `Auto`.
    stepwise : bool
        Whether a fit stops after a number of steps, so that differences in rounding grow.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    color: ClassVar[str]
    reach: ClassVar[int] = 2
    splits: ClassVar[int] = 30
    has_tops: ClassVar[bool] = False
    sees_fixed: ClassVar[bool] = False
    takes_lists: ClassVar[bool] = False
    slow: ClassVar[bool] = False
    needs = "scores"
    minimum_classes = MINIMUM_CLASSES
    two_names = "drawn"
    stepwise = False
    extra: str | None = field(default=None, init=False)
    _fitted: Fitted | None = field(default=None, init=False)
    # Those that it valued, some of which may lack.
    _points: Points | None = field(default=None, init=False)
    favorability_: Float64Array = field(init=False)
    weights_: Float64Array = field(init=False)

    seed: Seed = 0

    def __init_subclass__(cls) -> None:
        # One without options of its own keeps the constructor of its base.
        if inspect.get_annotations(cls):
            dataclass(kw_only=True, eq=False, repr=False)(cls)

    def __post_init__(self) -> None:
        check_options(self)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Give the options by their names, so that `sklearn.base.clone` copies the method."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def __repr__(self) -> str:
        options = inspect.signature(type(self)).parameters.values()
        values = [(option, getattr(self, option.name, option.default)) for option in options]
        shown = [f"{option.name}={value!r}" for option, value in values if value != option.default]
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
        as_sample(sample).check_lengths()
        return self._fit_prepared(self.prepare(sample))

    @classmethod
    def fit_each(cls, pairs: Iterable[tuple[Self, Sample]]) -> Iterator[Self]:
        """Fit models whose options are equal, each to its sample; yields them in turn."""
        return (model.fit(sample) for model, sample in pairs)

    def prepare(self, sample: Sample) -> Prepared:
        """Reduce a large score matrix, unless whole rows are needed; find what all fits share."""
        check_sample(self, sample)
        whole_rows = self.needs == "scores" and not self.takes_lists
        return Prepared(sample if whole_rows else sample.reduced)

    def fit_part(self, part: Prepared) -> Self:
        """Fit a copy to a sample that was prepared, or to some of its classes."""
        return copy.copy(self)._fit_prepared(part)

    def _fit_prepared(self, part: Prepared) -> Self:
        self._fitted = fit_by_place(self, part)
        return self

    def predict(self, k: ArrayLike, top: Top = 1, *, measure: str | None = None) -> Float64Array:
        """Predict the expected accuracy at k classes.

        Parameters
        ----------
        k : int or (n,) array of int
            Numbers of classes, each from 2 to 10**18.
        top : int
            t: a point counts where fewer than t incorrect classes outscore its own.
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
        return self._what_was_fitted().expect(check_classes(k), Measure.of(top, measure))[0]

    def predict_parts(self, k: ArrayLike, top: Top = 1) -> Float64Array:
        """Predict as `predict`, by all of its parts, then by each of them alone, (1 + parts, n)."""
        return self._what_was_fitted().expect(check_classes(k), Measure.of(top))

    def _what_was_fitted(self) -> Fitted:
        of_curve = any(name.endswith("_") and not name.startswith("_") for name in vars(self))
        if self._fitted is None and not of_curve:
            raise FitError(f"{type(self).__name__} must be fitted before it can predict")
        return self._fitted or Fitted.of_curve(self)

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

    def observed(self, sample: Sample) -> tuple[IntArray, Float64Array]:
        """Average accuracies of the sample, with their k = 2..k1 and this method's tie-breaking."""
        k = np.arange(2, sample.n_classes + 1)
        return k, average_measure(sample.drawn_rivals(), k, ranks(sample, self.seed))

    # A subclass may say what kind of sample it needs, and what `prepare` shares.
    @abstractmethod
    def _fit(self, sample: Any, *_: Any, **shared: Any) -> None:
        """Set the fitted attributes, whose names end in an underscore."""

    @property
    def favorabilities(self) -> Favorabilities:
        """The fitted distribution of the favorability, where the method has one."""
        return Favorabilities.of(self.favorability_, self.weights_)

    def value_points(self, sample: Sample) -> Favorabilities | None:
        """Estimate the favorability of each point of a sample; None if the method values none."""
        return None

    def _predict(self, k: Any) -> Float64Array:
        """Predict at checked numbers of classes; a method without `favorabilities` has its own."""
        return self.favorabilities.accuracy(k)

    def check_top(self, top: int) -> None:
        """Raise `InputError` where it has the curve of the top 1 alone."""
        if top > 1 and not self.has_tops:
            raise InputError(
                f"{self.name} fits the top-1 curve alone and says nothing of the top-{top} "
                "accuracy: take another method, for instance auto"
            )


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

    # A subclass may take what `prepare` shares.
    @abstractmethod
    def _favorability(self, sample: Any, *_: Any, **shared: Any) -> Float64Array:
        """Estimate C_x for every point of the sample, (N,)."""

    def _fit(self, sample: Any, *_: Any, **shared: Any) -> None:
        self.favorability_ = np.asarray(self._favorability(sample, **shared), dtype=np.float64)
        self._points = Points.of(sample, self.seed)
        # A point may have several values, after those of all others.
        several = len(self.favorability_) // sample.n_points
        self.weights_ = np.tile(sample.weights, several) / several

    def value_points(self, sample: Sample) -> Favorabilities | None:
        """Fit a copy to the sample, and give what it estimates."""
        fitted = copy.copy(self)
        fitted._fit(fitted.prepare(sample).sample)
        return fitted.favorabilities


class CurveExtrapolator(Extrapolator):
    """Base of the methods that fit a curve to the observed average accuracies alone.

    A subclass implements `_fit_curve`, and `_predict` or `favorabilities`. The first may take
    `weights` as well, (n,) numbers of mean 1, where some accuracies are known better than others.
    """

    needs = "ranks"

    def _fit(self, sample: Sample) -> None:
        k, accuracy, weights = curve_to_fit(sample, self.seed, every_k=not self.takes_lists)
        # A curve of another package may know of no weights.
        self._fit_curve(k, accuracy, **({} if weights is None else {"weights": weights}))

    def _fit_top_curve(
        self, k: IntArray, accuracy: Float64Array, weights: Float64Array, top: int
    ) -> None:
        """Fit top-t accuracies, t > 1, as `_fit_curve`."""
        raise InputError(
            f"{self.name} fits the curve of the top 1 alone: take another method, for instance "
            "two_parameter"
        )

    @abstractmethod
    def _fit_curve(self, k: Any, accuracy: Float64Array) -> None:
        """Fit the average accuracies at k = 2..k1; set the fitted attributes."""
