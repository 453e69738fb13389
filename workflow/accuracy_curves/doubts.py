"""What in the scores makes a prediction doubtful, one sentence each."""

import numpy as np

from accuracy_curves.scores import Float64Array, ScoreMatrix

FEW_CLASSES = 20
SATURATED = 0.99
MANY_TIES = 0.01
# Of the sum of a row: probabilities are also written with two digits, or are half floats.
ROUNDING = 0.01


def doubts_of_sample(sample: ScoreMatrix, seen: Float64Array, tied: float) -> list[str]:
    """Say what in the scores themselves makes a prediction doubtful.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    seen : (n,) array of float
        Observed top-1 accuracies, the first at 2 classes and the last at k1.
    tied : float
        Share of the points that tie with an incorrect class.

    Returns
    -------
    list of str
        A sentence each; empty if there is nothing to say.
    """
    said = []
    k1 = sample.n_classes
    if seen[0] < 0.5:
        other = "--lower-is-better" if sample.higher_is_better else "--higher-is-better"
        taken = "similarities" if sample.higher_is_better else "distances"
        said.append(
            f"the accuracy at two classes is {seen[0]:.3f}, below chance: are the scores given in "
            f"the wrong direction? They were taken for {taken}; try {other}"
        )
    if k1 < FEW_CLASSES:
        said.append(f"k1 = {k1} classes are few: with {FEW_CLASSES} or more the interval is better")
    if seen[-1] > SATURATED:
        said.append(
            f"the observed accuracy is {seen[-1]:.4f}: too few errors to tell how fast it falls"
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
