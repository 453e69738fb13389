"""Parts of a sample: correct and incorrect scores, some of the classes."""

from collections.abc import Iterator

import numpy as np

from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.sample import S, as_matrix, as_sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import FloatArray, IntArray
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Whole, check


def split(matrix: ScoreMatrix) -> tuple[FloatArray, FloatArray]:
    """Split a score matrix into correct and sorted incorrect scores.

    Parameters
    ----------
    matrix : ScoreMatrix
        N points, K classes.

    Returns
    -------
    correct : (N,) array
        Each point's score for its correct class; higher is better.
    incorrect : (N, K - 1) array
        Its scores for the other classes, ascending; higher is better.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[0.9, 0.1, 0.3], [0.2, 0.8, 0.7]])
    >>> correct, incorrect = ac.split(ac.ScoreMatrix(scores, labels=[0, 1]))
    >>> correct.tolist(), incorrect.tolist()
    ([0.9, 0.8], [[0.1, 0.3], [0.2, 0.7]])
    """
    correct = np.empty(as_matrix(matrix).n_points, dtype=matrix.scores.dtype)
    incorrect = np.empty((matrix.n_points, matrix.n_classes - 1), correct.dtype)
    for rows, own, others, _ in matrix.incorrect(np.arange(matrix.n_points)):
        # The own class, which is NaN there, is sorted to the end.
        correct[rows], incorrect[rows] = own[:, 0], np.sort(others, axis=1)[:, :-1]
    return correct, incorrect


def subsample(matrix: S, k1: int, seed: int = 0) -> S:
    """Draw k1 classes without replacement and keep their columns and points.

    Parameters
    ----------
    matrix : ScoreMatrix or DistanceMatrix
        N points, K classes.
    k1 : int
        Number of classes to draw, 3 <= k1 <= K.
    seed : int
        The same seed draws the same classes.

    Returns
    -------
    ScoreMatrix or DistanceMatrix
        The sampled classes, in the order of their columns in `matrix`, and all their points.

    Raises
    ------
    InputError
        If k1 is out of range, or none of the sampled classes has a point.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, points_per_class=2)
    >>> sample = ac.subsample(matrix, 20, seed=1)
    >>> sample.n_points, sample.n_classes
    (40, 20)
    """
    return as_sample(matrix).select_classes(draw_classes(matrix.n_classes, k1, seed))


def draw_classes(n_classes: int, k1: int, seed: int = 0) -> IntArray:
    """Draw k1 classes without replacement, (k1,) ascending; see `subsample`."""
    check("k1", k1, Whole(MINIMUM_CLASSES, n_classes))
    return np.sort(np.random.default_rng(seed).choice(n_classes, size=k1, replace=False))


def random_halves(
    n_classes: int, n: int, seed: int = 0, strangers: int = 0
) -> Iterator[tuple[IntArray, IntArray]]:
    """Split k1 classes, at least 6, into two halves at random, n times; and so many strangers.

    Yields the classes of both disjoint halves of a split, ascending, then those of the next: k1 //
    2 classes each, of an odd number one class is left out. With each half a half of the strangers.
    """
    half = n_classes // 2
    rng = np.random.default_rng(derive_seed(seed, "intervals", "splits"))
    for _ in range(n):
        order, others = rng.permutation(n_classes), rng.permutation(strangers)
        for part in (0, 1):
            yield np.sort(order[part * half : (part + 1) * half]), others[part::2]
