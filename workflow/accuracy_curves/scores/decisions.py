"""Decisions in the place of scores: one-hot, or counted in a confusion matrix."""

import numpy as np

from accuracy_curves.cautions import share
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray

# Smaller matrices may be decisions by chance; nobody counts those of more classes.
LEAST, MOST_CLASSES = 10, 5000
# Of two values, the share of the decisions; of counts, the share of rows whose own is the largest.
FEW, HEAVY = 0.25, 0.25
# Counts of wrong decisions vary more than those of matches by chance: variance over mean.
DISPERSED = 2.0
# Sums of rows, or columns, are equal within this share of them.
SUMS = 0.02
# Shares of counts are multiples of their least, or of a part of it, in nearly all rows, where
# rounding leaves counts known to so much.
PARTS, NEARLY, KNOWN, NOTHING, ROUNDED = 6, 0.9, 0.35, 1e-6, 1e-3


def refuse_decisions(scores: FloatArray, labels: IntArray) -> None:
    """Refuse scores of two values in which some err, or each row has one and it is right."""
    n, n_classes = scores.shape
    if min(n, n_classes) < LEAST:
        return
    values, own = np.unique(scores[0]), scores[np.arange(n), labels]
    if len(values) != 2 or not all(np.isin(row, values).all() for row in scores):
        return
    shares = [np.count_nonzero(scores == value) / scores.size for value in values]
    chosen = values[np.argmin(shares)]
    right = float(np.mean(own == chosen))
    alone = (np.count_nonzero(scores == chosen, axis=1) == 1).all()
    # Signs of one dimension have two values, too, but half of the classes have each.
    if alone or (np.ptp(own) and min(shares) <= FEW and right >= 2 * min(shares)):
        raise InputError(
            f"the scores have only two values, {values[0]:g} and {values[1]:g}: they are "
            f"decisions, {share(right)} of them right, and say nothing about more classes; give "
            "the scores that were compared, before the best was taken"
        )


def refuse_confusions(scores: FloatArray, labels: IntArray) -> None:
    """Refuse a confusion matrix: one row per class, of counts, their shares, or logarithms."""
    n, n_classes = scores.shape
    if not LEAST <= n == n_classes <= MOST_CLASSES or len(np.unique(labels)) < n:
        return
    ordered = np.asarray(scores[np.argsort(labels)], dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        # The logarithms of counts, or of counts and 1.
        turned = np.exp(ordered) if ordered.min() < 0 else np.expm1(ordered)
    for counts in (ordered, turned):
        if np.isfinite(counts).all() and counts.min() >= 0 and _are_confusions(counts):
            accuracy = _mean_of_classes(counts)
            raise InputError(
                f"the scores seem to be a confusion matrix, one row for each of {n:,} classes, in "
                f"which {share(accuracy)} is right: that is the observed accuracy, and no other "
                "follows; give the scores of each point for each class. If these are scores that "
                "count matches, give their square roots"
            )


def _mean_of_classes(counts: Float64Array) -> float:
    """Average the share of right decisions over the classes, as an observed accuracy does."""
    if np.ptp(columns := counts.sum(axis=0)) <= SUMS * columns.mean():
        return float(np.trace(counts) / counts.sum())
    rows = counts.sum(axis=1)
    return float(np.mean(counts.diagonal()[rows > 0] / rows[rows > 0]))


def _are_confusions(counts: Float64Array) -> bool:
    """Whether these are counts of decisions, or their shares of a row, of a column or of all."""
    whole = counts.round()
    if np.abs(counts - whole).max() < ROUNDED:
        return _count_decisions(whole)
    for rows in (counts, counts.T):
        for total in (1.0, 100.0):
            if np.allclose(rows.sum(axis=1), total, 0, total * SUMS):
                return _are_shares(rows / total)
    return any(abs(counts.sum() - total) < total * ROUNDED for total in (1, 100))


def _count_decisions(counts: Float64Array) -> bool:
    """Whether rows count decisions: the own is the largest of many, and most of all.

    Or it is a good part where rows, or columns, have one sum, or the others vary much.
    """
    own, sums = counts.diagonal(), (counts.sum(axis=0), counts.sum(axis=1))
    part = float(own.sum()) / max(1.0, float(counts.sum()))
    others = counts[~np.eye(len(counts), dtype=bool)]
    good = any(np.ptp(totals) <= SUMS * totals.mean() for totals in sums)
    good |= others.var() > DISPERSED * others.mean()
    heavy = np.mean(own == counts.max(axis=1)) > HEAVY
    return bool(heavy and part > (4 / len(own) if good else 0.5))


def _are_shares(rows: Float64Array) -> bool:
    """Whether nearly all rows, which sum to 1, are multiples of a share of one decision."""
    if np.allclose(rows, rows.round(2), 0, NOTHING) and np.allclose(rows.sum(axis=1), 1):
        return True
    digits = next((n for n in range(7) if np.allclose(rows, rows.round(n), 0, NOTHING / 10)), 7)
    several = [row[row > NOTHING] for row in rows if np.count_nonzero(row > NOTHING) > 1]
    multiples = [unit for row in several if (unit := _has_unit(row, 10.0**-digits)) is not None]
    # Without an error they are decisions as well.
    return bool(np.mean(multiples) > NEARLY) if multiples else not several


def _has_unit(shares: Float64Array, rounded: float) -> bool | None:
    """Whether shares are multiples of their least, or of a part of it; None if unknown."""
    least = shares.min()
    for part in range(1, PARTS):
        counts = shares * (part / least)
        # Half a unit of the last digit, of the share and of the least one.
        error = counts * (rounded / 2 / shares + rounded / 2 / least)
        known = error <= KNOWN
        if part == 1 and np.count_nonzero(known) < 2:
            return None
        if known.any() and (np.abs(counts - counts.round()) <= error + ROUNDED)[known].all():
            return True
    return False
