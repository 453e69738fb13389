"""Accuracies at numbers of classes.

`.csv` with `k`, `accuracy` and, if known, `counts`: the trials behind each.
"""

import numpy as np

from accuracy_curves.exceptions import located
from accuracy_curves.scores.formats.base import Curve, Given, Source
from accuracy_curves.scores.formats.columns import as_whole


def recognises(source: Source) -> bool:
    """Whether it is a table with the columns ``k`` and ``accuracy``."""
    return {"k", "accuracy"} <= {*source.columns}


def read(source: Source) -> Given:
    """Read the columns of a curve; others are passed over."""
    values = ["accuracy", *({"counts"} & {*source.columns})]
    table = source.table("k", *values, scores=values)
    with located(source.path):
        k = as_whole(table["k"]).astype(np.int64)
    counts = table["counts"].to_numpy() if "counts" in table else None
    runs = Curve(k, table["accuracy"].to_numpy(), counts)
    classes, place = np.unique(k, return_inverse=True)
    weights = np.ones(len(k)) if counts is None else counts
    if len(classes) == len(k) or (weights <= 0).any():  # `fit_curve` refuses the latter.
        return Given(curve=runs._replace(runs=runs))
    # Lines of one k are pooled by their counts, or evenly; several lines of it count as so many.
    many = np.bincount(place, weights).astype(np.float64)
    pooled = np.bincount(place, weights * runs.accuracy) / many
    return Given(curve=Curve(classes, pooled, many, runs=runs))
