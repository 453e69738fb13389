"""Top-t accuracy: the chance that at most t - 1 incorrect classes outscore the correct one."""

import numpy as np
import numpy.typing as npt
from scipy.special import betaincc, gammaln

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, exponential

BLOCK_ELEMENTS = 4_000_000
# Sums of more terms are distribution functions, which take as long for any t.
MOST_TERMS = 100


def expected_top_accuracy(
    log_favorability: Float64Array,
    log_loss: Float64Array,
    weights: Float64Array,
    k: npt.NDArray[np.int64],
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
    step = max(1, BLOCK_ELEMENTS // len(log_favorability))
    if top > MOST_TERMS:
        loss = np.exp(log_loss)
        for start in range(0, len(k), step):
            others = np.maximum(k[start : start + step, None] - top, 1).astype(np.float64)
            result[start : start + step] = (betaincc(float(top), others, loss) * weights).sum(
                axis=1
            )
        result[k <= top] = 1.0
        return result
    for start in range(0, len(k), step):
        incorrect = (k[start : start + step, None] - 1).astype(np.float64)
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
        # Not `@`: the sums of a threaded BLAS depend on the number of cores.
        result[start : start + step] = (np.minimum(tail, 1.0) * weights).sum(axis=1)
    result[k <= top] = 1.0
    return result


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
    if top > MOST_TERMS:
        # Deferred, as it takes half a second.
        from scipy.stats import hypergeom

        result = np.ones(len(k))
        lost = n_classes - 1 - outscored
        many, several = lost >= top, k > top
        if many.any():
            chance = hypergeom.cdf(
                top - 1, n_classes - 1, lost[many], k[several, None].astype(np.int64) - 1
            )
            result[several] = (chance * weights[many]).sum(axis=1) + weights[~many].sum()
        return result
    log_factorial = gammaln(np.arange(n_classes + 1) + 1.0)

    def log_choose(n: IntArray, m: IntArray) -> Float64Array:
        inside = (m >= 0) & (m <= n)
        m = np.where(inside, m, 0)
        log_ways = log_factorial[n] - log_factorial[m] - log_factorial[n - m]
        return np.where(inside, log_ways, -np.inf)

    result = np.empty(len(k))
    step = max(1, BLOCK_ELEMENTS // len(outscored))
    for start in range(0, len(k), step):
        drawn = k[start : start + step, None] - 1
        tail = np.zeros((len(drawn), len(outscored)))
        for outscoring in range(min(top, int(drawn.max()) + 1)):
            j = np.full_like(drawn, outscoring)
            tail += np.exp(
                log_choose(n_classes - 1 - outscored, j)
                + log_choose(outscored, drawn - j)
                - log_choose(np.full_like(drawn, n_classes - 1), drawn)
            )
        result[start : start + step] = (np.minimum(tail, 1.0) * weights).sum(axis=1)
    return result
