"""Spline: the distribution of the favorabilities as a convex spline, by its moments."""

from functools import lru_cache
from typing import Annotated

import numpy as np

from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, IntArray, blocks
from accuracy_curves.utils.numerics import nonnegative_least_squares, spanning_directions
from accuracy_curves.utils.validation import Choice, Whole

# Below this product of k and 1 - t the two terms of the moment cancel, and its series is used.
SERIES_BELOW = 0.25
SERIES_TERMS = 14


def spline_gaps(m: int, spacing: str) -> Float64Array:
    """Place the m knots of a linear spline basis, each given by its distance from 1, descending.

    Linear spacing is t_l = l / (m + 1), quadratic spacing t_l = 1 - ((m + 1 - l) / (m + 1))^2, for
    l = 1..m, denser near 1 (Zheng et al. 2017, Section 6, where the quadratic formula is printed
    with the 1 inside the square, which would make it dense near 0). A knot near 1 would lose its
    digits as t_l, and has them as 1 - t_l.
    """
    gaps: Float64Array = np.arange(m, 0, -1) / (m + 1.0)
    return gaps if spacing == "linear" else gaps**2


def spline_moments(gaps: ArrayLike, k: ArrayLike) -> Float64Array:
    """Compute the moments of linear splines, (k - 1) * integral_0^1 [u - t]+ u^(k - 2) du, (n, m).

    If D(u) = sum_l beta_l [u - t_l]+ is the distribution function of the favorability, the expected
    accuracy at k classes is 1 - sum_l beta_l H_l(k) (Zheng et al. 2017, Eq. 13-16) with

        H(k) = (1 - t) - (1 - t^k) / k

    from `gaps`, 1 - t in [0, 1]. Where k (1 - t) is small the two terms cancel, and their binomial
    series is summed instead: the relative error of every moment is below 1e-14.
    """
    gap = np.atleast_1d(np.asarray(gaps, dtype=np.float64))
    classes = np.atleast_1d(np.asarray(k)).astype(np.float64)[:, None]
    with np.errstate(divide="ignore"):
        moments: Float64Array = gap + np.expm1(classes * np.log1p(-gap)) / classes
    row, column = np.nonzero(classes * gap < SERIES_BELOW)
    few, near = classes[row, 0], gap[column]
    # (1 - g)^k - 1 + k g = sum_{j >= 2} binom(k, j) (-g)^j, over k.
    term = (few - 1.0) / 2.0 * near**2
    total = term.copy()
    for j in range(3, SERIES_TERMS):
        term = term * (-near * (few - j + 1.0) / j)
        total += term
    moments[row, column] = total
    return moments


# Columns that span the others: enough of them, from the sharpest to the flattest.
SPANNING = 300
BLOCK_ELEMENTS = 2_000_000


class Spline(CurveExtrapolator):
    """Moment method with non-negative linear splines (Zheng, Achanta and Benjamini 2017).

    The distribution function of the favorability is modelled as
    D(u) = sum_l beta_l [u - t_l]+ with beta_l >= 0, which makes it monotone and convex, and

        E_k[A] = 1 - (k - 1) * integral_0^1 D(u) u^(k - 2) du = 1 - sum_l beta_l H_l(k)

    (Eq. 5 and 12-17), with the moments H_l(k) in closed form. The beta_l minimise the squared
    errors of the average accuracies at k = 2..k1. As in the paper nothing makes D(1) = 1: a
    prediction that falls below 0 is cut to 0.

    Parameters
    ----------
    knots : int
        Number m of knots t_l. The papers' names lin2, lin3 and lin4 mean m = 100, 1000 and 10000.
    spacing : {"linear", "quadratic"}
        Spacing of the knots; quadratic is denser near 1 (lin2q, lin3q, lin4q).
    seed : int
        Seed of the tie-breaking; at least 0.

    Attributes
    ----------
    gaps_ : (n,) array of float
        1 - t_l of the knots with a positive coefficient, descending.
    coefficients_ : (n,) array of float
        Their beta_l.
    """

    name = "spline"
    label = "spline (NNLS)"
    color = "#117733"

    knots: Annotated[int, Whole(1, 10**5)] = 10_000
    spacing: Annotated[str, Choice("linear", "quadratic")] = "linear"

    def _fit_curve(self, k: IntArray, accuracy: Float64Array) -> None:
        directions, design = compressed_design(k.tobytes(), self.knots, self.spacing)
        target = directions.T @ (1.0 - accuracy)
        coefficients = nonnegative_least_squares(design, target)
        used = coefficients > 0
        self.gaps_ = spline_gaps(self.knots, self.spacing)[used]
        self.coefficients_ = coefficients[used]

    def _predict(self, k: IntArray) -> Float64Array:
        risk = (spline_moments(self.gaps_, k) * self.coefficients_).sum(axis=1)
        return np.asarray(np.maximum(1.0 - risk, 0.0))


@lru_cache(maxsize=8)
def compressed_design(of: bytes, m: int, spacing: str) -> tuple[Float64Array, Float64Array]:
    """Factor the moments H of m splines at some k, (n,), as directions @ design.

    The moments are smooth in k, so that about 40 directions, orthonormal columns, span all of them
    to rounding errors, whatever m. As ||H b - y||^2 = ||design b - directions' y||^2 + constant,
    both problems have the same solutions, and the second is n / 40 times smaller.
    """
    k = np.frombuffer(of, np.int64)
    gaps = spline_gaps(m, spacing)
    wanted = np.geomspace(gaps[0], gaps[-1], SPANNING)
    even = np.linspace(0, m - 1, SPANNING).astype(int)
    spanning = np.union1d(even, np.searchsorted(-gaps, -wanted).clip(0, m - 1))
    directions = spanning_directions(spline_moments(gaps[spanning], k))
    design = np.empty((directions.shape[1], m))
    for block in blocks(m, len(k), BLOCK_ELEMENTS):
        design[:, block] = directions.T @ spline_moments(gaps[block], k)
    directions.flags.writeable = design.flags.writeable = False
    return directions, design
