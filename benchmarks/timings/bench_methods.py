"""Timings of the average accuracy, beside the notebook's."""

import numpy as np

from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix
from benching import Row, peak_bytes, simulated

MEMORY_TARGET = 1.5  # score matrices, at most


def average_accuracy_of_notebook(matrix: ScoreMatrix) -> np.ndarray:
    """Sum logarithms of an (N, K) array, as the released notebook does."""
    k = matrix.n_classes
    own = matrix.scores[np.arange(matrix.n_points), matrix.labels][:, None]
    rank = np.sum(own < matrix.scores, axis=1, keepdims=True)
    above = np.log(np.maximum(rank + 1 - np.arange(1, k), 1e-16))
    below = np.log(k - np.arange(1, k))
    return np.exp(np.cumsum(above - below, axis=1)).mean(axis=0)


def ranks_forgotten(sample: ScoreMatrix) -> ScoreMatrix:
    """Let a sample count its ranks again, as it does once only."""
    vars(sample).pop("_counts", None)
    return sample


def average_accuracy_rows() -> list[Row]:
    """Average accuracies of all k: ours, and the notebook's."""
    large, every_k = simulated(2000, 20_000), np.arange(2, 2001)
    sides = {
        "ours": lambda: average_accuracy(ranks_forgotten(large), every_k),
        "notebook's": lambda: average_accuracy_of_notebook(large),
    }
    what = "average accuracy, k = 2..2000, N = 20000"
    return [Row(what, sides, target=12)]


def average_accuracy_memory() -> dict[str, float]:
    """Peak memory of both, as multiples of the score matrix, which counts."""
    (row,) = average_accuracy_rows()
    size = simulated(2000, 20_000).scores.nbytes
    return {name: 1 + peak_bytes(side) / size for name, side in row.sides.items()}
