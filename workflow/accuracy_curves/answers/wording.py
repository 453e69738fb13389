"""Numbers and sentences, written the same way in every answer."""

import shutil
from collections.abc import Callable, Sequence
from itertools import zip_longest
from math import isnan
from typing import Any

import pandas as pd

from accuracy_curves.cautions import share


def span(lower: Any, upper: Any, write: Callable[[Any], str] = share) -> str:
    """Write an interval; ends that read the same once."""
    return " to ".join(dict.fromkeys([write(lower), write(upper)]))


def signed(difference: float) -> str:
    """Write a difference of shares with its sign, as +.023 or −.023."""
    return ("−" if difference < 0 else "+") + f"{abs(difference):.3f}".removeprefix("0")


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def in_cell(value: Any, lower: Any, upper: Any, write: Callable[[Any], str] = share) -> str:
    """Write a number for a table, its interval on a second line, if it has one."""
    if _is_missing(value):
        return "not known"
    return write(value) + ("" if _is_missing(lower) else f"\n{span(lower, upper, write)}")


def interval_in_words(
    lower: Any, upper: Any, level: float, write: Callable[[Any], str] = share
) -> str:
    """Write an interval in brackets for a sentence; nothing where there is none."""
    return "" if _is_missing(lower) else f" ({percent(level)} interval {span(lower, upper, write)})"


def count(n: int | None, most: str) -> str:
    """Write a number of classes; None is beyond the `most` that were tried."""
    return f"beyond {most}" if n is None else f"{n:,}"


def _is_missing(end: float | None) -> bool:
    return end is not None and isnan(end)


def sentence(text: str, name: object = None) -> str:
    """Start a text with a capital, unless a user's name stands first, and end it with a point."""
    return (text[:1] if name else text[:1].upper()) + text[1:].rstrip(".") + "."


def text_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table no wider than the terminal: further columns follow below, beside the first."""
    lines = [
        line
        for row in rows
        for line in zip_longest(*(cell.split("\n") for cell in row), fillvalue="")
    ]
    table = pd.DataFrame(lines, columns=list(heads), dtype=object).set_index(heads[0])
    table = table.rename_axis(index=None, columns=heads[0])
    text = table.to_string(line_width=shutil.get_terminal_size().columns)
    # Without the mark of lines that go on.
    return "\n".join(line.rstrip(" \\") for line in text.split("\n"))
