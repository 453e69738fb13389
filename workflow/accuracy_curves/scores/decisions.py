"""Decisions, and counts of them: a matrix of either is no score matrix."""

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import FloatArray, IntArray

# Smaller matrices may be so by chance.
LEAST = 10
MOST, FEW = 0.5, 0.25


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
