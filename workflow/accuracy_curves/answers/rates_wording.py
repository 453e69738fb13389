"""Predicted rates in words."""

from typing import NamedTuple

import numpy as np

from accuracy_curves.answers.wording import in_cell, interval_in_words, percent
from accuracy_curves.cautions import share
from accuracy_curves.intervals.prediction import Prediction

# The method of what the largest observed gallery shows.
OBSERVED = "observed"

VALID = (
    "The prediction (method: {method}) is valid if those who are searched later are like those of "
    "this test, and if a score does not depend on who else is enrolled"
)
LIKE_THE_ENROLLED = (
    "no search is by a stranger, so FPIR is that of strangers who are like the enrolled: for those "
    "of another population it was 10 to 170 times too high"
)


class PredictedRates(NamedTuple):
    """Both rates of a gallery at a threshold, which is infinite where none meets the target.

    The target is not a number where the threshold is the question's. FPIR is not one where it is
    below `least_fpir`, the least but 0 that the scores show. At `safe_threshold` the upper end of
    FPIR meets the target, where the question has a confidence.
    """

    method: str
    gallery_size: int
    target_fpir: float
    threshold: Prediction
    fpir: Prediction
    fnir: Prediction
    least_fpir: float
    too_far: bool
    rank: int
    safe_threshold: float = np.nan
    safe_fnir: float = np.nan

    @property
    def is_observed(self) -> bool:
        """Whether it was seen, and not predicted."""
        return self.method == OBSERVED


def cut(threshold: float, digits: int = 5) -> str:
    """Write a threshold; a probability near 1 by what is left."""
    if np.isinf(threshold):
        return "none"
    written = f"{threshold:.{digits}g}"
    return f"1 - {1 - threshold:.2g}" if written == "1" and threshold < 1 else written


def rates_sentences(
    row: PredictedRates, seen: PredictedRates, level: float, confidence: float | None = None
) -> list[str]:
    """Say the rates of one row of the table, and what was seen at its threshold."""
    enrolled, target = f"With {row.gallery_size:,} enrolled", row.target_fpir
    if np.isnan(row.fnir.value):
        return [
            f"{enrolled} an FPIR of {share(target)} is less than these scores can show, which is "
            f"{share(row.least_fpir)}: there is no threshold for it."
        ]
    if np.isinf(row.threshold.value):
        return [
            f"{enrolled} no threshold keeps FPIR at {share(target)}: it would lie beyond every "
            "score, so that everybody is missed."
        ]
    at = f"{enrolled}, at the threshold {cut(row.threshold.value, 4)}"
    fnir = f"an FNIR of {share(row.fnir.value)}"
    missed = f"is expected{interval_in_words(row.fnir, level)}"
    tested = f"with {seen.gallery_size:,}, as tested, {share(seen.fnir.value)}"
    if not np.isnan(target):
        said = f"{at} for an FPIR of {share(target)}, {fnir} {missed}; {tested}."
        return [said, *safe_sentence(row, confidence)]
    if np.isnan(row.fpir.value):
        none = "FPIR cannot be said, as no impostor score reaches it"
        return [f"{at}, {fnir} {missed}; {tested}. There {none}."]
    alarms = f"an FPIR of {share(row.fpir.value)}{interval_in_words(row.fpir, level)}"
    return [
        f"{at}, {alarms} is expected; with {seen.gallery_size:,}, as tested, "
        f"{share(seen.fpir.value)}.",
        f"There {fnir} {missed}; {tested}.",
    ]


def safe_sentence(row: PredictedRates, confidence: float | None) -> list[str]:
    """Say at which threshold a target is kept with a confidence; nothing where none is."""
    if confidence is None or np.isnan(row.safe_threshold):
        return []
    kept = f"FPIR is at most {share(row.target_fpir)} with a confidence of {percent(confidence)}"
    if np.isinf(row.safe_threshold):
        return [f"There is no threshold at which {kept}."]
    at = f"At the threshold {cut(row.safe_threshold, 4)} {kept}"
    return [f"{at}, and an FNIR of {share(row.safe_fnir)} is expected."]


def printed_rates(row: PredictedRates) -> list[str]:
    """Write a row of the printed table: gallery, threshold, FPIR, FNIR; safe threshold and FNIR."""
    kind = ", as tested" if row.is_observed else ""
    rates, safe = map(printed_rate, (row.fpir, row.fnir)), ["", ""]
    if not np.isnan(row.safe_threshold):
        safe = [cut(row.safe_threshold), share(row.safe_fnir)]
    return [f"{row.gallery_size:,}{kind}", cut(row.threshold.value), *rates, *safe]


def printed_rate(rate: Prediction) -> str:
    """Write a rate with its interval, for a table."""
    return "not known" if np.isnan(rate.value) else in_cell(rate)
