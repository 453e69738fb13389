"""Top-t accuracy: the chance that at most t - 1 incorrect classes outscore the correct one."""

import numpy as np
from scipy.special import betaincc, gammaln

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, blocks, exponential

# A sum of more terms is a distribution function, which takes as long for any t.
MOST_TERMS = 100


def expected_top_accuracy(
    log_favorability: Float64Array,
    log_loss: Float64Array,
    weights: Float64Array,
    k: IntArray,
    top: int,
) -> Float64Array:
    """Expect the top-t accuracy at k classes, (n,), from a distribution of the favorability.

    Binomial(k - 1, 1 - C_x) of k - 1 incorrect classes outscore the correct one, so that

        E_k[A^(t)] = sum_x w_x sum_{j < t} binom(k - 1, j) (1 - C_x)^j C_x^(k - 1 - j)

    which is ICLR 2021, Eq. 12, at t = 1. Every term is positive and formed from logarithms: given
    both log C_x and log(1 - C_x), no digits are lost where C_x is near 1. The result is at most the
    sum of the weights; 1 where t >= k.
    """
    result = np.empty(len(k))
    for here in blocks(len(k), len(log_favorability)):
        # Not `@`: the sums of a threaded BLAS depend on the number of cores.
        found = chances_within(log_favorability, log_loss, k[here], top)
        result[here] = (found * weights).sum(axis=1)
    result[k <= top] = 1.0
    return result


def chances_within(
    log_favorability: Float64Array, log_loss: Float64Array, k: IntArray, top: int
) -> FloatArray:
    """Chance of each point to be among the best t of k classes, (n, N)."""
    incorrect = (k[:, None] - 1).astype(np.float64)
    if top == 1:
        return exponential(incorrect * log_favorability)
    if top <= MOST_TERMS:
        return _sum_of_terms(incorrect, log_favorability, log_loss, top)
    others = np.maximum(incorrect + 1 - top, 1)
    return np.asarray(betaincc(float(top), others, np.exp(log_loss)))


def _sum_of_terms(
    incorrect: Float64Array, log_favorability: Float64Array, log_loss: Float64Array, top: int
) -> Float64Array:
    """Sum the chances of fewer than t classes that outscore the correct one, (n, N)."""
    tail = np.zeros((len(incorrect), len(log_favorability)))
    log_choose = np.zeros_like(incorrect)
    for outscoring in range(min(top, int(incorrect.max()) + 1)):
        won = incorrect - outscoring
        with np.errstate(invalid="ignore"):
            log_term = log_choose + won * log_favorability
            # 0 log 0 = 0.
            log_term = np.where(won == 0, log_choose, log_term)
            if outscoring:
                log_term = log_term + outscoring * log_loss
        tail += exponential(np.where(won >= 0, log_term, -np.inf))
        with np.errstate(divide="ignore"):
            log_choose = log_choose + np.log(np.maximum(won, 0) / (outscoring + 1))
    return np.minimum(tail, 1.0)


def observed_top_accuracy(
    outscored: IntArray, n_classes: int, k: IntArray, weights: FloatArray, top: int
) -> Float64Array:
    """Average the top-t accuracy over all subsets of k of the K observed classes, (n,).

    K - 1 - R_x classes outscore the correct one; of k - 1 classes drawn from the K - 1, how many of
    them there are is hypergeometric:

        A_k^(t) = sum_x w_x sum_{j < t} binom(K - 1 - R_x, j) binom(R_x, k - 1 - j)
                                        / binom(K - 1, k - 1)

    `outscored` are the distinct values of R_x, and `weights` those of the points with each value.
    """
    log_factorial = gammaln(np.arange(n_classes + 1) + 1.0)

    def log_choose(n: IntArray, m: IntArray) -> Float64Array:
        inside = (m >= 0) & (m <= n)
        m = np.where(inside, m, 0)
        log_ways = log_factorial[n] - log_factorial[m] - log_factorial[n - m]
        return np.where(inside, log_ways, -np.inf)

    result = np.empty(len(k))
    for here in blocks(len(k), len(outscored)):
        drawn = k[here, None] - 1
        tail = np.zeros((len(drawn), len(outscored)))
        for outscoring in range(min(top, int(drawn.max()) + 1)):
            j = np.full_like(drawn, outscoring)
            tail += np.exp(
                log_choose(n_classes - 1 - outscored, j)
                + log_choose(outscored, drawn - j)
                - log_choose(np.full_like(drawn, n_classes - 1), drawn)
            )
        result[here] = (np.minimum(tail, 1.0) * weights).sum(axis=1)
    return result
