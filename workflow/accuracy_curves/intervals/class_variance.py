"""The variance of the draw of the classes, from how much fits to halves of them differ.

Classes are drawn without replacement: a bootstrap would draw a class twice, whose incorrect scores
then tie with its correct ones. On the scale theta = log(A / (1 - A)) let theta_A and theta_B come
from the two halves of one split. The variance of the draw of classes is not that of a mean of k1
terms: pairs of classes are confused, and what is due to pairs falls with 1 / k1^2. A jackknife
counts it twice (Efron and Stein 1981). With V_m the part due to m classes jointly, averaging over
the splits,

    E[(theta_A - theta_B)^2 / 4] = V_1 + 2 V_2 + 4 V_3 + ...
    Var over splits of (theta_A + theta_B) / 2 = V_2 + 3 V_3 + ...

and the difference of the two is V_1 + V_2 + V_3 + ..., the variance at k1 classes, for every order.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import logit

from accuracy_curves.utils.arrays import Float64Array

# Log odds are cut here: beyond it an accuracy cannot be told from 0 or 1.
LEAST_ACCURACY = 1e-6


class Spread(NamedTuple):
    """How much fits to halves differ, on log odds or another scale theta; both (n,).

    `apart` is the mean over the splits of (theta_A - theta_B)^2 / 4, `joint` the variance over the
    splits of (theta_A + theta_B) / 2.
    """

    apart: Float64Array
    joint: Float64Array


def spread_of(thetas: Sequence[Float64Array]) -> Spread:
    """Find how much the theta, (n,), of a split's two halves, then of the next's, differ."""
    first, second = np.array(thetas[0::2]), np.array(thetas[1::2])
    apart = np.square(first - second).mean(axis=0) / 4
    return Spread(apart, ((first + second) / 2).var(axis=0, ddof=1))


def variance_of_draw(spread: Spread, least_share: float, ratio: float = 1.0) -> Float64Array:
    """Estimate the variance of the draw of n classes, V_1 k1 / n + V_2 (k1 / n)^2, (n,).

    From the spread of halves of k1 classes; `ratio` is k1 / n. As the difference is noisy, it is at
    least `least_share` of `Spread.apart` at k1 classes: 1/2 would be all due to pairs.
    """
    apart, joint = spread
    of_pairs = np.minimum(joint, (1 - least_share) * apart)
    found: Float64Array = (apart - 2 * of_pairs) * ratio + of_pairs * ratio**2
    return found


def log_odds(accuracy: npt.ArrayLike) -> Float64Array:
    """Scale of the intervals, log(A / (1 - A)), A cut to [10^-6, 1 - 10^-6]."""
    inside = np.clip(np.asarray(accuracy, dtype=np.float64), LEAST_ACCURACY, 1 - LEAST_ACCURACY)
    return np.asarray(logit(inside))


def angle_of(accuracy: npt.ArrayLike) -> Float64Array:
    """Scale on which the variance of a share of independent points does not depend on it."""
    return np.asarray(np.arcsin(np.sqrt(np.asarray(accuracy, dtype=np.float64))))


def accuracy_of_angle(angle: Float64Array) -> Float64Array:
    """Back from the scale of `angle_of`, cut to [0, 1]."""
    return np.asarray(np.square(np.sin(np.clip(angle, 0.0, np.pi / 2))))
