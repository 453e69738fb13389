"""Scores that a user hands over, checked once."""

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.decisions import refuse_decisions
from accuracy_curves.scores.given_arrays import (
    AnyArray,
    as_labels,
    as_scores,
    label_columns,
    refuse_infinite,
)
from accuracy_curves.scores.ranks import MINIMUM_CLASSES
from accuracy_curves.scores.same_photos import refuse_same_photos
from accuracy_curves.utils.arrays import FloatArray, IntArray, row_blocks

# Scores may not differ by less, beside their size; the largest may be from the one to the other.
NARROW, SMALLEST, LARGEST = 2.0**-20, 1e-12, 1e100


def check_scores(
    given: object, labels: object, classes: object = None, fewest: int = MINIMUM_CLASSES
) -> tuple[FloatArray, IntArray, AnyArray | None]:
    """Check what a user hands over, once: scores (N, K), labels (N,), names of the columns (K,).

    They come back as arrays, the labels as columns. `InputError` as of `ScoreMatrix`.
    """
    scores, names = as_scores(given)
    found = as_labels(labels)
    if classes is not None:
        names = as_labels(classes, "classes")
    if scores.ndim != 2:
        raise InputError(f"scores must have two dimensions (N, K), not shape {scores.shape}")
    if found.shape != scores.shape[:1]:
        how = ""
        if found.shape == scores.shape and np.isin(found, (0, 1)).all():
            how = "; of labels that are 1 in their column and 0 elsewhere take labels.argmax(1)"
            if (np.count_nonzero(found, axis=1) != 1).any():
                how = "; of several right answers ScoreMatrix.of_queries(scores, labels) makes one"
        elif found.shape == scores.shape[1:]:
            how = "; a row must be a point and a column a class, so give scores.T"
        raise InputError(
            f"labels have shape {found.shape} but scores have shape {scores.shape}: "
            f"one label a row is needed{how}"
        )
    if scores.shape[0] == 0:
        raise InputError("the score matrix has no rows: at least one data point is needed")
    if scores.shape[1] < fewest:
        raise InputError(
            f"the score matrix has {scores.shape[1]} classes: at least {fewest} are needed"
        )
    refuse_same_photos(scores, found)
    columns, names = label_columns(found, names, scores.shape[1])
    _check_sizes(scores)
    refuse_decisions(scores, columns)
    return scores, columns, names


def _check_sizes(scores: FloatArray) -> None:
    """Refuse what is not finite, and sizes at which sums of squares lose digits or overflow."""
    low, high = np.inf, -np.inf
    for rows in row_blocks(*scores.shape):
        block = np.asarray(scores[rows])
        ends = float(block.min()), float(block.max())
        if not np.isfinite(ends).all():
            refuse_infinite(block, rows.start)
        low, high = min(low, ends[0]), max(high, ends[1])
    largest = max(-low, high)
    if largest and not SMALLEST <= largest <= LARGEST:
        raise InputError(
            f"the scores are from {low:.3g} to {high:.3g}: the largest in size must be from 1e-12 "
            "to 1e100, so take logarithms or multiply all by one number, and leave out what only "
            "marks a failure"
        )
    if 0 < high - low < NARROW * largest:
        raise InputError(
            f"the scores, from {low:.10g} to {high:.10g}, differ by less than a millionth of their "
            "size: subtract one number from all of them while they still have all their digits"
        )
