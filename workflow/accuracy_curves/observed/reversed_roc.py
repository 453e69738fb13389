"""Reversed ROC and discriminability of an observed score matrix."""

from typing import Literal

import numpy as np

from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.sample import Sample, as_sample
from accuracy_curves.utils.arrays import ArrayLike, Float64Array


def reversed_roc(matrix: Sample, u: ArrayLike, seed: int = 0) -> Float64Array:
    """Average the reversed ROC over the points, classes weighing equally.

    That of a point is 1 where the share of the K - 1 incorrect classes that outscore the correct
    one is below u, and 0 elsewhere (ICLR 2021, Proposition 1 and Eq. 9).

    Parameters
    ----------
    matrix : ScoreMatrix, Ranks or DistanceMatrix
        N points, K classes.
    u : (n,) array of float
        Reversed false-positive rates in [0, 1].
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    (n,) array of float
        Reversed true-positive rates in [0, 1], non-decreasing in u.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.ScoreMatrix([[3.0, 1.0, 2.0], [1.0, 2.0, 5.0]], labels=[0, 1])
    >>> ac.reversed_roc(matrix, [0.25, 0.75])
    array([0.5, 1. ])
    """
    incorrect = as_sample(matrix).n_classes - 1
    outscoring = (incorrect - ranks(matrix, seed)) / incorrect
    return _weighted_share(outscoring, matrix.weights, u, "left")


def reversed_auc(matrix: Sample, seed: int | None = None) -> float:
    """Area under the average reversed ROC, which is the average accuracy of two classes.

    Parameters
    ----------
    matrix : ScoreMatrix, Ranks or DistanceMatrix
        N points, K classes.
    seed : int, optional
        Seed of the tie-breaking; by default a tie counts half, as it does on average.

    Returns
    -------
    float
        rAUC = E_2[A] in [0, 1] (ICLR 2021, after Eq. 12).

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.ScoreMatrix([[3.0, 1.0, 2.0], [1.0, 2.0, 5.0]], labels=[0, 1])
    >>> ac.reversed_auc(matrix)
    0.75
    """
    outscored, tied = as_sample(matrix).outscored_and_tied()
    won = outscored + tied / 2 if seed is None else ranks(matrix, seed)
    return float((matrix.weights * won).sum()) / (matrix.n_classes - 1)


def discriminability(matrix: Sample, u: ArrayLike, seed: int = 0) -> Float64Array:
    """Estimate D(u), the distribution function of the favorability.

        D(u) = P_X(P_Y'(S_y*(x) > S_y'(x)) <= u)

    (ICLR 2021, Equation 3), by the plug-in estimate from the observed ranks. D(u) = 1 -
    rROC(1 - u) (Equation 11).

    Parameters
    ----------
    matrix : ScoreMatrix, Ranks or DistanceMatrix
        N points, K classes.
    u : (n,) array of float
        Favorability levels in [0, 1].
    seed : int
        Seed of the tie-breaking.

    Returns
    -------
    (n,) array of float
        Values in [0, 1], non-decreasing in u.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.ScoreMatrix([[3.0, 1.0, 2.0], [1.0, 2.0, 5.0]], labels=[0, 1])
    >>> ac.discriminability(matrix, [0.25, 0.5, 1.0])
    array([0. , 0.5, 1. ])
    """
    favorability = ranks(matrix, seed) / (matrix.n_classes - 1)
    return _weighted_share(favorability, matrix.weights, u, "right")


def _weighted_share(
    values: Float64Array, weights: Float64Array, u: ArrayLike, side: Literal["left", "right"]
) -> Float64Array:
    """Weight of the values below u (side "left") or at most u (side "right")."""
    order = np.argsort(values, kind="stable")
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    below = np.searchsorted(values[order], np.atleast_1d(u), side=side)
    return np.minimum(total[below], 1.0)
