"""Non-negative least squares for nearly collinear columns, the same bits on any number of cores."""

import numpy as np
import numpy.typing as npt
import scipy
from scipy.linalg.lapack import dgelsy

from accuracy_curves.utils.arrays import Float64Array

# Directions with singular values below this share of the largest are rounding errors.
NEGLIGIBLE = 1e-15
# With more columns SciPy's algorithm takes longer than the whole search from 0.
MOST_FOR_SCIPY = 200
# A residual below this share of the target is a rounding error of the target.
EXACT = 1e-14
# A column enters if its correlation with the residual is above this.
CORRELATED = 1e-13
# A change of the active set counts if the squared residual falls by this share of it.
PROGRESS = 1e-10


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

    Lawson and Hanson's (1974) active sets. With nearly collinear columns and rounding errors the
    plain algorithm stops early or goes round in circles. Two guards keep it right: the residual is
    made orthogonal to the active columns to its own precision, so that the correlations which
    choose the next column have all their digits; and a change of the active set counts only if the
    residual gets smaller, so that no set comes back. With few columns the search starts
    from the active set at which SciPy's plain algorithm ends, most often the last one.
    """
    norms = np.linalg.norm(design, axis=0)
    norms[norms == 0] = 1.0
    scaled = design / norms
    solution = _start(scaled, target)
    residual = _residual(scaled, target, solution)
    error = float(residual @ residual)
    exact = EXACT * float(np.sqrt(target @ target))
    refused = np.zeros(len(solution), dtype=bool)
    while True:
        correlation = scaled.T @ residual
        correlation[refused | (solution > 0)] = -np.inf
        entering = int(np.argmax(correlation))
        size = float(np.sqrt(error))
        if size <= exact or correlation[entering] <= CORRELATED * size:
            return np.asarray(solution / norms)
        changed = _with_column(scaled, target, solution, entering)
        remaining = _residual(scaled, target, changed)
        smaller = float(remaining @ remaining)
        if smaller < error * (1.0 - PROGRESS):
            solution, residual, error = changed, remaining, smaller
            refused[:] = False
        else:
            refused[entering] = True


def _start(scaled: Float64Array, target: Float64Array) -> Float64Array:
    """Solve in SciPy's active set, if that is feasible; otherwise start from 0."""
    start = np.zeros(scaled.shape[1])
    if len(start) > MOST_FOR_SCIPY:
        return start
    try:
        active = np.flatnonzero(scipy.optimize.nnls(scaled, target)[0] > 0)
    except RuntimeError:  # it goes round in circles
        return start
    wanted = _least_squares(scaled[:, active], target)
    if (wanted > 0).all():
        start[active] = wanted
    return start


def _residual(scaled: Float64Array, target: Float64Array, solution: Float64Array) -> Float64Array:
    """Leave what no active column explains, orthogonal to them to its own precision."""
    active = scaled[:, solution > 0]
    residual = target - active @ solution[solution > 0]
    return residual - active @ _least_squares(active, residual)


def _least_squares(columns: Float64Array, target: Float64Array) -> Float64Array:
    """Solve by a complete orthogonal factorisation, four times as fast as singular values."""
    n, m = columns.shape
    if m == 0:
        return np.zeros(0)
    pad = np.zeros(max(n, m))
    pad[:n] = target
    negligible = np.finfo(np.float64).eps * max(n, m)
    pivots = np.zeros(m, dtype=np.int32)
    solution: Float64Array = dgelsy(columns, pad, pivots, negligible, max(n, m) + 3 * m + 1)[1]
    return solution[:m]


def _with_column(
    scaled: Float64Array, target: Float64Array, solution: Float64Array, entering: int
) -> Float64Array:
    """Let a column enter the active set, and drop the columns that this makes negative."""
    solution = solution.copy()
    active: npt.NDArray[np.int64] = np.append(np.flatnonzero(solution > 0), entering)
    while len(active):
        wanted = _least_squares(scaled[:, active], target)
        if (wanted > 0).all():
            solution[active] = wanted
            break
        here = solution[active]
        falling = wanted <= 0
        # As far as the first falling coefficient reaches 0.
        share = here[falling] / np.maximum(here[falling] - wanted[falling], np.finfo(float).tiny)
        here = here + share.min() * (wanted - here)
        here[np.flatnonzero(falling)[share == share.min()]] = 0.0
        solution[active] = np.maximum(here, 0.0)
        active = active[solution[active] > 0]
    return solution
