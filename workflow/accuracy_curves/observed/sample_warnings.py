"""What in the scores makes a prediction doubtful, one sentence each."""

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.observed.accuracy import average_accuracy, erring_classes, ranks
from accuracy_curves.observed.score_warnings import warn_of_values
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.scores.score_matrix import ScoreMatrix

FEW_CLASSES = 20
# What README.md asks for.
ENOUGH_CLASSES, ENOUGH_ERRING = 50, 10
SATURATED = 0.99
MANY_TIES = 0.01
# Of the sum of a row: probabilities are also written with two digits, or are half floats.
ROUNDING = 0.01
# Standard errors below chance that noise does not explain.
BELOW_CHANCE = 2


def warn_of_sample(
    sample: ScoreMatrix, seed: int = 0, *, embedded: bool = False
) -> list[AccuracyWarning]:
    """Say what in the scores, or distances of embeddings, makes a prediction doubtful.

    Reasons: those of `warn_of_direction`, `warn_of_probabilities` and `warn_of_values`,
    ``"few_classes"``, ``"few_errors"``, ``"few_erring_classes"`` and ``"ties"``.
    """
    found = warn_of_direction(sample, seed, embedded=embedded)
    own = len(np.unique(sample.labels))
    if own < ENOUGH_CLASSES:
        few = "very few" if own < FEW_CLASSES else "few"
        said = (
            f"there are {few} classes with data points, {own}: intervals are more reliable with "
            f"{ENOUGH_CLASSES} or more"
        )
        found.append(AccuracyWarning(said, "few_classes"))
    seen = average_accuracy(sample, sample.n_classes, seed)[0]
    erring = erring_classes(sample, seed)
    if seen > SATURATED:
        said = (
            f"the observed accuracy is {seen:.4f}: there are too few errors to tell how fast it "
            "falls"
        )
        found.append(AccuracyWarning(said, "few_errors"))
    elif erring < ENOUGH_ERRING:
        said = (
            f"the errors come from few classes, effectively {erring:.1f}: intervals are more "
            f"reliable with {ENOUGH_ERRING} or more"
        )
        found.append(AccuracyWarning(said, "few_erring_classes"))
    tied = tied_share(sample)
    if tied > MANY_TIES:
        said = (
            f"{100 * tied:.0f} % of the points tie with an incorrect class: ties are broken at "
            "random, so give scores with more digits if you can"
        )
        found.append(AccuracyWarning(said, "ties"))
    return [*found, *_warn_of_matrix(sample, seed)]


def warn_of_scores(
    sample: Ranked, seed: int = 0, *, embedded: bool = False
) -> list[AccuracyWarning]:
    """Say where scores are no scores that a method can extrapolate.

    Warnings of `warn_of_direction`, `warn_of_probabilities` and `warn_of_values`.
    """
    found = warn_of_direction(sample, seed, embedded=embedded)
    return [*found, *_warn_of_matrix(sample, seed)] if isinstance(sample, ScoreMatrix) else found


def _warn_of_matrix(sample: ScoreMatrix, seed: int) -> list[AccuracyWarning]:
    """Say what only the scores themselves show; probabilities are normalised anyway."""
    probabilities, values = warn_of_probabilities(sample), warn_of_values(sample, seed)
    return probabilities + [
        each for each in values if not (probabilities and each.reason == "normalised")
    ]


def warn_of_direction(
    sample: Ranked, seed: int = 0, *, embedded: bool = False
) -> list[AccuracyWarning]:
    """Say where the accuracy at two classes is below chance by more than the draw of classes.

    One warning or none. Reasons: ``"similarities_below_chance"``, ``"distances_below_chance"`` and,
    of distances of embeddings, whose direction is known, ``"below_chance"``.
    """
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    total = np.bincount(sample.labels, ranks(sample, seed), sample.n_classes)[points > 0]
    share = total / (points[points > 0] * (sample.n_classes - 1))
    # Of one class nothing tells the error: that of a uniform share.
    spread = share.std(ddof=1) if len(share) > 1 else np.sqrt(1 / 12)
    seen = share.mean()
    if seen >= 0.5 - BELOW_CHANCE * spread / np.sqrt(len(share)):
        return []
    below = f"the accuracy at two classes is {seen:.3f}, below chance"
    if embedded or not isinstance(sample, ScoreMatrix):
        said = f"{below}: are the labels those of the embeddings?"
        return [AccuracyWarning(said, "below_chance")]
    taken = "similarities" if sample.higher_is_better else "distances"
    said = f"{below}: are the scores given in the wrong direction? They were taken for {taken}"
    return [AccuracyWarning(said, f"{taken}_below_chance")]


def warn_of_probabilities(sample: ScoreMatrix) -> list[AccuracyWarning]:
    """Say where scores look like probabilities, which depend on the other classes.

    One warning, ``"probabilities"``, where all scores are in [0, 1] and those of each point sum to
    1 up to rounding; or none.
    """
    if not sample.higher_is_better:
        return []
    for _, block in sample.blocks():
        sums = block.sum(axis=1, dtype=np.float64)
        if block.min() < 0 or block.max() > 1 or np.abs(sums - 1).max() > ROUNDING:
            return []
    said = (
        "the scores look like probabilities (those of each point sum to 1), so that a class's "
        "score depends on the other classes: give their logarithms, or better the scores before "
        "the softmax"
    )
    return [AccuracyWarning(said, "probabilities")]


def tied_share(sample: Ranked) -> float:
    """Share of the points that tie with an incorrect class."""
    return float(np.mean(sample.outscored_and_tied()[1] > 0))
