"""Intervals that account for the draw of the classes, from fits to halves of them."""

import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from accuracy_curves.accuracy import average_accuracy, check_classes
from accuracy_curves.errors import InputError
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.halves import random_halves
from accuracy_curves.options import check_number, check_whole
from accuracy_curves.scores import (
    MINIMUM_CLASSES,
    Float64Array,
    IntArray,
    ScoreMatrix,
)

DEGREES_OF_FREEDOM = 15
# V_1 + V_2 is at least this share of V_1 + 2 V_2.
LEAST_SHARE = 0.5
# Largest ratio of k to k1 at which the measured coverage was near nominal (80 % intervals covered
# at least 74 %, 90 % ones 86 %); at 10 it was lower in some settings. OTHER_REACH is for methods
# that did worse or were not measured.
REACH = {"auto": 4, "pooled_tail": 4, "empirical_bayes": 4}
OTHER_REACH = 2
LARGEST_CLASSES = 10**12
SEARCH_GRID = 120


@dataclass(frozen=True)
class Interval:
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
        Whether k / k1 is above the method's `reach`: the interval may cover less than it says.
    """

    k: IntArray
    accuracy: Float64Array
    lower: Float64Array
    upper: Float64Array
    set_lower: Float64Array
    set_upper: Float64Array
    too_far: npt.NDArray[np.bool_]


class ClassIntervals:
    """A method fitted to k1 classes and to random halves of them.

    Classes are drawn without replacement: a bootstrap would draw a class twice, whose incorrect
    scores then tie with its correct ones. On the scale theta = arcsin sqrt A let theta_A and
    theta_B come from the two halves of one split. The variance of the draw of classes is not that
    of a mean of k1 terms: pairs of classes are confused, and what is due to pairs falls with
    1 / k1^2. A jackknife counts it twice (Efron and Stein 1981). With V_m the part due to m
    classes jointly, averaging over the splits,

        E[(theta_A - theta_B)^2 / 4] = V_1 + 2 V_2 + 4 V_3 + ...
        Var over splits of (theta_A + theta_B) / 2 = V_2 + 3 V_3 + ...

    and the difference of the two is V_1 + V_2 + V_3 + ..., the variance at k1 classes, for
    every order. As it is noisy, it is bounded below by half of the first, its value if all were
    due to pairs. With 30 splits its coefficient of variation was about 0.37 in simulations, that
    of chi-squared over its 2 / 0.37^2 = 15 degrees of freedom, and the intervals are
    theta +- t_15 times its root.

    The variance says nothing of a method's bias. `backtest` does: what the fits to halves predict
    for k1 classes on average, minus what was observed there.

    The accuracy on one set of k classes varies about its expectation with variance D / k on the
    scale of theta, where D / (k1 / 2) is half the mean squared difference of the accuracies
    observed on two halves.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    method : str or Extrapolator
        A key of `EXTRAPOLATORS`; or a method that was not fitted, with its own options and seed.
    splits : int
        Number of splits into halves, at least 10; the method is fitted 2 splits + 1 times.
    seed : int
        Seed of the splits and of the method.
    **options
        The method's options.

    Attributes
    ----------
    fitted : Extrapolator
        The method, fitted to all k1 classes.
    reach : int
        Largest k / k1 at which the coverage was measured to be near nominal.
    backtest : float
        Error of the fits to halves at k1 classes.

    Raises
    ------
    InputError
        If half of the classes are too few for the method.
    FitError
        If the method cannot be fitted to the sample or to a half.
    """

    def __init__(
        self,
        sample: ScoreMatrix,
        method: str | Extrapolator = "auto",
        *,
        splits: int = 30,
        seed: int = 0,
        **options: object,
    ) -> None:
        check_whole("splits", splits, 10)
        if isinstance(method, str):
            method = make_extrapolator(method, seed=seed, **options)
        half = sample.n_classes // 2
        needed = max(MINIMUM_CLASSES, method.minimum_classes)
        if half < needed:
            raise InputError(
                f"an interval of {method.name} needs at least {2 * needed} classes, as the method "
                f"is fitted to halves of them: the sample has {sample.n_classes}"
            )
        self.n_classes = sample.n_classes
        self.reach = REACH.get(method.name, OTHER_REACH)
        self.fitted = copy.copy(method).fit(sample)
        self.halves = []
        observed = []
        for pair in random_halves(sample, splits, seed):
            for part in pair:
                self.halves.append(copy.copy(method).fit(part))
                observed.append(average_accuracy(part, half, seed)[0])
        at_k1 = np.mean([part.predict(self.n_classes)[0] for part in self.halves])
        self.backtest = float(at_k1 - average_accuracy(sample, self.n_classes, seed)[0])
        first, second = _angle(np.array(observed)).reshape(-1, 2).T
        self._set_variance = float(np.square(first - second).mean() / 2) * half

    def accuracy(self, k: npt.ArrayLike, top: int = 1) -> Float64Array:
        """Predict the expected top-t accuracy at k classes, cut to [0, 1], (n,)."""
        return np.clip(self.fitted.predict(k, top), 0.0, 1.0)

    def interval(self, k: npt.ArrayLike, top: int = 1, level: float = 0.9) -> Interval:
        """Predict the accuracy at k classes, with its interval.

        Parameters
        ----------
        k : int or (n,) array of int
            Numbers of classes, at least 2.
        top : int
            t of the top-t accuracy. The prediction interval of a set is of top 1's width.
        level : float
            Nominal coverage, from 0.5 to 0.999.

        Returns
        -------
        Interval

        Raises
        ------
        InputError
            If k, top or the level is out of range.
        """
        check_number("level", level, 0.5, 0.999)
        classes = check_classes(k)
        accuracy = self.accuracy(classes, top)
        theta = _angle(accuracy)
        parts = _angle([np.clip(part.predict(classes, top), 0.0, 1.0) for part in self.halves])
        first, second = parts[0::2], parts[1::2]
        apart = np.square(first - second).mean(axis=0) / 4
        joint = ((first + second) / 2).var(axis=0, ddof=1)
        variance = np.maximum(apart - joint, LEAST_SHARE * apart)
        quantile = float(stdtrit(DEGREES_OF_FREEDOM, (1 + level) / 2))
        width = quantile * np.sqrt(variance)
        set_width = quantile * np.sqrt(variance + self._set_variance / classes)
        return Interval(
            k=classes,
            accuracy=accuracy,
            lower=_accuracy(theta - width),
            upper=_accuracy(theta + width),
            set_lower=_accuracy(theta - set_width),
            set_upper=_accuracy(theta + set_width),
            too_far=classes > self.reach * self.n_classes,
        )

    def classes_below(
        self, target: float, top: int = 1, level: float = 0.9
    ) -> tuple[int | None, int | None, int | None]:
        """Find the number of classes from which on the accuracy is below a target.

        Parameters
        ----------
        target : float
            An accuracy, above 0 and at most 1.
        top : int
            t of the top-t accuracy.
        level : float
            Nominal coverage of the interval.

        Returns
        -------
        estimate, lower, upper : int or None
            Least k at which the prediction, the lower end and the upper end of its interval are
            below the target; None where this is beyond 10^12 classes.
        """
        check_number("target", target, 0.0, 1.0, above=True)
        grid = np.unique(np.geomspace(2, LARGEST_CLASSES, SEARCH_GRID).astype(np.int64))
        ends = self.interval(grid, top, level)

        def first_below(name: str) -> int | None:
            below = np.flatnonzero(getattr(ends, name) < target)
            if not len(below):
                return None
            high = int(grid[below[0]])
            low = int(grid[below[0] - 1]) if below[0] else high - 1
            while high - low > 1:
                middle = (low + high) // 2
                if getattr(self.interval(middle, top, level), name)[0] < target:
                    high = middle
                else:
                    low = middle
            return high

        return first_below("accuracy"), first_below("lower"), first_below("upper")


def _angle(accuracy: npt.ArrayLike) -> Float64Array:
    """Scale on which the variance of a share does not depend on it."""
    return np.asarray(np.arcsin(np.sqrt(np.asarray(accuracy, dtype=np.float64))))


def _accuracy(angle: Float64Array) -> Float64Array:
    """Back from the scale of `_angle`, cut to [0, 1]."""
    return np.asarray(np.square(np.sin(np.clip(angle, 0.0, np.pi / 2))))
