"""Numerics: linear algebra in one thread, principal components, minima, least squares."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import numpy as np
import scipy

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, Float64Array
from accuracy_curves.utils.extras import needed_by


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep BLAS and LAPACK to one thread; sums over threads round differently."""
    with _threads().limit(limits=1):
        yield


@lru_cache
def _threads() -> Any:
    """Find the libraries' thread pools, once; looking for them takes milliseconds."""
    # Both load only when needed; only the libraries of what is loaded are found.
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def principal_components(
    embeddings: AnyArray, n_components: int, fitted_on: AnyArray | None = None
) -> Float64Array:
    """Reduce embeddings, (M, d), to their first principal components, not whitened.

    They are fitted on `fitted_on`, (n, d), or on the embeddings themselves. Their signs are
    arbitrary; distances do not depend on them. `InputError` if there are not that many.
    """
    with needed_by("pca", "images"):
        from sklearn.decomposition import PCA
    with one_thread():
        sample = np.asarray(embeddings if fitted_on is None else fitted_on, dtype=np.float64)
        if n_components > min(sample.shape):
            raise InputError(
                f"pca is {n_components}, but {sample.shape[0]} embeddings of {sample.shape[1]} "
                f"components give at most {min(sample.shape)}"
            )
        # The eigenvectors of the covariance of many embeddings cost far less memory and time.
        solver = "covariance_eigh" if sample.shape[0] >= sample.shape[1] else "full"
        fitted = PCA(n_components, svd_solver=solver).fit(sample)
        reduced: Float64Array = fitted.transform(np.asarray(embeddings, dtype=np.float64))
    return reduced


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
