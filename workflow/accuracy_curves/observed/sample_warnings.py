"""What in the scores makes a prediction doubtful; the sentences are those of `checks`."""

import numpy as np

from accuracy_curves.checks import caution, share
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed.accuracy import (
    average_accuracy,
    class_means,
    effective_classes,
    ranks,
)
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.scores.score_matrix import ScoreMatrix, sum_of_probabilities

# What README.md asks for.
ENOUGH_CLASSES, ENOUGH_ERRING = 50, 10
SATURATED = 0.99
MANY_TIES = 0.01
# Standard errors of what chance explains.
CHANCE = 2
# Rows of fewer columns, or fewer different scores, are alike by chance.
LEAST_COLUMNS, LEAST_DIFFERENT = 8, 5
# Of the searches for others that a class wins.
MANY_WON = 0.5


def warn_of_sample(
    sample: Ranked, seed: int = 0, *, embedded: bool = False
) -> list[AccuracyWarning]:
    """Say what in the scores, or distances of embeddings, makes a prediction doubtful.

    Reasons: ``"wrong_direction"``, ``"at_chance"``, ``"probabilities"``, ``"few_classes"``,
    ``"few_errors"``, ``"failed_points"``, ``"ties"``, ``"copied_points"`` and
    ``"winning_classes"``. Where only ranks are known, the scores themselves are not looked at.
    """
    found = _warn_of_chance(sample, seed, embedded)
    own = len(np.unique(sample.labels))
    if own < ENOUGH_CLASSES:
        found.append(caution("few_classes", classes=own, enough=ENOUGH_CLASSES))
    seen = float(average_accuracy(sample, sample.n_classes, seed)[0])
    erring = effective_classes(sample, seed)
    if seen > SATURATED or erring < ENOUGH_ERRING:
        values = {"accuracy": share(seen), "classes": f"{erring:.2g}", "enough": ENOUGH_ERRING}
        found.append(caution("few_errors", **values))
    failed = np.count_nonzero(sample.failed)
    if failed:
        count = f"{failed:,} of {sample.n_points:,} points"
        found.append(caution("failed_points", count=count))
    tied = tied_share(sample)
    if tied > MANY_TIES:
        found.append(caution("ties", share=f"{100 * tied:.0f}"))
    if isinstance(sample, ScoreMatrix):
        if sample.higher_is_better and sum_of_probabilities(sample.scores):
            found.append(caution("probabilities"))
        found += _warn_of_copies(sample) + _warn_of_winners(sample)
    return found


def _warn_of_chance(sample: Ranked, seed: int, embedded: bool) -> list[AccuracyWarning]:
    """Say where the accuracy at two classes is that of guessing, or below, for draws of classes."""
    shares = class_means(sample, ranks(sample, seed)) / (sample.n_classes - 1)
    # Of one class nothing tells the error: that of a uniform share.
    spread = shares.std(ddof=1) if len(shares) > 1 else np.sqrt(1 / 12)
    seen, room = float(shares.mean()), CHANCE * spread / np.sqrt(len(shares))
    if seen >= 0.5 + room:
        return []
    accuracy = share(seen)
    # The direction of distances between embeddings is known.
    if seen >= 0.5 - room or embedded or not isinstance(sample, ScoreMatrix):
        return [caution("at_chance", accuracy=accuracy)]
    taken = "similarities" if sample.higher_is_better else "distances"
    return [caution("wrong_direction", accuracy=accuracy, taken=taken)]


def _warn_of_copies(sample: ScoreMatrix) -> list[AccuracyWarning]:
    """Say where rows of one class are the same, score by score."""
    if sample.n_classes < LEAST_COLUMNS:
        return []
    first: dict[tuple[int, bytes], int] = {}
    copies = []
    for rows, block in sample.blocks():
        for row, scores in enumerate(block, rows.start):
            # A hash tells rows apart; the rows themselves would be kept in memory.
            key = int(sample.labels[row]), hash(scores.tobytes()).to_bytes(8, "big", signed=True)
            other = first.setdefault(key, row)
            if other != row and len(np.unique(scores)) >= LEAST_DIFFERENT:
                copies.append((row, other))
    if not copies:
        return []
    row, other = copies[0]
    return [caution("copied_points", copies=f"{len(copies):,}", row=row, other=other)]


def _warn_of_winners(sample: ScoreMatrix) -> list[AccuracyWarning]:
    """Say where a class is among the best in more than half of the searches for others."""
    if sample.n_classes < LEAST_COLUMNS:
        return []
    won = np.zeros(sample.n_classes)
    told = ~sample.failed
    for rows, block in sample.blocks():
        best = (block == block.max(axis=1, keepdims=True)) & told[rows, None]
        best[np.arange(len(block)), sample.labels[rows]] = False
        won += np.count_nonzero(best, axis=0)
    searches = np.count_nonzero(told) - np.bincount(sample.labels[told], minlength=len(won))
    classes = np.flatnonzero(won > MANY_WON * searches)
    if not classes.size:
        return []
    names = classes if sample.classes is None else sample.classes[classes]
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    return [caution("winning_classes", classes=f"the class {names[0]}{more}")]


def tied_share(sample: Ranked) -> float:
    """Share of the points that tie with some incorrect class, but not with all."""
    return float(np.mean((sample.outscored_and_tied()[1] > 0) & ~sample.failed))
