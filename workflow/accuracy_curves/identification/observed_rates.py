"""Rates that the observed identities show, averaged over all subsets of them."""

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, ranks
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray


def observed_fpir(searches: Searches, k: IntArray, oriented: Float64Array) -> Float64Array:
    """Average the false positive identification rate over all galleries of k observed identities.

    With R_x(T) the scores of search x below T among its n,

        FPIR(k, T) = 1 - sum_x w_x binom(R_x(T), k) / binom(n, k)

    which is 1 minus the average accuracy at k + 1 classes of the score matrix whose correct scores
    are replaced by T, and unbiased for the expected rate. A score that equals T is accepted.
    Thresholds are on the scale of `Searches.oriented`. `InputError` if a gallery is larger than
    what was observed.
    """
    largest = searches.impostor.shape[1]
    _check_observed(k, largest)
    result = np.empty(len(k))
    for threshold in np.unique(oriented):
        here = oriented == threshold
        below = np.count_nonzero(searches.impostor < threshold, axis=1)
        correct = average_accuracy_of_ranks(
            below, largest + 1, k[here] + 1, searches.impostor_weights
        )
        result[here] = 1 - correct
    return result


def observed_fnir(
    searches: Searches, k: IntArray, oriented: Float64Array, rank: int = 1, seed: int = 0
) -> Float64Array:
    """Average the false negative identification rate over all galleries of k observed identities.

    A mated search, whose mate is one of the k, is missed where its mate's score is below T, or
    `rank` or more others outscore the mate. Ties with others are broken at random, as of
    accuracies. Thresholds and errors are as of `observed_fpir`.
    """
    matrix = searches.mated
    _check_observed(k, matrix.n_classes)
    outscored = ranks(matrix, seed)
    result = np.empty(len(k))
    for threshold in np.unique(oriented):
        weights = matrix.weights * (searches.genuine >= threshold)
        found = np.full(len(k), weights.sum())
        ranked = k > rank
        if ranked.any():
            found[ranked] = average_accuracy_of_ranks(
                outscored, matrix.n_classes, k[ranked], weights, top=rank
            )
        here = oriented == threshold
        result[here] = 1 - found[here]
    return result.clip(0.0, 1.0)


def observed_threshold(searches: Searches, fpir: Float64Array) -> Float64Array:
    """Find a threshold at which the rate in the largest observed gallery is at most a given one.

    On the scale of `Searches.oriented`: half of the way between the largest score that must be
    refused and the next above it. Where there is none it is just above all, and infinite if no mate
    reaches that.
    """
    best = searches.impostor[:, -1]
    order = np.argsort(-best)
    share = np.cumsum(searches.impostor_weights[order])
    at = np.searchsorted(share, fpir * (1 + 1e-9), side="right")
    refused = best[order[np.minimum(at, len(order) - 1)]]
    values = np.unique(best)
    above = np.append(values, values[-1] + 1e-6 * (values[-1] - values[0] or 1.0))
    found = (refused + above[np.searchsorted(values, refused) + 1]) / 2
    return np.where(found > searches.largest, np.inf, found)


def alarm_errors(
    searches: Searches, oriented: Float64Array, fpir: Float64Array
) -> tuple[Float64Array, Float64Array]:
    """Find the rates in the largest observed gallery at thresholds, and standard errors, (n,).

    Searches of one person alarm together: the error is from the sums over the people, of whom a
    search without a mate is one each. It is at least that of independent searches at `fpir`, the
    rates that are expected, as where none alarms sums show nothing.
    """
    weights, alarms = searches.impostor_weights, searches.impostor[:, -1] >= oriented[:, None]
    seen = (alarms * weights).sum(axis=1)
    rows = np.arange(len(weights))
    people = rows if searches.has_non_mated else searches.mated.labels
    off = [np.bincount(people, weights * each) for each in alarms - seen[:, None]]
    least = fpir * (1 - fpir) * np.square(weights).sum()
    return seen, np.sqrt(np.maximum(np.square(off).sum(axis=1), least))


def _check_observed(k: IntArray, largest: int) -> None:
    """Refuse galleries larger than the observed one."""
    if k.size and k.max() > largest:
        raise InputError(
            f"a gallery of {k.max()} cannot be observed on {largest} enrolled: predict its rates"
        )
