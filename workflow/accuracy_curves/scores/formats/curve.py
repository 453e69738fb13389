"""Accuracies at numbers of classes.

`.csv` with `k`, `accuracy` and, if known, `counts`: the trials behind each.
"""

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Curve, Given, Source
from accuracy_curves.scores.formats.columns import as_scores, as_whole, first_lines, read_columns
from accuracy_curves.utils.arrays import Float64Array, IntArray

COLUMNS = ("k", "accuracy")
COUNTS = "counts"
parts: tuple[str, ...] = ()


def recognises(source: Source) -> bool:
    """Tell a table with the columns ``k`` and ``accuracy``."""
    return {*COLUMNS} <= {*source.columns}


def read(source: Source) -> Given:
    """Read the columns of a curve; others are passed over."""
    path = source.path
    there = first_lines(path)[0]
    absent = [name for name in COLUMNS if name not in there]
    if absent:
        raise InputError(
            f"{path}: its first line is {','.join(there)[:80]!r}, without "
            f"{' and '.join(absent)}: a curve has the columns k, accuracy and, if known, counts"
        )
    names = [*COLUMNS, *([COUNTS] if COUNTS in there else [])]
    table, _ = read_columns(path, names)
    with located(path):
        columns = [as_whole(table["k"], "line")]
        columns += [as_scores(table[name], "line") for name in names[1:]]
    return Given(curve=_pooled(columns[0].astype(np.int64), *columns[1:]))


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
