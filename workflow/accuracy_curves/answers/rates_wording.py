"""Predicted rates in words; a row is one of the table of `RatesAnswer`."""

from typing import Any

import numpy as np

from accuracy_curves.answers.wording import in_cell, interval_in_words, percent
from accuracy_curves.cautions import share

VALID = (
    "The prediction (method: {method}) is valid if people who are searched later are like those of "
    "this test, and if a score does not depend on who else is enrolled"
)
LIKE_THE_ENROLLED = (
    "no search is by a stranger, so FPIR is that of strangers who are like the enrolled: for those "
    "of another population it was 10 to 170 times too high"
)


def cut(threshold: float, digits: int = 5) -> str:
    """Write a threshold; a probability near 1 by what is left."""
    if np.isinf(threshold):
        return "none"
    written = f"{threshold:.{digits}g}"
    return f"1 - {1 - threshold:.2g}" if written == "1" and threshold < 1 else written


def rates_sentences(row: Any, seen: Any, level: float) -> list[str]:
    """Say the rates of one row of the table, and what was seen at its threshold."""
    enrolled, target = f"With {row.gallery_size:,} enrolled", row.target_fpir
    if np.isnan(row.fnir):
        return [
            f"{enrolled} an FPIR of {share(target)} is less than these scores can show, which is "
            f"{share(row.least_fpir)}: there is no threshold for it."
        ]
    if np.isinf(row.threshold):
        return [
            f"{enrolled} no threshold keeps FPIR at {share(target)}: it would lie beyond every "
            "score, so that everybody is missed."
        ]
    at = f"{enrolled}, at the threshold {cut(row.threshold, 4)}"
    tested = f"with {seen.gallery_size:,}, as tested,"
    missed = f"is expected{interval_in_words(row.fnir_lower, row.fnir_upper, level)}"
    missed = f"an FNIR of {share(row.fnir)} {missed}; {tested} {share(seen.fnir)}."
    if not np.isnan(target):
        # Of few levels none may have the target itself.
        there = share(row.fpir)
        there = "" if there == share(target) else f" ({there} at this level)"
        return [f"{at} for an FPIR of {share(target)}{there}, {missed}"]
    if np.isnan(row.fpir):
        none = "FPIR cannot be said, as no impostor score reaches it"
        return [f"{at}, {missed} There {none}."]
    alarms = interval_in_words(row.fpir_lower, row.fpir_upper, level)
    return [
        f"{at}, an FPIR of {share(row.fpir)}{alarms} is expected; {tested} {share(seen.fpir)}.",
        f"There {missed}",
    ]


def safe_sentence(row: Any, confidence: float) -> list[str]:
    """Say at which threshold a target is kept with a confidence; nothing where there is none."""
    if np.isnan(row.safe_threshold):
        return []
    kept = f"FPIR is at most {share(row.target_fpir)} with a confidence of {percent(confidence)}"
    if np.isinf(row.safe_threshold):
        return [f"There is no threshold at which {kept}."]
    at = f"At the threshold {cut(row.safe_threshold, 4)} {kept}"
    return [f"{at}, and an FNIR of {share(row.safe_fnir)} is expected."]


def printed_rates(row: Any) -> list[str]:
    """Write a row of the printed table: gallery, threshold, FPIR, FNIR; safe threshold and FNIR."""
    kind, safe = ", as tested" if row.method == "observed" else "", ["", ""]
    if not np.isnan(row.safe_threshold):
        safe = [cut(row.safe_threshold), share(row.safe_fnir)]
    rates = (
        printed_rate(row.fpir, row.fpir_lower, row.fpir_upper),
        printed_rate(row.fnir, row.fnir_lower, row.fnir_upper),
    )
    return [f"{row.gallery_size:,}{kind}", cut(row.threshold), *rates, *safe]


def printed_rate(value: float, lower: float, upper: float) -> str:
    """Write a rate with its interval, for a table."""
    return "not known" if np.isnan(value) else in_cell(value, lower, upper)
