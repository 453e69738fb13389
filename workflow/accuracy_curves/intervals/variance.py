"""The variance of a prediction, from fits to halves of the classes, for accuracies and rates.

Classes are sampled without replacement: a bootstrap has a class twice, whose incorrect scores
then tie with its correct ones. On the scale theta = log(A / (1 - A)) let theta_A and theta_B come
from the two halves of one split. Then the mean over the splits of (theta_A - theta_B)^2 / 4 shows
the variance at k1 classes. It is V_1 + 2 V_2 + 4 V_3 + ... in expectation, with V_m the part due to
m classes jointly (Efron and Stein 1981), and so no less than the V_1 + V_2 + V_3 + ... that counts.

It has few degrees of freedom: where errors come from few classes it is half as large in one draw
and twice as large in the next. So it is moderated, as is done where many small variances are
estimated (Smyth 2004, Section 4): see `moderated`.
"""

from collections.abc import Sequence

import numpy as np
import scipy

from accuracy_curves.utils.arrays import Float64Array

# c and g of `expected_variance`, d_0 and d of `moderated`: from random populations
# (docs/guide/intervals.md).
DRAW_VARIANCE, CURVE_VARIANCE, PRIOR_DEGREES, HALVES_DEGREES = 0.4, 0.004, 6, 3
DEGREES = PRIOR_DEGREES + HALVES_DEGREES


def half_variance(thetas: Sequence[Float64Array]) -> Float64Array:
    """Average (theta_A - theta_B)^2 / 4, (n,), over the splits.

    From the theta, (n,), of a split's two halves, then of the next's.
    """
    return np.square(np.array(thetas[0::2]) - np.array(thetas[1::2])).mean(axis=0) / 4


def moderated(of_halves: Float64Array, expected: Float64Array) -> Float64Array:
    """Moderate the variance s^2 of the halves by the expected one, (n,).

        V = (d_0 s_0^2 + d s^2) / (d_0 + d)

    Intervals take Student's t with d_0 + d degrees of freedom.
    """
    return (PRIOR_DEGREES * expected + HALVES_DEGREES * of_halves) / DEGREES


def quantile(level: float) -> float:
    """Half width of the interval at this nominal coverage, in standard errors."""
    return float(scipy.special.stdtrit(DEGREES, (1 + level) / 2))


def expected_variance(erring: float, accuracy: float, doublings: Float64Array) -> Float64Array:
    """Expect the variance of the log odds of a predicted accuracy, (n,).

        s_0^2 = c / ((m + 1/5) A) + g D,    D = log2(k / k1)

    m is the number of classes that errors come from or go to, whichever is less
    (`observed.accuracy.effective_classes` and `attracting_classes`). A is the accuracy observed at
    k1, and D the `doublings`, at least 0. Were m classes equal and the others without error, the
    variance of the observed log odds would be 1 / (m A^2). The rest is from the errors of
    predictions at 1 to 10 k1: g is the curve's own, which many classes do not lessen.
    """
    return DRAW_VARIANCE / ((erring + 0.2) * accuracy) + CURVE_VARIANCE * doublings
