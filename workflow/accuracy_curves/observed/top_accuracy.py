"""What the first t places earn, averaged over all subsets of the observed classes."""

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, blocks

# Of more classes the logarithms of all factorials are not kept: .8 GB of 10^8.
MOST_FACTORIALS = 2**17


def log_factorials(n_classes: int) -> Callable[[IntArray], Float64Array]:
    """Make the function that gives log n!, of whole numbers up to n_classes."""
    if n_classes > MOST_FACTORIALS:
        return lambda n: np.asarray(gammaln(n + 1.0))
    table = gammaln(np.arange(n_classes + 1) + 1.0)
    return lambda n: table[n]


def average_earned(
    outscored: IntArray, n_classes: int, k: IntArray, earned: FloatArray
) -> Float64Array:
    """Average what ranks earn over all subsets of k of the K observed classes, (n,).

    K - 1 - R_x classes outscore the correct one; of k - 1 classes drawn from the K - 1, how many of
    them there are is hypergeometric:

        A_k = sum_x sum_{j < t} e_xj binom(K - 1 - R_x, j) binom(R_x, k - 1 - j)
                                        / binom(K - 1, k - 1)

    `outscored` are the distinct values of R_x, and `earned`, (t, values), what those of each value
    earn where j classes outscore them: of the top-t accuracy their weight.
    """
    log_factorial = log_factorials(n_classes)

    def log_choose(n: IntArray, m: IntArray) -> Float64Array:
        inside = (m >= 0) & (m <= n)
        m = np.where(inside, m, 0)
        log_ways = log_factorial(n) - log_factorial(m) - log_factorial(n - m)
        return np.where(inside, log_ways, -np.inf)

    result = np.empty(len(k))
    for here in blocks(len(k), len(outscored)):
        drawn = k[here, None] - 1
        found = np.zeros((len(drawn), len(outscored)))
        for outscoring in range(min(len(earned), int(drawn.max()) + 1)):
            j = np.full_like(drawn, outscoring)
            chance = np.exp(
                log_choose(n_classes - 1 - outscored, j)
                + log_choose(outscored, drawn - j)
                - log_choose(np.full_like(drawn, n_classes - 1), drawn)
            )
            found += chance * earned[outscoring]
        result[here] = found.sum(axis=1)
    return np.clip(result, 0.0, 1.0)
