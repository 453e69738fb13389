"""How many classes the errors of a sample come from."""

import numpy as np

from accuracy_curves.accuracy import ranks
from accuracy_curves.scores import IntArray, ScoreMatrix


def erring_classes(sample: ScoreMatrix, seed: int = 0) -> float:
    """Count the classes that errors come from, as if all of them erred alike.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes.
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    float
        (sum_c l_c)^2 / sum_c l_c^2, from 0 to k1: the participation ratio of the classes' shares
        l_c of points that are not recognised among all k1.
    """
    return erring_classes_of_ranks(sample, ranks(sample, seed))


def erring_classes_of_ranks(sample: ScoreMatrix, outscored: IntArray) -> float:
    """Count them from ranks that are already there, those of `accuracy.ranks`."""
    wrong = outscored < sample.n_classes - 1
    points = np.bincount(sample.labels, minlength=sample.n_classes)
    share = np.bincount(sample.labels, wrong, sample.n_classes) / np.maximum(points, 1)
    squares = float(np.square(share).sum())
    return float(share.sum()) ** 2 / squares if squares else 0.0
