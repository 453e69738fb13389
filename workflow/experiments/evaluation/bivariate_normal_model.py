"""The toy example of Zheng et al.: labels and points are jointly normal with correlation rho.

Y ~ N(0, 1) and X | Y = y ~ N(rho y, 1 - rho^2), so that X ~ N(0, 1) as well; the Bayes rule picks
the class whose rho y is nearest to x (2017, Sections 2.3 and 3.2).
"""

import numpy as np
import pandas as pd
import scipy

from accuracy_curves.utils.arrays import ArrayLike, Float64Array

# Gauss-Legendre nodes for x and for the distance |rho y - x|; beyond FARTHEST nothing has weight.
NODES = 160
FARTHEST = 8.5
BISECTIONS = 60


def accuracy_of_labels(labels: ArrayLike, rho: float) -> Float64Array:
    """Accuracy of the Bayes rule on sets of labels, (..., k), all equally frequent.

    With labels y_1 < ... < y_k, c = rho / (2 sqrt(1 - rho^2)), y_0 = -inf and y_{k+1} = inf,

        GA = 1/k sum_i [Phi(c (y_{i+1} - y_i)) - Phi(c (y_{i-1} - y_i))]

    The formula printed in Section 2.3 lacks the rho of c: the borders lie midway between the means
    rho y_i, not between the labels. Labels may come in any order.
    """
    ordered = np.sort(np.asarray(labels, dtype=np.float64), axis=-1)
    # Each border between neighbours takes the same tail from both.
    tails = scipy.special.ndtr(-rho / (2 * np.sqrt(1 - rho**2)) * np.diff(ordered, axis=-1))
    return np.asarray(1 - 2 * tails.sum(axis=-1) / ordered.shape[-1])


def favorability(y: ArrayLike, x: ArrayLike, rho: float) -> Float64Array:
    """Chance that a random other label is farther from x than y is; y and x are broadcast.

        U_x(y) = P(|rho Y' - x| > d) = 1 - Phi((x + d) / rho) + Phi((x - d) / rho),
        d = |rho y - x|

    Section 3.2 prints the complement, which is lowest where it says that U is highest.
    """
    point = np.asarray(x, dtype=np.float64)
    return _farther(np.abs(rho * np.asarray(y) - point), point, rho)


def distribution(u: ArrayLike, rho: float) -> Float64Array:
    """Distribution function D(u), (n,), of the favorability of the correct label.

    Given X = x, U <= u means that |rho Y - x| is at least the distance at which U_x is u; its
    chance is a difference of two Phi, as rho Y - x ~ N(-(1 - rho^2) x, rho^2 (1 - rho^2)). D(u) is
    the integral over x ~ N(0, 1), by Gauss-Legendre quadrature.
    """
    wanted = np.atleast_1d(np.asarray(u, dtype=np.float64))[:, None]
    x, weight = _points()
    low = np.zeros(np.broadcast_shapes(wanted.shape, x.shape))
    high = np.full(low.shape, 2 * FARTHEST)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        favoured = _farther(middle, x, rho) > wanted
        low, high = np.where(favoured, middle, low), np.where(favoured, high, middle)
    spread = rho * np.sqrt(1 - rho**2)
    shift = (1 - rho**2) * x
    ends = (high - shift) / spread, (high + shift) / spread
    beyond = sum(scipy.special.ndtr(-end) for end in ends)
    beyond = np.where(wanted >= 1, 1.0, np.where(wanted <= 0, 0.0, beyond))
    return np.asarray(np.clip((beyond * weight).sum(axis=1), 0.0, 1.0))


def average_accuracy_of_classes(k: ArrayLike, rho: float) -> Float64Array:
    """Average accuracy of k random labels, AGA_k = E[U^(k - 1)] = 1 - (k - 1) int D(u) u^(k-2) du.

    The expectation is over x ~ N(0, 1) and the distance |rho Y - x| given x, by Gauss-Legendre
    quadrature. At k = 2 it is 1/2 + arcsin(rho / sqrt(2 - rho^2)) / pi. For (n,) numbers of
    classes, at least 1, it is (n,).
    """
    x, x_weight = _points()
    shift, spread = (1 - rho**2) * x[:, None], rho * np.sqrt(1 - rho**2)
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    # The distance from |shift| to FARTHEST standard deviations on either side, at least 0.
    low = np.maximum(shift - FARTHEST * spread, 0)
    half = (shift + FARTHEST * spread - low) / 2
    distance = low + half * (nodes + 1)
    one, other = (distance - shift) / spread, (distance + shift) / spread
    folded = (np.exp(-(one**2) / 2) + np.exp(-(other**2) / 2)) / (np.sqrt(2 * np.pi) * spread)
    mass = x_weight[:, None] * half * weights * folded
    chance = _farther(distance, x[:, None], rho)
    return np.array(
        [(mass * chance ** (classes - 1)).sum() for classes in np.atleast_1d(np.asarray(k))]
    )


def _farther(distance: Float64Array, x: Float64Array, rho: float) -> Float64Array:
    """Chance that |rho Y' - x| exceeds a distance."""
    ends = (distance + x) / rho, (distance - x) / rho
    return np.asarray(sum(scipy.special.ndtr(-end) for end in ends))


def _points() -> tuple[Float64Array, Float64Array]:
    """Nodes x >= 0 and weights of the expectation over N(0, 1), for symmetric functions."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    x = FARTHEST * (nodes + 1) / 2
    return x, weights * FARTHEST * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)


def chebyshev_points(n: int) -> Float64Array:
    """Points of [0, 1], both ends included and denser near them, where errors are measured."""
    return np.asarray((1 - np.cos(np.pi * np.arange(n) / (n - 1))) / 2)


def best_polynomial_error(u: ArrayLike, values: ArrayLike, degree: int) -> float:
    """Find the smallest largest error of a polynomial of a degree, min_p max_i |p(u_i) - f(u_i)|.

    The minimum over the coefficients, in the Chebyshev basis, is a linear programme (solved by
    HiGHS). At points of [0, 1] that are dense enough, as `chebyshev_points` are, it is the
    l-infinity approximation error.
    """
    from scipy.optimize import linprog

    basis = np.polynomial.chebyshev.chebvander(2 * np.asarray(u, dtype=np.float64) - 1, degree)
    target = np.asarray(values, dtype=np.float64)
    margin = np.ones((len(target), 1))
    solved = linprog(
        np.append(np.zeros(degree + 1), 1.0),
        A_ub=np.block([[basis, -margin], [-basis, -margin]]),
        b_ub=np.concatenate([target, -target]),
        bounds=[(None, None)] * (degree + 1) + [(0, None)],
        method="highs",
    )
    return float(solved.x[-1])  # type: ignore[index]


def polynomial_errors() -> pd.DataFrame:
    """Tabulate the errors of the best polynomials for D(u) (thesis of 2017, Figure 8 c).

    Returns columns experiment ("rho_0.3" to "rho_0.9"), method ("degree_1" to "degree_10") and
    error, the largest over u.
    """
    u = chebyshev_points(201)
    levels = {rho: distribution(u, rho) for rho in (0.3, 0.5, 0.7, 0.9)}
    rows = [
        (f"rho_{rho}", f"degree_{degree}", best_polynomial_error(u, level, degree))
        for rho, level in levels.items()
        for degree in range(1, 11)
    ]
    return pd.DataFrame(rows, columns=["experiment", "method", "error"])
