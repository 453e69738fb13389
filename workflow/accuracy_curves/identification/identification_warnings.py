"""What makes open-set rates doubtful: searches that differ, and galleries too large."""

import numpy as np

from accuracy_curves.checks import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.identification.methods import FittedRates
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import IntArray

QUANTILE = 0.9
LARGEST_SPREAD = 1.5


def quantile_spread(searches: Searches) -> float:
    """Measure how far the upper quantiles of single searches' impostor scores lie apart.

    With q_x the 90 % quantile and m_x the median of the impostor scores of search x, it is the
    range of the middle 90 % of the q_x, in units of the median of q_x - m_x. It is about 0.4 where
    200 normal scores of each search have one distribution, and 0.7 where 50 do; infinite where most
    searches' upper scores are all equal.
    """
    upper = np.quantile(searches.impostor, QUANTILE, axis=1)
    middle = np.quantile(searches.impostor, 0.5, axis=1)
    low, high = np.quantile(upper, [0.05, 0.95])
    unit = float(np.median(upper - middle))
    if unit == 0:
        return float("inf") if high > low else 0.0
    return float((high - low) / unit)


def warn_of_comparability(searches: Searches) -> list[AccuracyWarning]:
    """Say where scores of different searches are not comparable: one warning, or none."""
    spread = quantile_spread(searches)
    if spread <= LARGEST_SPREAD:
        return []
    return [caution("not_comparable", spread=f"{spread:.1f}")]


def warn_of_trials(searches: Searches, k: IntArray) -> AccuracyWarning:
    """Say what a list of verification trials cannot tell."""
    n, largest = len(searches.non_mated), int(k.max(initial=1))
    least = -np.expm1(largest * np.log1p(-1 / n))
    values = {"impostors": f"{n:,}", "least": f"{least:.2g}", "k": f"{largest:,}"}
    return caution("trials", **values)


def warn_of_reach(fitted: FittedRates, n_classes: int, k: IntArray) -> list[AccuracyWarning]:
    """Say where a gallery is larger than the coverage of the intervals was measured for."""
    far = int(k.max(initial=0))
    if far <= fitted.reach * n_classes:
        return []
    values = {"k": f"{far:,} people", "times": f"{fitted.reach:,}", "k1": f"{n_classes:,}"}
    return [caution("too_far", **values, method="the method")]
