"""Scores that a user hands over, checked once: sizes, decisions, probabilities."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from accuracy_curves.cautions import caution, warn
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import (
    AnyArray,
    are_marks,
    as_labels,
    as_scores,
    label_columns,
    refuse_infinite,
)
from accuracy_curves.scores.ranks import MINIMUM_CLASSES
from accuracy_curves.scores.rivals import without_masks
from accuracy_curves.scores.same_photos import refuse_same_photos
from accuracy_curves.utils.arrays import FloatArray, IntArray, row_blocks

# Scores may not differ by less, beside their size; the largest may be from the one to the other.
NARROW, SMALLEST, LARGEST = 2.0**-20, 1e-12, 1e100
# Smaller matrices may be decisions by chance.
LEAST = 10
MOST, FEW = 0.5, 0.25
# Of the sum of a row of probabilities, which may be half floats, or rounded to a few digits.
ROUNDING, NEAR, MOST_ROUNDED = 0.01, 0.05, 0.25
MOST_DIGITS, SOME_ROWS = 5, 100


def check_scores(
    given: object,
    labels: object,
    classes: object = None,
    fewest: int = MINIMUM_CLASSES,
    *,
    higher_is_better: bool = True,
    absent: npt.NDArray[np.bool_] | None = None,
) -> tuple[FloatArray, IntArray, AnyArray | None, IntArray | slice]:
    """Check what a user hands over, once: scores, labels, names of the columns.

    Gives scores, (N, K), labels as columns, (N,), names of the columns, (K,), and which rows these
    are. What is masked, or infinitely bad, beats nobody; a row whose right class is so is left out,
    but not one of the `absent`, which has none. `InputError` as of `ScoreMatrix`.
    """
    worst = -np.inf if higher_is_better else np.inf
    scores, names = as_scores(given, worst)
    found = as_labels(labels)
    if classes is not None:
        names = as_labels(classes, "classes")
    if scores.ndim != 2:
        raise InputError(f"scores must have two dimensions (N, K), not shape {scores.shape}")
    if found.shape != scores.shape[:1]:
        how = ""
        if are_marks(found, scores.shape):
            how = "; of labels that are 1 in their column and 0 elsewhere take labels.argmax(1)"
            if (np.count_nonzero(found, axis=1) != 1).any():
                how = "; of several right answers ScoreMatrix.of_queries(scores, labels) makes one"
        elif found.shape == scores.shape[1:]:
            how = "; a row must be a point and a column a class, so give scores.T"
        raise InputError(
            f"labels have shape {found.shape} but scores have shape {scores.shape}: "
            f"one label a row is needed{how}"
        )
    if not len(scores) or scores.shape[1] < fewest:
        raise InputError(
            f"the score matrix has {len(scores)} points and {scores.shape[1]} classes: one and at "
            f"least {fewest} are needed"
        )
    refuse_same_photos(scores, found)
    of_searches = absent is not None
    columns, names = label_columns(found, names, scores.shape[1], of_searches=of_searches)
    kept: IntArray | slice = slice(None)
    if _check_sizes(scores, worst):
        of_logarithms = negative_exponential if not higher_is_better else np.exp
        if sum_of_probabilities(scores, of_logarithms) == 1:
            # A probability of zero is below all others.
            known = scores[np.isfinite(scores)]
            lowest = known.min() - 1 if higher_is_better else known.max() + 1
            scores = np.where(np.isfinite(scores), scores, lowest)
        else:
            own = scores[np.arange(len(scores)), columns]
            if absent is not None:
                own = np.where(absent, -worst, own)
            sign = 1 if higher_is_better else -1
            oriented, kept = without_masks(sign * scores, sign * own)
            scores, columns = sign * oriented, columns[kept]
    refuse_decisions(scores, columns)
    if len(columns) < len(found):
        warn([caution("masked", count=len(found) - len(columns))])
    return scores, columns, names, kept


def _check_sizes(scores: FloatArray, worst: float) -> bool:
    """Refuse what is not finite, and sizes at which sums of squares lose digits or overflow.

    Tells whether a score is infinitely bad.
    """
    low, high, masked = np.inf, -np.inf, False
    for rows in row_blocks(*scores.shape):
        block = np.asarray(scores[rows])
        ends = float(block.min()), float(block.max())
        if not np.isfinite(ends).all():
            refuse_infinite(np.where(block == worst, 0, block), rows.start)
            masked, scored = True, block[block != worst]
            ends = float(scored.min(initial=low)), float(scored.max(initial=high))
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
    return masked


def refuse_decisions(scores: FloatArray, labels: IntArray) -> None:
    """Refuse scores of two values, and a confusion matrix, in which some err; `InputError`."""
    n, n_classes = scores.shape
    if min(n, n_classes) < LEAST:
        return
    values, own = np.unique(scores[0]), scores[np.arange(n), labels]
    if len(values) == 2 and np.ptp(own) and all(np.isin(row, values).all() for row in scores):
        shares = [np.count_nonzero(scores == value) / scores.size for value in values]
        chosen = values[np.argmin(shares)]
        # Signs of one dimension have two values, too, but half of the classes have each.
        if min(shares) > FEW or np.mean(own == chosen) < 2 * min(shares):
            return
        raise InputError(
            f"the scores have two values alone, {values[0]:g} and {values[1]:g}: those are "
            "decisions, which tell the observed accuracy and no other; give the scores that were "
            "compared, before the best was taken"
        )
    if n == n_classes == len(np.unique(labels)) and _count_decisions(scores, own):
        raise InputError(
            f"the scores seem to be a confusion matrix, as each of {n:,} classes has one row of "
            "whole numbers, most of which are its own: give the scores of each point for each "
            "class (scores that count matches: their square roots)"
        )


def _count_decisions(scores: FloatArray, own: FloatArray) -> bool:
    """Tell whether rows count decisions: whole numbers, of which the own is mostly the largest.

    And it is most of all, or a good part where rows, or columns, have one sum.
    """
    if scores.min() < 0 or (scores % 1).any():
        return False
    part = float(own.sum()) / max(1.0, float(scores.sum()))
    alike = any(np.ptp(scores.sum(axis=axis)) == 0 for axis in (0, 1))
    heavy = np.mean(own == scores.max(axis=1)) > MOST
    return bool(heavy and (4 / len(own) if alike else MOST) < part < 1)


def sum_of_probabilities(
    scores: FloatArray, turned: Callable[[FloatArray], FloatArray] = np.asarray
) -> float | None:
    """Tell what each row sums to where the scores are probabilities, 1 or another number.

    None where they are not. `turned` makes them of scores, such as 1 - p. They may be rounded.
    """
    first = turned(np.asarray(scores[:SOME_ROWS], dtype=np.float64))
    total = float(np.median(first.sum(axis=1)))
    usual = [each for each in (1.0, 100.0) if abs(total - each) <= NEAR * each]
    # Many distances, too, sum to nearly one number; but none of them is most of it.
    few = np.median(first.max(axis=1)) < total / np.sqrt(first.shape[1])
    if not usual and (few or total <= 0):
        return None
    total = usual[0] if usual else total
    digits = (n for n in range(MOST_DIGITS) if np.allclose(first, first.round(n), 0, 1e-6))
    unit = 10.0 ** -next(digits, np.inf)
    off = total * ROUNDING + min(unit / 2 * first.shape[1], MOST_ROUNDED * total)
    for rows in row_blocks(*scores.shape):
        block = turned(np.asarray(scores[rows]))
        sums = block.sum(axis=1, dtype=np.float64)
        if not (block.min() >= 0 and np.abs(sums - total).max() <= off):
            return None
    return total


def negative_exponential(scores: FloatArray) -> FloatArray:
    """Take probabilities of their negative logarithms, without an overflow of what is none."""
    return np.exp(np.minimum(-scores, 1.0))
