"""Numbers and sentences, written the same way in every answer."""

import shutil
from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
import pandas as pd

from accuracy_curves.cautions import share


def span(lower: float, upper: float) -> str:
    """Write an interval; ends that read the same once."""
    return " to ".join(dict.fromkeys([share(lower), share(upper)]))


def signed(difference: float) -> str:
    """Write a difference of shares with its sign, as +.023 or −.023."""
    return ("−" if difference < 0 else "+") + f"{abs(difference):.3f}".removeprefix("0")


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def in_cell(value: float, lower: float, upper: float) -> str:
    """Write a number for a table, its interval on a second line, if it has one."""
    return share(value) + ("" if np.isnan(lower) else f"\n{span(lower, upper)}")


def interval_in_words(lower: float, upper: float, level: float) -> str:
    """Write an interval in brackets for a sentence; nothing where there is none."""
    return "" if np.isnan(lower) else f" ({percent(level)} interval {span(lower, upper)})"


def sentence(text: str) -> str:
    """Start a text with a capital and end it with a point."""
    return text[:1].upper() + text[1:].rstrip(".") + "."


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
