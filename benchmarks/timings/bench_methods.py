"""Timings of the average accuracy and the least squares fits, each beside its other side."""

from collections.abc import Callable
from functools import partial

import numpy as np

from accuracy_curves.extrapolators.radial_nnls import BANDWIDTHS, _design
from accuracy_curves.extrapolators.regression import Regression, radial_knots, radial_moments
from accuracy_curves.extrapolators.spline import (
    Spline,
    compressed_design,
    spline_gaps,
    spline_moments,
)
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.numerics import nonnegative_least_squares
from benching import Row, peak_bytes, simulated

MEMORY_TARGET = 1.5  # score matrices, at most


def average_accuracy_of_notebook(matrix: ScoreMatrix) -> np.ndarray:
    """Sum logarithms of an (N, K) array, as the released notebook does."""
    k = matrix.n_classes
    own = matrix.scores[np.arange(matrix.n_points), matrix.labels][:, None]
    rank = np.sum(own < matrix.scores, axis=1, keepdims=True)
    above = np.log(np.maximum(rank + 1 - np.arange(1, k), 1e-16))
    below = np.log(k - np.arange(1, k))
    return np.exp(np.cumsum(above - below, axis=1)).mean(axis=0)


def ranks_forgotten(sample: ScoreMatrix) -> ScoreMatrix:
    """Let a sample count its ranks again, as it does once only."""
    vars(sample).pop("_counts", None)
    return sample


def average_accuracy_rows() -> list[Row]:
    """Average accuracies of all k: ours, and the notebook's."""
    large, every_k = simulated(2000, 20_000), np.arange(2, 2001)
    sides = {
        "ours": lambda: average_accuracy(ranks_forgotten(large), every_k),
        "notebook's": lambda: average_accuracy_of_notebook(large),
    }
    what = "average accuracy, k = 2..2000, N = 20000"
    return [Row(what, sides, target=12)]


def average_accuracy_memory() -> dict[str, float]:
    """Peak memory of both, as multiples of the score matrix, which counts."""
    (row,) = average_accuracy_rows()
    size = simulated(2000, 20_000).scores.nbytes
    return {name: 1 + peak_bytes(side) / size for name, side in row.sides.items()}


def nnls_rows() -> list[Row]:
    """Fit curves to the accuracies of k = 2..500: ours, and R's nnls given the whole matrix.

    Ours has factored the matrix before, as it does once for all repetitions; the row "first" has
    not. Empty where R has no package nnls.
    """
    from rpy2 import robjects

    if not robjects.r('nzchar(system.file(package = "nnls"))')[0]:
        return []
    k, accuracy = Regression().observed(simulated(500, 5000))
    # Those of fewer classes stand for the accuracies of half of the classes.
    halves = [(h, np.append(1.0, accuracy[:249])) for h in BANDWIDTHS for _ in range(20)]
    moments = {h: _design(500, h, 250) for h in BANDWIDTHS}
    radial = radial_moments(radial_knots(500, 0.4), 0.4, k)
    splines = {m: spline_moments(spline_gaps(m, "linear"), k) for m in (100, 1000, 10_000)}

    def of_r(problems: list[tuple[np.ndarray, np.ndarray]]) -> Callable[[], object]:
        solve = robjects.r("function(ps) for (p in ps) nnls::nnls(p[[1]], p[[2]])")
        matrix, vector, whole = robjects.r.matrix, robjects.FloatVector, robjects.r("list")
        given = [whole(matrix(vector(a.ravel("F")), nrow=len(a)), vector(b)) for a, b in problems]
        everything = whole(*given)
        return lambda: solve(everything)

    def chosen() -> None:
        for h, target in halves:
            nonnegative_least_squares(moments[h], target)

    def fitted(knots: int, *, first: bool = False) -> Callable[[], object]:
        def fit() -> None:
            if first:
                compressed_design.cache_clear()
            Spline(knots=knots)._fit_curve(k, accuracy)

        return fit

    one = of_r([(radial, accuracy)])
    many = of_r([(moments[h], target) for h, target in halves])
    r_splines = {m: of_r([(design, 1 - accuracy)]) for m, design in splines.items()}
    regression = partial(Regression()._fit_curve, k, accuracy)
    sides = {
        "regression (R: nnls, another problem)": (regression, one),
        "radial_nnls, 200 fits of cv": (chosen, many),
        **{f"spline, m = {m}": (fitted(m), r_splines[m]) for m in r_splines},
        "spline, m = 10000, first": (fitted(10_000, first=True), r_splines[10_000]),
    }
    return [
        Row(what, {"ours": ours, "R's nnls": other}, target=1)
        for what, (ours, other) in sides.items()
    ]
