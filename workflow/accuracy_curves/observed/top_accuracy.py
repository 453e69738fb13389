"""What the first t places earn, averaged over all subsets of the observed classes."""

from collections.abc import Callable

import numpy as np
from scipy.special import gammaln

from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, blocks, exponential

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

    K - 1 - R_x classes outscore the correct one; how many of them are among k - 1 of the K - 1 is
    hypergeometric:

        A_k = sum_x sum_{j < t} e_xj binom(K - 1 - R_x, j) binom(R_x, k - 1 - j)
                                        / binom(K - 1, k - 1)

    `outscored` are the distinct values of R_x, and `earned`, (t, values), what those of each value
    earn where j classes outscore them: of the top-t accuracy their weight.
    """
    log_factorial, others = log_factorials(n_classes), n_classes - 1
    result = np.empty(len(k))
    for here in blocks(len(k), len(outscored)):
        drawn = k[here, None] - 1
        earn = np.zeros((len(drawn), len(outscored)))
        every = log_factorial(np.array(others)) - log_factorial(others - drawn)
        for j in range(min(len(earned), int(drawn.max()) + 1)):
            left, beaten = outscored - (drawn - j), np.maximum(others - outscored - j, 0)
            inside = (left >= 0) & (others - outscored >= j) & (drawn >= j)
            # The (k - 1)! of the subset cancels, but for the classes that outscore the correct one.
            log_chance = log_factorial(outscored) - log_factorial(np.where(inside, left, 0)) - every
            log_chance += log_factorial(drawn) - log_factorial(np.maximum(drawn - j, 0))
            log_chance += log_factorial(others - outscored) - log_factorial(beaten)
            log_chance -= log_factorial(np.array(j))
            earn += exponential(np.where(inside, np.minimum(log_chance, 0.0), -np.inf)) * earned[j]
        # Not `@`: the sums of a threaded BLAS depend on the number of cores.
        result[here] = earn.sum(axis=1)
    return np.clip(result, 0.0, 1.0)
