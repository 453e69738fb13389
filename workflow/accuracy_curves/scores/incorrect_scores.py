"""The incorrect scores of every point, block by block, and a random part of many of them."""

import numpy as np

from accuracy_curves.scores.score_matrix import ScoreMatrix, split_blocks
from accuracy_curves.utils.arrays import FloatArray
from accuracy_curves.utils.seeds import derive_seed


class SomeScores:
    """Draw some of each point's incorrect scores where there are more; point after point.

    `most` are drawn at random without replacement, for each point anew; None takes all.
    """

    def __init__(self, most: int | None, seed: int) -> None:
        self.most = most
        self._rng = np.random.default_rng(derive_seed(seed, "incorrect scores"))

    def of(self, incorrect: FloatArray) -> FloatArray:
        """Draw from the next points' scores, (rows, n); both they and what is drawn ascend."""
        n = incorrect.shape[1]
        if self.most is None or n <= self.most:
            return incorrect
        choose = self._rng.choice
        drawn = [choose(n, self.most, replace=False, shuffle=False) for _ in incorrect]
        some: FloatArray = np.take_along_axis(incorrect, np.sort(drawn, axis=1), axis=1)
        return some


def split_at_most(
    matrix: ScoreMatrix, most: int | None, seed: int = 0
) -> tuple[FloatArray, FloatArray]:
    """Split a score matrix into correct and sorted incorrect scores, at most so many a point."""
    some, n = SomeScores(most, seed), matrix.n_classes - 1
    correct = np.empty(matrix.n_points, dtype=matrix.scores.dtype)
    incorrect = np.empty((matrix.n_points, n if most is None else min(n, most)), correct.dtype)
    for rows, own, others in split_blocks(matrix):
        correct[rows], incorrect[rows] = own, some.of(others)
    return correct, incorrect
