"""What makes rates doubtful: in the scores, in the fit, or in the question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accuracy_curves.cautions import caution
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.wrong_names import WrongNames
from accuracy_curves.identification.observed_rates import alarm_errors
from accuracy_curves.intervals.cautions import caution_of_distance, caution_of_names
from accuracy_curves.observed.cautions import CHANCE, cautions_of_sample
from accuracy_curves.observed.score_cautions import some_rows
from accuracy_curves.scores.same_photos import SAME
from accuracy_curves.scores.searches import Searches
from accuracy_curves.utils.arrays import Float64Array

if TYPE_CHECKING:
    from accuracy_curves.identification.identification import Identification

# Of the best scores of a search that were normalised by them: how many at least, their mean and
# standard deviation, and how much less than by chance the means of searches differ.
FEWEST, NEAR_0, NEAR_1, LESS_THAN_CHANCE = 10, 0.1, (0.5, 1.2), 0.5
# Standard errors by which a fitted rate may miss the observed one; at this target at least.
MISFIT, USUAL_FPIR = 2.5, 0.1
# The chance that the most that a rate can be is less than it is.
CONFIDENT = 0.05


def cautions_of_rates(
    fit: Identification, k: int, fpir: Float64Array, named: WrongNames | None
) -> list[AccuracyWarning]:
    """Say what in the scores, the fit or the question makes rates in galleries of up to k doubtful.

    `named` is what looks like a wrong name.
    """
    if fit.searches.are_trials:
        (least,) = fit.model.least_fpir(np.array([k]))
        values: dict[str, Any] = {"impostors": len(fit.searches.non_mated), "least": f"{least:.2g}"}
        return [*_wrong_direction(fit.searches), caution("trials", k=k, **values)]
    found = cautions_of_sample(fit.searches)
    if depend_on_gallery(fit.searches):
        found.append(caution("normalised"))
    if named:
        found.append(caution_of_names(named, "check them first: here they are false positives"))
    if fit.missing:
        found.append(caution("no_interval", method=fit.method, why=fit.missing))
    found += [*_misfits(fit, fpir), *_without_threshold(fit, k, fpir)]
    rows, n = fit.searches.impostor.shape
    if fit.searches.levels is not None and k > n:
        highest = float(fit.searches.as_given(fit.searches.impostor.max()))
        # Of none in so many searches (Clopper and Pearson); where searches differ it is less.
        most = 1 - CONFIDENT ** (k / n / rows)
        values = {"levels": len(fit.searches.levels), "highest": f"{highest:.5g}"}
        found.append(caution("few_levels", k=k, most=most, **values))
    reach, k1 = fit.model.reach, fit.searches.n_classes
    if k > reach * k1:
        found.append(caution_of_distance(f"{k:,} people", reach, k1, fit.method))
    return found


def _misfits(fit: Identification, fpir: Float64Array) -> list[AccuracyWarning]:
    """Compare fitted and observed FPIR in the largest gallery that was seen."""
    size, rates = fit.sample.impostor.shape[1], np.union1d(fpir, USUAL_FPIR)
    k, searches = np.full(len(rates), size), fit.searches
    at = searches.oriented(searches.as_threshold(fit.model.threshold(k, rates)))
    if searches.levels is not None:
        # Each has a rate of its own, and what accepts nobody has none.
        at = at[at < np.inf]
        rates = fit.model.fpir(k[: len(at)], at)
    if not len(at):
        return []
    seen, errors = alarm_errors(fit.sample, at, rates)
    off = np.abs(seen - rates) / errors
    worst = int(np.argmax(off))
    if off[worst] <= MISFIT:
        return []
    values = {"target": rates[worst], "seen": seen[worst], "errors": f"{off[worst]:.1f}"}
    return [caution("fpir_misfit", k=size, **values)]


def _without_threshold(fit: Identification, k: int, fpir: Float64Array) -> list[AccuracyWarning]:
    """Say which target is met by no score in a gallery of k, and which rate one meets."""
    none = np.isinf(fit.model.threshold(np.full(len(fpir), k), fpir))
    if not none.any():
        return []
    (least,) = fit.model.fpir(np.array([k]), np.array([fit.model.largest]))
    at = float(fit.searches.as_given(fit.model.largest))
    values = {"target": fpir[none].max(), "least": least, "at": f"{at:.5g}"}
    return [caution("no_threshold", k=k, **values)]


def _wrong_direction(trials: Searches) -> list[AccuracyWarning]:
    """Compare genuine with impostor scores: fewer than half of the pairs are in order."""
    genuine, impostor = trials.genuine, np.sort(trials.impostor[:, 0])
    places = [np.searchsorted(impostor, genuine, side) for side in ("left", "right")]
    seen = float(np.mean(places)) / len(impostor)
    # Of uniform shares, as many as there are of the fewer.
    error = np.sqrt(1 / 12 / min(len(genuine), len(impostor)))
    if seen >= 0.5 - CHANCE * error:
        return []
    direction = "similarities" if trials.higher_is_better else "distances"
    return [caution("wrong_direction", accuracy=seen, direction=direction)]


def depend_on_gallery(searches: Searches) -> bool:
    """Whether the scores of each search look normalised by its best scores, or by all.

    The best n then have the mean 0 and about the standard deviation 1, for some n, and their means
    differ by less than chance allows; or all searches have one best score.
    """
    if searches.sum_of_probabilities is not None or searches.n_classes <= FEWEST:
        return False
    scores = some_rows(searches).astype(np.float64)
    best = -np.sort(-scores if searches.higher_is_better else scores, axis=1)
    best *= 1 if searches.higher_is_better else -1
    if len(best) < FEWEST:
        return False
    n = np.arange(1, best.shape[1] + 1)
    means = np.cumsum(best, axis=1) / n
    at = FEWEST - 1 + int(np.abs(means.mean(axis=0)[FEWEST - 1 :]).argmin())
    mean, sd = float(means[:, at].mean()), float(best[:, : at + 1].std(axis=1).mean())
    centred = abs(mean) < NEAR_0 and NEAR_1[0] < sd < NEAR_1[1]
    equal_means = centred and bool(means[:, at].std() * np.sqrt(n[at]) < LESS_THAN_CHANCE * sd)
    return equal_means or bool(best[0, 0] and np.ptp(best[:, 0]) <= SAME * np.ptp(best))
