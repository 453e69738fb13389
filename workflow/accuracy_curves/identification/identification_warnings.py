"""What makes open-set rates doubtful: scores that differ, galleries too large, fits that miss."""

import numpy as np

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.identification.methods import FittedRates
from accuracy_curves.identification.observed_rates import (
    observed_fnir,
    observed_fpir,
    observed_threshold,
)
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import IntArray

QUANTILE = 0.9
LARGEST_SPREAD = 1.5
# Where the fit is compared with what is seen: at these FPIR, as far as so many searches show them.
CHECKED = np.array([0.5, 0.3, 0.1, 0.03])
FEWEST_SEEN = 5
# A fit misses what was observed by more standard errors than this, and by enough to matter.
MISFIT_ERRORS = 3.0
LEAST_MISFIT = 0.02


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
    sentence = (
        "the impostor scores of different searches are hardly comparable: some searches have much "
        f"higher ones than others (a spread of {spread:.1f}, where 0.4 to 0.7 is chance). With one "
        "threshold for all, most false positives come from a few searches; scores normalised for "
        "each search would do better"
    )
    return [AccuracyWarning(sentence, "not_comparable")]


def warn_of_trials(searches: Searches, k: IntArray) -> AccuracyWarning:
    """Say what a list of verification trials cannot tell."""
    n, largest = len(searches.non_mated), int(k.max(initial=1))
    sentence = (
        "a list of trials allows only the formula for searches that are all alike, without "
        "intervals. Searches differ, so that false positives are mostly predicted too often in "
        f"large galleries. {n:,} impostor scores tell nothing of an FPIR below "
        f"{-np.expm1(largest * np.log1p(-1 / n)):.2g} in a gallery of {largest:,}. Scores of every "
        "search for every identity tell more"
    )
    return AccuracyWarning(sentence, "trials")


def warn_of_reach(fitted: FittedRates, n_classes: int, k: IntArray) -> list[AccuracyWarning]:
    """Say where a gallery is larger than the coverage of the intervals was measured for."""
    far = int(k.max()) if len(k) else 0
    if far <= fitted.reach * n_classes:
        return []
    sentence = (
        f"a gallery of {far:,} is beyond the range in which the intervals were validated: up to "
        f"{fitted.reach:,} times the number of enrolled identities, here "
        f"{fitted.reach * n_classes:,}. They may be too narrow; enrol more people in the test"
    )
    return [AccuracyWarning(sentence, "too_far")]


def warn_of_misfit(fitted: FittedRates, searches: Searches, seed: int) -> list[AccuracyWarning]:
    """Say where the fitted rates miss those observed in the largest gallery: a warning each."""
    rows, largest = len(searches.impostor), searches.impostor.shape[1]
    at = observed_threshold(searches, CHECKED[CHECKED * rows >= FEWEST_SEEN])
    k = np.full(len(at), largest)
    n = min(searches.n_classes, rows)
    found = []
    for name, seen, fit in (
        ("FPIR", observed_fpir(searches, k, at), fitted.fpir(k, at)),
        ("FNIR", observed_fnir(searches, k, at, seed=seed), fitted.fnir(k, at, 1)),
    ):
        error = np.sqrt(np.maximum(seen * (1 - seen), 1 / n) / n)
        missed = np.abs(fit - seen)
        far = (missed > MISFIT_ERRORS * error) & (missed > LEAST_MISFIT)
        if far.any():
            worst = int(np.argmax(missed * far))
            sentence = (
                f"the method misses what is observed: at the threshold "
                f"{float(searches.as_given(at[worst])):.4g} its {name} in a gallery of {largest:,} "
                f"is {fit[worst]:.3f}, and {seen[worst]:.3f} was seen. Try another method"
            )
            found.append(AccuracyWarning(sentence, "misfit"))
    return found
