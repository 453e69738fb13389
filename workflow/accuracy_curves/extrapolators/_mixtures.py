"""Weights of a mixture by maximum likelihood, with moments that it must have."""

import numpy as np

from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.nnls import nonnegative_least_squares

ROUNDS = 200
# The log likelihood is the largest, to this share of it.
LARGEST = 1e-9
# How much an equation weighs beside the likelihood in a step.
EQUATION = 1e4
TINY = 1e-300


def counted_ranks(sample: Ranked, seed: int) -> tuple[IntArray, Float64Array]:
    """Find the ranks that occur, and how often: the points' weights, n points in all."""
    counts = np.zeros(sample.n_classes)
    np.add.at(counts, ranks(sample, seed), sample.weights * sample.n_points)
    seen = np.flatnonzero(counts).astype(np.int64)
    return seen, counts[seen]


def mixture_weights(
    likelihood: Float64Array, counts: Float64Array, moments: Float64Array, values: Float64Array
) -> Float64Array:
    """Maximise sum_r n_r log(sum_j w_j L_rj) over w >= 0 with moments @ w = values.

    Newton steps as of Wang (2007): each minimises the quadratic approximation of the likelihood by
    non-negative least squares, in which the equations have rows of large weight, and is halved
    until the likelihood grows. `likelihood` is (ranks, components), `moments` (m, components).
    """
    equations = EQUATION * np.sqrt(counts.sum())
    weights = nonnegative_least_squares(
        np.vstack([equations * moments, np.eye(len(likelihood[0]))]),
        np.concatenate([equations * values, np.full(len(likelihood[0]), 1 / len(likelihood[0]))]),
    )
    root = np.sqrt(counts)

    def objective(at: Float64Array) -> float:
        return float((counts * np.log(np.maximum((likelihood * at).sum(axis=1), TINY))).sum())

    best = objective(weights)
    for _ in range(ROUNDS):
        mixed = np.maximum((likelihood * weights).sum(axis=1), TINY)
        step = nonnegative_least_squares(
            np.vstack([root[:, None] * likelihood / mixed[:, None], equations * moments]),
            np.concatenate([2.0 * root, equations * values]),
        )
        share = 1.0
        while (now := objective(weights + share * (step - weights))) < best and share > 1e-6:
            share /= 2.0
        if not now > best + LARGEST * abs(best):
            break
        weights, best = weights + share * (step - weights), now
    return weights
