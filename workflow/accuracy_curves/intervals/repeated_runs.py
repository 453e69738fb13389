"""Intervals of predictions from a bare curve, where several runs at a size show how they vary.

On phi = arcsin sqrt A let s^2 be the variance of single runs about the mean of their size, pooled
over the sizes, with f degrees of freedom. A mean of r runs has the error e = s / sqrt r. It is
moved by e up and by e down, one size after another, and the method is fitted anew. With theta the
log odds of what it predicts at k classes,

    V = sum over the sizes of (theta_up - theta_down)^2 / 4 + g log2(k / k1),

where g is the curve's own error (`variance`). The interval takes Student's t with f degrees of
freedom. What all runs share, such as their points or their most frequent classes, is not in it.
"""

import numpy as np
from scipy.special import expit, stdtrit

from accuracy_curves.extrapolators.bare_curves import fit_again
from accuracy_curves.extrapolators.base import CurveExtrapolator
from accuracy_curves.intervals.half_fits import accuracy_of_angle, angle_of
from accuracy_curves.intervals.variance import CURVE_VARIANCE
from accuracy_curves.scores.formats.base import Curve
from accuracy_curves.utils.arrays import Float64Array, IntArray, log_odds


def interval_of_runs(
    model: CurveExtrapolator, curve: Curve, k: IntArray, top: int, level: float
) -> dict[str, Float64Array]:
    """Find lower and upper, (n,) each, of a method fitted to a curve; NaN of one run a size."""
    none = np.full(len(k), np.nan)
    if curve.runs is None or len(curve.runs.k) == len(curve.k):
        return {"lower": none, "upper": none}
    of, place, many = np.unique(curve.runs.k, return_inverse=True, return_counts=True)
    angle, freedom = angle_of(curve.runs.accuracy), len(place) - len(of)
    mean = np.bincount(place, angle) / many
    error = np.sqrt(np.square(angle - mean[place]).sum() / freedom / many)
    accuracy = model.predict(k, top)
    variance = CURVE_VARIANCE * np.log2(k / of[-1]).clip(min=0.0)
    for size, step in enumerate(error):
        thetas = []
        for sign in (-1, 1):
            moved = angle_of(curve.accuracy)
            moved[size] += sign * step
            again = fit_again(model, curve._replace(accuracy=accuracy_of_angle(moved)), top)
            thetas.append(log_odds(again.predict(k, top)))
        variance += np.square(thetas[1] - thetas[0]) / 4
    width = stdtrit(freedom, (1 + level) / 2) * np.sqrt(variance)
    theta = log_odds(accuracy)
    ends = expit(theta - width), expit(theta + width)
    return {"lower": np.minimum(ends[0], accuracy), "upper": np.maximum(ends[1], accuracy)}
