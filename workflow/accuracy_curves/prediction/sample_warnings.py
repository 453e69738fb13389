"""What in the scores makes a prediction doubtful, one sentence each."""

import numpy as np

from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, erring_classes_of_ranks
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import IntArray

FEW_CLASSES = 20
# What README.md asks for.
ENOUGH_CLASSES, ENOUGH_ERRING = 50, 10
SATURATED = 0.99
MANY_TIES = 0.01
# Of the sum of a row: probabilities are also written with two digits, or are half floats.
ROUNDING = 0.01
# Standard errors below chance that noise does not explain.
BELOW_CHANCE = 2


def doubts_of_sample(
    sample: ScoreMatrix, outscored: IntArray, tied: float, *, embedded: bool = False
) -> list[str]:
    """Say what in the scores themselves makes a prediction doubtful.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    outscored : (N,) array of int
        Of `accuracy.ranks`.
    tied : float
        Share of the points that tie with an incorrect class.
    embedded : bool
        Whether the scores are distances of embeddings.

    Returns
    -------
    list of str
        A sentence each; empty if there is nothing to say.
    """
    k1 = sample.n_classes
    seen = average_accuracy_of_ranks(outscored, k1, np.array([k1]), sample.weights)
    said = wrong_direction(sample, outscored, embedded=embedded)
    own = len(np.unique(sample.labels))
    if own < ENOUGH_CLASSES:
        few = "very few" if own < FEW_CLASSES else "few"
        said.append(
            f"there are {few} classes that have points, {own}: with {ENOUGH_CLASSES} or more the "
            "interval is better"
        )
    erring = erring_classes_of_ranks(sample, outscored)
    if seen[-1] > SATURATED:
        said.append(
            f"the observed accuracy is {seen[-1]:.4f}: too few errors to tell how fast it falls"
        )
    elif erring < ENOUGH_ERRING:
        said.append(
            f"the errors come from few classes, as if {erring:.1f} erred alike: with "
            f"{ENOUGH_ERRING} or more the interval is better"
        )
    if tied > MANY_TIES:
        said.append(
            f"{100 * tied:.0f} % of the points tie with an incorrect class: ties are broken at "
            "random, and finer scores would say more"
        )
    if look_like_probabilities(sample):
        said.append(
            "the scores look like probabilities, as the scores of each point sum to 1: one "
            "class's then depends on the other classes; give their logarithms, or the scores "
            "before the softmax"
        )
    return said


def wrong_direction(
    sample: ScoreMatrix, outscored: IntArray, *, embedded: bool = False
) -> list[str]:
    """Say where the accuracy at two classes is below chance by more than the draw of classes.

    Parameters
    ----------
    sample, outscored, embedded
        See `doubts_of_sample`.

    Returns
    -------
    list of str
        One sentence or none.
    """
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    total = np.bincount(sample.labels, outscored, sample.n_classes)[points > 0]
    share = total / (points[points > 0] * (sample.n_classes - 1))
    # Of one class nothing tells the error: that of a uniform share.
    spread = share.std(ddof=1) if len(share) > 1 else np.sqrt(1 / 12)
    seen = share.mean()
    if seen >= 0.5 - BELOW_CHANCE * spread / np.sqrt(len(share)):
        return []
    below = f"the accuracy at two classes is {seen:.3f}, below chance"
    if embedded:
        return [f"{below}: are the labels those of the embeddings?"]
    other = "--lower-is-better" if sample.higher_is_better else "--higher-is-better"
    taken = "similarities" if sample.higher_is_better else "distances"
    return [
        f"{below}: are the scores given in the wrong direction? They were taken for {taken}; "
        f"try {other}"
    ]


def look_like_probabilities(sample: ScoreMatrix) -> bool:
    """Whether all scores are in [0, 1] and those of each point sum to 1 up to rounding.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.

    Returns
    -------
    bool
    """
    if not sample.higher_is_better:
        return False
    for _, block in sample.blocks():
        sums = block.sum(axis=1, dtype=np.float64)
        if block.min() < 0 or block.max() > 1 or np.abs(sums - 1).max() > ROUNDING:
            return False
    return True
