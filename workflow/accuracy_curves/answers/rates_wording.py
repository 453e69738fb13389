"""Predicted rates in words."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from accuracy_curves.answers.wording import percent, span
from accuracy_curves.cautions import share


def cut(threshold: float, digits: int = 5) -> str:
    """Write a threshold; a probability near 1 by what is left."""
    if np.isinf(threshold):
        return "none"
    written = f"{threshold:.{digits}g}"
    return f"1 - {1 - threshold:.2g}" if written == "1" and threshold < 1 else written


def rates_sentence(row: Mapping[Hashable, Any], level: float) -> str:
    """Say the rates of one row of the table in a sentence."""

    def rate(name: str) -> str:
        return share(row[name])

    def interval(name: str) -> str:
        if np.isnan(row[f"{name}_lower"]):
            return ""
        ends = f"{rate(f'{name}_lower')} to {rate(f'{name}_upper')}"
        return f" ({percent(level)} interval {ends})"

    enrolled, target = f"With {row['gallery_size']:,} enrolled", row["target_fpir"]
    if np.isinf(row["threshold"]):
        return (
            f"{enrolled} no threshold keeps FPIR at {share(target)}: it would lie beyond every "
            "score, so that everybody is missed."
        )
    set_for = "" if np.isnan(target) else f", set for an FPIR of {target:g}".replace(" 0.", " .")
    return (
        f"{enrolled}, at the threshold {cut(row['threshold'], 4)}{set_for}: {rate('fpir')} of the "
        f"searches by strangers return somebody{interval('fpir')}, and {rate('fnir')} of the "
        f"searches by enrolled people miss them{interval('fnir')}."
    )


def printed_rates(row: Mapping[Hashable, Any]) -> list[str]:
    """Write a row of the printed table: gallery, threshold, FPIR and FNIR."""

    def rate(name: str) -> str:
        low, high = row[f"{name}_lower"], row[f"{name}_upper"]
        return share(row[name]) + ("" if np.isnan(low) else f" ({span(low, high)})")

    kind = "observed " if row["method"] == "observed" else ""
    size = f"{kind}{row['gallery_size']:,}"
    return [size, cut(row["threshold"]), rate("fpir"), rate("fnir")]
