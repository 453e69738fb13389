"""Whether one threshold suits all searches: how far their impostor scores lie apart."""

import numpy as np

from accuracy_curves.identification.searches import Searches

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


def comparability_warnings(searches: Searches) -> list[str]:
    """Say where scores of different searches are not comparable; no sentence where they are."""
    spread = quantile_spread(searches)
    if spread <= LARGEST_SPREAD:
        return []
    return [
        f"the impostor scores of different searches are hardly comparable: their upper 10 % "
        f"quantiles lie {spread:.1f} times as far apart as a quantile lies from its median. One "
        "threshold for all makes most false positives in a few searches; scores normalised for "
        "each search would do better"
    ]
