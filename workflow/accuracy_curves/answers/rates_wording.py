"""Predicted rates in words.

The sentences with places in braces are filled here, and in the page by `explore.js`: alike.
"""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from accuracy_curves.answers.wording import percent, span
from accuracy_curves.cautions import share

SENTENCES = {
    "rates": "With {k} enrolled, at the threshold {threshold}{set_for}: {fpir} of the searches by "
    "strangers return somebody{fpir_interval}, and {fnir} of the searches by enrolled people miss "
    "them{fnir_interval}.",
    "no_rates": "With {k} enrolled no threshold keeps FPIR at {target}: it would lie beyond every "
    "score, so that everybody is missed.",
    "set_for": ", set for an FPIR of {target}",
    "rate_interval": " ({level} interval {lower} to {upper})",
}


def cut(threshold: float, digits: int = 5) -> str:
    """Write a threshold; a probability near 1 by what is left."""
    if np.isinf(threshold):
        return "none"
    written = f"{threshold:.{digits}g}"
    return f"1 - {1 - threshold:.2g}" if written == "1" and threshold < 1 else written


def rates_sentence(row: Mapping[Hashable, Any], level: float) -> str:
    """Say the rates of one row of the table in a sentence."""

    def interval(name: str) -> str:
        if np.isnan(row[f"{name}_lower"]):
            return ""
        ends = {"lower": share(row[f"{name}_lower"]), "upper": share(row[f"{name}_upper"])}
        return SENTENCES["rate_interval"].format(level=percent(level), **ends)

    target = row["target_fpir"]
    if np.isinf(row["threshold"]):
        return SENTENCES["no_rates"].format(k=f"{row['gallery_size']:,}", target=share(target))
    return SENTENCES["rates"].format(
        k=f"{row['gallery_size']:,}",
        threshold=cut(row["threshold"], 4),
        set_for=""
        if np.isnan(target)
        else SENTENCES["set_for"].format(target=f"{target:g}".removeprefix("0")),
        fpir=share(row["fpir"]),
        fpir_interval=interval("fpir"),
        fnir=share(row["fnir"]),
        fnir_interval=interval("fnir"),
    )


def printed_rates(row: Mapping[Hashable, Any]) -> list[str]:
    """Write a row of the printed table: gallery, threshold, FPIR and FNIR."""

    def rate(name: str) -> str:
        low, high = row[f"{name}_lower"], row[f"{name}_upper"]
        return share(row[name]) + ("" if np.isnan(low) else f" ({span(low, high)})")

    kind = "observed " if row["method"] == "observed" else ""
    size = f"{kind}{row['gallery_size']:,}"
    return [size, cut(row["threshold"]), rate("fpir"), rate("fnir")]
