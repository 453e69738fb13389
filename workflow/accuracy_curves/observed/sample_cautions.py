"""What in the scores makes a prediction doubtful; the sentences are those of `cautions`."""

from collections.abc import Callable, Iterator

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed.accuracy import (
    average_accuracy,
    class_means,
    effective_classes,
    ranks,
)
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.scores.score_matrix import ScoreMatrix, sum_of_probabilities
from accuracy_curves.scores.searches import Searches

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


# Takes a sample, the seed of its ties, and whether its scores are distances of embeddings.
Condition = Callable[[Ranked, int, bool], Iterator[AccuracyWarning]]
CONDITIONS: list[Condition] = []
# Those that no correct class is needed for: they look at searches without a mate as well.
OF_ROWS: list[Condition] = []


def condition(find: Condition) -> Condition:
    """List a condition: every command that reads scores runs it."""
    CONDITIONS.append(find)
    return find


def condition_of_rows(find: Condition) -> Condition:
    """List a condition that needs no correct class."""
    OF_ROWS.append(find)
    return condition(find)


def cautions_of_sample(
    sample: Ranked | Searches, seed: int = 0, *, embedded: bool = False
) -> list[AccuracyWarning]:
    """Say what in the scores, or distances of embeddings, makes a prediction doubtful.

    Runs all `CONDITIONS`, in their order. Where only ranks are known, the scores themselves are
    not looked at. Of searches those with a mate are the sample, and `OF_ROWS` look at all.
    """
    if not isinstance(sample, Searches):
        return [each for find in CONDITIONS for each in find(sample, seed, embedded)]
    mated, rows = sample.mated, sample.as_points()
    looked_at = [(find, rows if find in OF_ROWS else mated) for find in CONDITIONS]
    return [each for find, points in looked_at for each in find(points, seed, embedded)]


@condition
def chance(sample: Ranked, seed: int, embedded: bool) -> Iterator[AccuracyWarning]:
    """Compare the accuracy at two classes with that of guessing, for draws of classes."""
    shares = class_means(sample, ranks(sample, seed)) / (sample.n_classes - 1)
    # Of one class nothing tells the error: that of a uniform share.
    spread = shares.std(ddof=1) if len(shares) > 1 else np.sqrt(1 / 12)
    seen, room = float(shares.mean()), CHANCE * spread / np.sqrt(len(shares))
    # The direction of distances between embeddings is known.
    if seen < 0.5 - room and not embedded and isinstance(sample, ScoreMatrix):
        taken = "similarities" if sample.higher_is_better else "distances"
        yield caution("wrong_direction", accuracy=seen, taken=taken)
    elif seen < 0.5 + room:
        yield caution("at_chance", accuracy=seen)


@condition
def few_classes(sample: Ranked, _seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Count the classes that have points."""
    own = len(np.unique(sample.labels))
    if own < ENOUGH_CLASSES:
        yield caution("few_classes", classes=own, enough=ENOUGH_CLASSES)


@condition
def few_errors(sample: Ranked, seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Count, effectively, the classes that err."""
    seen = float(average_accuracy(sample, sample.n_classes, seed)[0])
    erring = effective_classes(sample, seed)
    if seen > SATURATED or erring < ENOUGH_ERRING:
        values = {"classes": f"{erring:.2g}", "enough": ENOUGH_ERRING}
        yield caution("few_errors", accuracy=seen, **values)


@condition_of_rows
def failed_points(sample: Ranked, _seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Count the points whose scores are all equal."""
    failed = np.count_nonzero(sample.failed)
    if failed:
        yield caution("failed_points", count=f"{failed:,} of {sample.n_points:,} points")


@condition
def ties(sample: Ranked, _seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Count the points that tie."""
    tied = tied_share(sample)
    if tied > MANY_TIES:
        yield caution("ties", share=f"{100 * tied:.0f}")


@condition_of_rows
def probabilities(sample: Ranked, _seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Look whether scores are in [0, 1] and those of each point sum to 1 up to rounding."""
    if not isinstance(sample, ScoreMatrix) or not sample.higher_is_better:
        return
    if sum_of_probabilities(sample.scores):
        yield caution("probabilities")


@condition_of_rows
def copied_points(sample: Ranked, _seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Look for rows of one class that are the same, score by score."""
    if not isinstance(sample, ScoreMatrix) or sample.n_classes < LEAST_COLUMNS:
        return
    first: dict[tuple[int, bytes], int] = {}
    copies = []
    for rows, block in sample.blocks():
        for row, scores in enumerate(block, rows.start):
            # A hash tells rows apart; the rows themselves would be kept in memory.
            key = int(sample.labels[row]), hash(scores.tobytes()).to_bytes(8, "big", signed=True)
            other = first.setdefault(key, row)
            if other != row and len(np.unique(scores)) >= LEAST_DIFFERENT:
                copies.append((row, other))
    if copies:
        values = {"row": str(copies[0][0]), "other": str(copies[0][1])}
        yield caution("copied_points", copies=len(copies), **values)


@condition_of_rows
def winning_classes(sample: Ranked, _seed: int, _embedded: bool) -> Iterator[AccuracyWarning]:
    """Look for classes that are among the best in more than half of the searches for others."""
    if not isinstance(sample, ScoreMatrix) or sample.n_classes < LEAST_COLUMNS:
        return
    won = np.zeros(sample.n_classes)
    told = ~sample.failed
    for rows, block in sample.blocks():
        best = (block == block.max(axis=1, keepdims=True)) & told[rows, None]
        best[np.arange(len(block)), sample.labels[rows]] = False
        won += np.count_nonzero(best, axis=0)
    searches = np.count_nonzero(told) - np.bincount(sample.labels[told], minlength=len(won))
    classes = np.flatnonzero(won > MANY_WON * searches)
    if not classes.size:
        return
    names = classes if sample.classes is None else sample.classes[classes]
    more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
    yield caution("winning_classes", classes=f"the class {names[0]}{more}")


def tied_share(sample: Ranked) -> float:
    """Share of the points that tie with some incorrect class, but not with all."""
    return float(np.mean((sample.outscored_and_tied()[1] > 0) & ~sample.failed))
