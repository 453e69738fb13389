"""Bare curves: accuracies at several numbers of classes, without the scores behind them."""

import copy
import inspect

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.scores.formats.base import Curve
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray
from accuracy_curves.utils.numerics import one_thread
from accuracy_curves.utils.validation import Whole, check, check_classes

# A smaller rise is rounding.
LEAST_RISE = 0.005


def fit_curve(
    k: ArrayLike,
    accuracy: ArrayLike,
    method: str = "two_parameter",
    *,
    counts: ArrayLike | None = None,
    top: int = 1,
    **options: object,
) -> CurveExtrapolator:
    """Fit a method to a bare curve: accuracies at several numbers of classes, without scores.

    Only the methods that fit the observed accuracies alone can do so. There are no intervals, as a
    curve does not show how its points vary together.

    Parameters
    ----------
    k : (n,) array of int
        Numbers of classes, at least 2, each once; 3 of them or more.
    accuracy : (n,) array of float
        Accuracies at k classes, from 0 to 1. A rate of misses or of false positives is 1 minus it.
    method : str
        A key of `EXTRAPOLATORS`, for instance "two_parameter", "pitman_yor" or "log_linear".
    counts : (n,) array of int, optional
        How many trials are behind each accuracy; the squared error of a point weighs in
        proportion. By default all weigh the same.
    top : int
        t of top-t accuracies, such as 10 of a hit rate at 10; ``predict(k, top)`` goes on with it.
    **options
        The method's options.

    Returns
    -------
    Extrapolator
        Fitted: its ``predict`` gives the accuracy at any number of classes.

    Raises
    ------
    InputError
        If the curve cannot be used, such as one that rises with k, or the method does not fit bare
        curves or, of t above 1, those of the top 1 alone.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> model = ac.fit_curve([10, 20, 50, 100], [0.98, 0.97, 0.95, 0.93], "pitman_yor")
    >>> model.predict([100, 1000]).round(2)
    array([0.93, 0.86])
    """
    check("top", top, Whole(1))
    model = make_extrapolator(method, **options)
    if not isinstance(model, CurveExtrapolator):
        names = ", ".join(
            name for name, kind in EXTRAPOLATORS.items() if issubclass(kind, CurveExtrapolator)
        )
        raise InputError(
            f"{method} needs the scores behind a curve: methods for bare curves are {names}"
        )
    classes, values = check_classes(k), np.atleast_1d(np.asarray(accuracy, dtype=np.float64))
    shares = np.ones(len(classes)) if counts is None else np.asarray(counts, dtype=np.float64)
    if not len(classes) == len(values) == len(shares):
        raise InputError(
            f"a curve has as many accuracies as numbers of classes: {len(classes)} k, "
            f"{len(values)} accuracies, {len(shares)} counts"
        )
    if len(np.unique(classes)) < max(3, len(classes)):
        raise InputError("a curve needs the accuracy at 3 numbers of classes or more, each once")
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError("an accuracy of the curve is not from 0 to 1: give shares, not per cent")
    if not (np.isfinite(shares) & (shares > 0)).all():
        raise InputError("a count of the curve is not above 0")
    order = np.argsort(classes)
    classes, values, shares = classes[order], values[order], shares[order]
    _refuse_rise(classes, values, shares)
    takes_weights = "weights" in inspect.signature(model._fit_curve).parameters
    if top == 1 and not takes_weights and len(np.unique(shares)) > 1:
        raise InputError(f"{method} weighs all points of a curve the same: leave out counts")
    return _fit(model, classes, values, shares, top)


def fit_again(model: CurveExtrapolator, curve: Curve, top: int) -> CurveExtrapolator:
    """Fit a copy of what was fitted to a curve to other accuracies at its numbers of classes."""
    order = np.argsort(curve.k)
    shares = np.ones(len(curve.k)) if curve.counts is None else curve.counts
    return _fit(copy.copy(model), curve.k[order], curve.accuracy[order], shares[order], top)


def _fit(
    model: CurveExtrapolator, k: IntArray, accuracy: Float64Array, counts: Float64Array, top: int
) -> CurveExtrapolator:
    takes_weights = "weights" in inspect.signature(model._fit_curve).parameters
    weighted = {"weights": counts / counts.mean()} if takes_weights else {}
    with one_thread():
        if top > 1:
            model._fit_top_curve(k, accuracy, counts, top)
        else:
            model._fit_curve(k, accuracy, **weighted)
    return model


def _refuse_rise(k: IntArray, accuracy: Float64Array, counts: Float64Array) -> None:
    """Refuse a curve that rises with k, beyond what it scatters about a line in log k."""
    root = np.sqrt(counts / counts.mean())
    slope, start = np.polyfit(np.log(k), accuracy, 1, w=root)
    scatter = np.std(root * (start + slope * np.log(k) - accuracy))
    if slope * np.log(k[-1] / k[0]) > LEAST_RISE + 2 * scatter:
        raise InputError(
            f"the accuracy rises with k, from {accuracy[0]:.3g} at {k[0]:,} to {accuracy[-1]:.3g} "
            f"at {k[-1]:,}, but more classes are never easier: k must be the number of classes and "
            "no rank, as of a CMC, and each accuracy must stand beside its own k"
        )
