"""The least value of a function of one number that may have several minima."""

from collections.abc import Callable

import numpy as np

from accuracy_curves.utils.arrays import Float64Array


def minimise_on_grid(
    cost: Callable[[float], float], grid: Float64Array, precision: float = 1e-10
) -> float:
    """Find the least cost between the ends of an ascending grid, near its best point."""
    from scipy.optimize import minimize_scalar

    costs = np.array([cost(float(point)) for point in grid])
    best = int(np.argmin(costs))
    ends = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])
    least = minimize_scalar(cost, bounds=ends, method="bounded", options={"xatol": precision})
    return float(least.x) if least.fun < costs[best] else float(grid[best])
