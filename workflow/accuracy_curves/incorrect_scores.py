"""The incorrect scores of every point, block by block, or a random part of many of them."""

from collections.abc import Iterator

import numpy as np

from accuracy_curves.scores import FloatArray, ScoreMatrix
from accuracy_curves.seeds import derive_seed


def split_blocks(
    matrix: ScoreMatrix, most: int | None = None, seed: int = 0
) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
    """Split a score matrix as `accuracy_curves.split` does, some rows at a time.

    Parameters
    ----------
    matrix : ScoreMatrix
        N points, K classes; may be memory-mapped.
    most : int, optional
        If there are more incorrect scores than this, so many of each point's are drawn at random
        without replacement, for each point anew; by default all are taken.
    seed : int
        Decides the draws, together with the point's row alone.

    Yields
    ------
    rows : slice
        Which points.
    correct : (rows,) array
        Each point's score for its correct class; higher is better.
    incorrect : (rows, min(K - 1, most)) array
        Its scores for other classes, ascending.
    """
    n = matrix.n_classes - 1
    rng = np.random.default_rng(derive_seed(seed, "incorrect scores"))
    for rows, block in matrix.blocks():
        labels = matrix.labels[rows]
        correct = block[np.arange(len(block)), labels]
        if most is None or n <= most:
            others = np.ones(block.shape, dtype=bool)
            others[np.arange(len(block)), labels] = False
            incorrect = block[others].reshape(len(block), n)
        else:
            drawn = np.array([rng.choice(n, most, replace=False, shuffle=False) for _ in labels])
            drawn += drawn >= labels[:, None]
            incorrect = np.take_along_axis(block, drawn, axis=1)
        incorrect.sort(axis=1)
        yield rows, correct, incorrect


def split_at_most(
    matrix: ScoreMatrix, most: int | None, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Split a score matrix into correct scores and sorted incorrect ones, at most so many a point.

    Parameters
    ----------
    matrix, most, seed
        As of `split_blocks`.

    Returns
    -------
    correct : (N,) array
    incorrect : (N, min(K - 1, most)) array
    """
    n = matrix.n_classes - 1
    correct = np.empty(matrix.n_points, dtype=matrix.scores.dtype)
    incorrect = np.empty((matrix.n_points, n if most is None else min(n, most)), correct.dtype)
    for rows, own, others in split_blocks(matrix, most, seed):
        correct[rows], incorrect[rows] = own, others
    return correct, incorrect
