"""Risk under any cost of mistakes, averaged over subsets of the classes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, ranks
from accuracy_curves.scores.sample import Sample
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array


def rank_costs(matrix: Sample, cost: npt.ArrayLike | None = None, seed: int = 0) -> Float64Array:
    """Average the cost of losing to the incorrect class of each rank, (K - 1,) in [0, 1].

    The incorrect classes of a point are ordered by score. Entry m - 1 is the mean over the points
    of the cost C(y', y) of taking the m-th smallest of them, y', for the correct class y, where it
    outscores the correct class; 0 counts where it does not. Under 0-1 cost, the default, it is the
    share of points that outscore fewer than m incorrect classes. It is the C-bar_m of Zheng,
    Achanta and Benjamini (2016, Section 3.3), with the ranks taken among the incorrect classes
    alone: the correct class is no random draw, and with it among them the U-values are not
    binomial.

    ``cost[i, j]`` is the cost of predicting class i where j is correct, in [0, 1], with zeros on
    the diagonal. It needs a score matrix: Ranks and a DistanceMatrix do without a cost alone.
    """
    incorrect = matrix.n_classes - 1
    if cost is None:
        share = np.bincount(ranks(matrix, seed), matrix.weights, minlength=matrix.n_classes)
        return np.minimum(np.cumsum(share)[:incorrect], 1.0)
    costs = _checked(cost, matrix.n_classes)
    if matrix.whole is None:
        raise InputError("a cost matrix needs the scores, not only the ranks")
    rng = np.random.default_rng(seed)
    weights = matrix.weights
    total = np.zeros(incorrect)
    for rows, block in matrix.blocks():
        labels = matrix.labels[rows]
        # Equal scores are in random order.
        order = np.lexsort((rng.random(block.shape), block), axis=1)
        own = order == labels[:, None]
        others = order[~own].reshape(len(block), incorrect)
        outscored = own.argmax(axis=1)
        lost = costs[others, labels[:, None]] * (np.arange(incorrect) >= outscored[:, None])
        total += (lost * weights[rows, None]).sum(axis=0)
    return np.minimum(total, 1.0)


def average_risk(
    matrix: ScoreMatrix, k: npt.ArrayLike, cost: npt.ArrayLike | None = None, seed: int = 0
) -> Float64Array:
    """Average the cost of mistakes over all subsets of k of the matrix's classes.

    The m-th smallest of the K - 1 incorrect classes is the largest of a random k - 1 of them with
    probability binom(m - 1, k - 2) / binom(K - 1, k - 1), so that the average is a mean of the
    costs of losing to the class of each rank. It is unbiased for the expected risk at k classes
    (Zheng, Achanta and Benjamini 2016, Theorem 3.1).

    Parameters
    ----------
    matrix : ScoreMatrix
        N points, K classes; without `cost`, Ranks or a DistanceMatrix will do.
    k : int or (n,) array of int
        Numbers of classes, 2 <= k <= K.
    cost : (K, K) array of float, optional
        ``cost[i, j]``, in [0, 1], of predicting class i where j is correct, with zeros on the
        diagonal; by default every mistake costs 1, and the risk is 1 - accuracy.
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    (n,) array of float
        Average costs in [0, 1].

    Raises
    ------
    InputError
        If a k or the cost is out of range.

    Examples
    --------
    Mistaking class 0 for class 1, or the reverse, costs a tenth.

    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[3.0, 1, 2], [2, 1, 3], [1, 2, 3]])
    >>> cost = np.array([[0, 0.1, 1], [0.1, 0, 1], [1, 1, 0]])
    >>> ac.average_risk(ac.ScoreMatrix(scores, np.array([0, 1, 2])), [2, 3], cost).round(4)
    array([0.1833, 0.3333])
    """
    return mean_of_largest(rank_costs(matrix, cost, seed), k)


def mean_of_largest(costs: Float64Array, k: npt.ArrayLike) -> Float64Array:
    """Average the cost of losing to the largest of k - 1 random incorrect classes, (n,).

    From that of each rank m = 1..K - 1. The largest is among the m smallest with the chance that a
    class which outscores m of them is the best of k: the accuracy of a point of rank m.
    """
    ranks_of_all, falls = np.arange(1, len(costs) + 1), -np.diff(costs, append=0.0)
    return average_accuracy_of_ranks(ranks_of_all, len(costs) + 1, k, falls)


def _checked(cost: npt.ArrayLike, n_classes: int) -> Float64Array:
    """Check a cost matrix."""
    costs, shape = np.asarray(cost), (n_classes, n_classes)
    fits = costs.shape == shape and costs.dtype.kind in "buif"
    if not fits or not ((costs >= 0) & (costs <= 1)).all() or np.diagonal(costs).any():
        raise InputError(
            f"costs must be numbers from 0 to 1 of shape {shape}, 0 on the diagonal, where the "
            f"prediction is correct: they are {costs.dtype} of shape {costs.shape}"
        )
    return costs.astype(np.float64)
