"""Numbers and sentences, written alike in every answer, and how those who ask call things."""

import re
import shutil
from collections.abc import Callable, Sequence
from itertools import zip_longest

import pandas as pd

from accuracy_curves.cautions import share
from accuracy_curves.intervals.prediction import Prediction

HITS = {"an accuracy": "a hit rate", r"top-(\d+) accuracy": r"hit rate at \1"}
HITS |= {"accuracy": "hit rate"}
# What each word of ours is called, where it is called otherwise.
WORDS = {
    "classes": {},
    "people": {"classes": "people", "class": "person", "points": "photos", "point": "photo"},
    "documents": HITS
    | {"classes": "documents", "class": "document", "points": "queries", "point": "query"},
    "items": HITS
    | {"a class": "an item", "classes": "items", "class": "item"}
    | {"points": "searches", "point": "search"},
}
TEXT_OF_PAGE = re.compile(r"(?<=>)[^<>]+(?=<)")


def span(lower: float, upper: float) -> str:
    """Write an interval; ends that are written alike once."""
    return " to ".join(dict.fromkeys([share(lower), share(upper)]))


def signed(difference: float) -> str:
    """Write a difference of shares with its sign, as +.023 or −.023."""
    return ("−" if difference < 0 else "+") + f"{abs(difference):.3f}".removeprefix("0")


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def in_cell(number: Prediction) -> str:
    """Write a number for a table, its interval on a second line."""
    return share(number.value) + (
        f"\n{span(number.lower, number.upper)}" if number.has_interval else ""
    )


def interval_in_words(number: Prediction, level: float) -> str:
    """Write an interval in brackets for a sentence; nothing where there is none."""
    if not number.has_interval:
        return ""
    return f" ({percent(level)} interval {span(number.lower, number.upper)})"


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
    return re.sub(r" *\\?$", "", text, flags=re.MULTILINE)


def counts_equally(
    one: str, other: str, ones: bool, errors: tuple[float, float], otherwise: str
) -> str:
    """Say which of two counts equally; and what would be otherwise, where that matters.

    It does where both shares of errors differ by more than a tenth of the larger one.
    """
    counted, others = (one, other) if ones else (other, one)
    said = f"each {counted} counts equally"
    if abs(errors[0] - errors[1]) <= 0.1 * max(errors):
        return said
    return f"{said}; if each {others} did, {otherwise}"


def speaker(words: str, *, of_measures: bool = False) -> Callable[[str], str]:
    """Make what puts a text into such words; names of files and of options stay.

    Where another measure than the accuracy is asked for, it is no accuracy.
    """
    called = WORDS[words] | ({"accuracy": "measure"} if of_measures else {})
    if not called:
        return str

    def say(found: re.Match[str]) -> str:
        text = found[0].removeprefix("data ").removeprefix("Data ")
        for ours, theirs in called.items():
            if re.fullmatch(ours, text, re.IGNORECASE):
                said = re.sub(ours, theirs, text, flags=re.IGNORECASE)
                return said[:1].upper() + said[1:] if found[0][:1].isupper() else said
        return found[0]

    pattern = "|".join(called)
    ours = re.compile(rf"(?<![-\w./=])(data )?({pattern})(?![-\w/=]|\.\w)", re.IGNORECASE)
    return lambda text: ours.sub(say, text)
