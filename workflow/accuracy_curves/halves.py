"""Random halves of the classes of a sample."""

import numpy as np

from accuracy_curves.scores import ScoreMatrix, select_classes
from accuracy_curves.seeds import derive_seed


def random_halves(
    sample: ScoreMatrix, n: int, seed: int = 0
) -> list[tuple[ScoreMatrix, ScoreMatrix]]:
    """Split the classes into two halves at random, n times.

    Parameters
    ----------
    sample : ScoreMatrix
        N points, k1 classes, at least 6.
    n : int
        Number of splits.
    seed : int
        Decides the splits.

    Returns
    -------
    list of (ScoreMatrix, ScoreMatrix)
        The disjoint halves, k1 // 2 classes each; of an odd number one class is left out.

    Raises
    ------
    InputError
        If none of the classes of a half has a point.
    """
    half = sample.n_classes // 2
    rng = np.random.default_rng(derive_seed(seed, "intervals", "splits"))
    pairs = []
    for _ in range(n):
        order = rng.permutation(sample.n_classes)
        parts = np.sort(order[:half]), np.sort(order[half : 2 * half])
        pairs.append((select_classes(sample, parts[0]), select_classes(sample, parts[1])))
    return pairs
