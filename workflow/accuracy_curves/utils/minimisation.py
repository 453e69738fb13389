"""Minima: of a function of one number that may have several, and of non-negative least squares."""

from collections.abc import Callable

import numpy as np
import scipy

from accuracy_curves.utils.arrays import Float64Array


def minimise_on_grid(
    cost: Callable[[float], float], grid: Float64Array, precision: float = 1e-10
) -> float:
    """Find the least cost between the ends of an ascending grid, near its best point."""
    costs = np.array([cost(float(point)) for point in grid])
    best = int(np.argmin(costs))
    ends = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])
    least = scipy.optimize.minimize_scalar(
        cost, bounds=ends, method="bounded", options={"xatol": precision}
    )
    return float(least.x) if least.fun < costs[best] else float(grid[best])


# Directions with singular values below this share of the largest are rounding errors.
NEGLIGIBLE = 1e-15
# Steps for each column, of which a solution takes far fewer.
MOST_STEPS = 30


def spanning_directions(columns: Float64Array) -> Float64Array:
    """Find orthonormal directions, (n, r), that span columns, (n, m), to rounding errors of each.

    As ||A b - y||^2 = ||Q'A b - Q'y||^2 + constant where Q Q'A = A, a least squares problem whose
    columns are spanned by few directions can be solved in those. Columns of zeros do not count.
    """
    norms = np.linalg.norm(columns, axis=0)
    scaled = columns / np.where(norms > 0, norms, 1.0)
    left, size, _ = np.linalg.svd(scaled, full_matrices=False)
    return np.ascontiguousarray(left[:, size > NEGLIGIBLE * size[0]])


def nonnegative_least_squares(design: Float64Array, target: Float64Array) -> Float64Array:
    """Minimise ||design @ b - target|| over b >= 0, (m,); that of a column of zeros is 0.

    Lawson and Hanson's (1974) active sets, with columns of length 1.
    """
    norms = np.linalg.norm(design, axis=0)
    norms[norms == 0] = 1.0
    solution, _ = scipy.optimize.nnls(design / norms, target, maxiter=MOST_STEPS * len(norms))
    return np.asarray(solution / norms)
