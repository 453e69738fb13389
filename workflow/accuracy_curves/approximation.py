"""How well polynomials approximate a function: the error of the best one of each degree."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.errors import FitError
from accuracy_curves.scores import Float64Array


def chebyshev_points(n: int) -> Float64Array:
    """Points of [0, 1], both ends included and denser near them, where errors are measured."""
    return np.asarray((1 - np.cos(np.pi * np.arange(n) / (n - 1))) / 2)


def best_polynomial_error(u: npt.ArrayLike, values: npt.ArrayLike, degree: int) -> float:
    """Find the smallest largest error of a polynomial of a degree, min_p max_i |p(u_i) - f(u_i)|.

    The minimum over the coefficients, in the Chebyshev basis, is a linear programme (solved by
    HiGHS). At points that are dense enough it is the l-infinity approximation error.

    Parameters
    ----------
    u : (n,) array of float
        Points in [0, 1], for instance of `chebyshev_points`.
    values : (n,) array of float
        f(u).
    degree : int
        Of the polynomials, at least 0.

    Returns
    -------
    float
        At least 0.

    Raises
    ------
    FitError
        If the programme is not solved.
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
    if not solved.success or solved.x is None:
        raise FitError(f"no best polynomial of degree {degree} was found: {solved.message}")
    return float(solved.x[-1])
