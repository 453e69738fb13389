"""Linear splines [u - t]+ on [0, 1]: their knots, and their moments as accuracy curves."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.utils.arrays import Float64Array

SPACINGS = ("linear", "quadratic")
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


def spline_moments(gaps: npt.ArrayLike, k: npt.ArrayLike) -> Float64Array:
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
