"""Mixtures of the favorability C_x on a grid, by the ranks: what their methods share."""

import numpy as np
from scipy.special import gammaln, xlog1py, xlogy

from accuracy_curves.extrapolators.favorability import favorability_of_eta
from accuracy_curves.observed.accuracy import ranks
from accuracy_curves.scores.ranks import Ranked
from accuracy_curves.utils.arrays import Float64Array, IntArray

BELOW = 6.0  # The grid of C reaches 1 - C = exp(-6) / k1; what is rarer, no rank can tell.
HIGHEST_ETA = 2.5


def favorability_grid(n_classes: int, nodes: int) -> Float64Array:
    """Spread values of C, descending, evenly on the scale of log(-log C)."""
    lowest = -np.log(n_classes - 1) - BELOW
    return favorability_of_eta(np.linspace(lowest, HIGHEST_ETA, nodes))


def counted_ranks(sample: Ranked, seed: int, points: int) -> tuple[IntArray, Float64Array]:
    """Find the ranks that occur, and how often, weighted, of so many points in all."""
    counts = np.zeros(sample.n_classes)
    np.add.at(counts, ranks(sample, seed), sample.weights * points)
    seen = np.flatnonzero(counts).astype(np.int64)
    return seen, counts[seen]


def binomial_likelihood(counts: IntArray, trials: int, chances: Float64Array) -> Float64Array:
    """Compute the chance of each count at each chance of a trial, (counts, chances)."""
    r = counts[:, None].astype(np.float64)
    choose = gammaln(trials + 1) - gammaln(r + 1) - gammaln(trials - r + 1)
    return np.exp(choose + xlogy(r, chances) + xlog1py(trials - r, -chances))
