"""Predicted rates in words."""

from typing import NamedTuple

import numpy as np

from accuracy_curves.answers.wording import interval_in_words, percent, span
from accuracy_curves.cautions import share
from accuracy_curves.intervals.prediction import Prediction

# The method of what the largest observed gallery shows.
OBSERVED = "observed"

VALID = (
    "The prediction (method: {method}) is valid if those who are searched later are like those of "
    "this test, and if a score does not depend on who else is enrolled."
)
LIKE_THE_ENROLLED = (
    "No search is by a stranger, so FPIR is that of strangers who are like the enrolled: for those "
    "of another population it was 10 to 170 times too high."
)


class PredictedRates(NamedTuple):
    """Both rates of a gallery at a threshold, which is infinite where none meets the target.

    The target is not a number where the threshold was given. FPIR is not one where it is below
    `least_fpir`, the least but 0 that can be told. At `safe_threshold` the upper end of FPIR meets
    the target, where a confidence was asked for.
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


def rates_sentence(row: PredictedRates, level: float, confidence: float | None = None) -> str:
    """Say the rates of one row of the table in a sentence."""
    enrolled, target = f"With {row.gallery_size:,} enrolled", row.target_fpir
    if np.isnan(row.fnir.value):
        return (
            f"{enrolled} an FPIR of {share(target)} is less than these scores can tell, which is "
            f"{share(row.least_fpir)}: there is no threshold for it."
        )
    if np.isinf(row.threshold.value):
        return (
            f"{enrolled} no threshold keeps FPIR at {share(target)}: it would lie beyond every "
            "score, so that everybody is missed."
        )
    set_for = "" if np.isnan(target) else f", set for an FPIR of {target:g}".replace(" 0.", " .")
    fpir, fnir = row.fpir, row.fnir
    alarms = f"{share(fpir.value)} of the searches by strangers return somebody"
    if set_for and fpir.has_interval:
        alarms += (
            f", by the best guess (with the few people of a test it may be {share(fpir.lower)} to "
            f"{share(fpir.upper)}, a {percent(level)} interval)"
        )
    else:
        alarms += interval_in_words(fpir, level)
    if np.isnan(fpir.value):
        alarms = "how many strangers find somebody cannot be told, as no impostor score reaches it"
    return (
        f"{enrolled}, at the threshold {cut(row.threshold.value, 4)}{set_for}: {alarms}, and "
        f"{share(fnir.value)} of the searches by enrolled people miss them"
        f"{interval_in_words(fnir, level)}.{safe_sentence(row, confidence)}"
    )


def safe_sentence(row: PredictedRates, confidence: float | None) -> str:
    """Say at which threshold a target is kept with a confidence; empty where none is."""
    if confidence is None or np.isnan(row.safe_threshold):
        return ""
    kept = f"FPIR is at most {share(row.target_fpir)} with a confidence of {percent(confidence)}"
    if np.isinf(row.safe_threshold):
        return f" There is no threshold at which {kept}."
    return (
        f" At the threshold {cut(row.safe_threshold, 4)} {kept}, and {share(row.safe_fnir)} of the "
        "searches by enrolled people miss them."
    )


def printed_rates(row: PredictedRates) -> list[str]:
    """Write a row of the printed table: gallery, threshold, FPIR, FNIR; safe threshold and FNIR."""
    kind = "observed " if row.is_observed else ""
    rates, safe = map(printed_rate, (row.fpir, row.fnir)), ["", ""]
    if not np.isnan(row.safe_threshold):
        safe = [cut(row.safe_threshold), share(row.safe_fnir)]
    return [f"{kind}{row.gallery_size:,}", cut(row.threshold.value), *rates, *safe]


def printed_rate(rate: Prediction) -> str:
    """Write a rate with its interval, for a table."""
    if np.isnan(rate.value):
        return "cannot be told"
    return share(rate.value) + (f" ({span(rate.lower, rate.upper)})" if rate.has_interval else "")
