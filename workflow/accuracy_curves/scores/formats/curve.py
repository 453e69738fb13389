"""Accuracies at numbers of classes.

`.csv` with `k`, `accuracy` and, if known, `counts`: the trials behind each.
"""

import numpy as np

from accuracy_curves.exceptions import located
from accuracy_curves.scores.formats.base import Curve, Given, Source
from accuracy_curves.scores.formats.columns import as_whole, first_lines
from accuracy_curves.utils.arrays import Float64Array, IntArray

parts: tuple[str, ...] = ()


def recognises(source: Source) -> bool:
    """Tell a table with the columns ``k`` and ``accuracy``."""
    return {"k", "accuracy"} <= {*source.columns}


def read(source: Source) -> Given:
    """Read the columns of a curve; others are passed over."""
    values = ["accuracy", *({"counts"} & {*first_lines(source.path)[0]})]
    table = source.table("k", *values, scores=values)
    with located(source.path):
        k = as_whole(table["k"]).astype(np.int64)
    return Given(curve=_pooled(k, *(table[name].to_numpy() for name in values)))


def _pooled(k: IntArray, accuracy: Float64Array, counts: Float64Array | None = None) -> Curve:
    """Pool the lines of one k by their counts, or alike; several lines of it count as so many."""
    classes, place = np.unique(k, return_inverse=True)
    if len(classes) == len(k):
        return Curve(k, accuracy, counts)
    weights = np.ones(len(k)) if counts is None else counts
    if (weights <= 0).any():  # `fit_curve` says so.
        return Curve(k, accuracy, counts)
    many = np.bincount(place, weights).astype(np.float64)
    return Curve(classes, np.bincount(place, weights * accuracy) / many, many)
