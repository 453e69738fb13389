"""What the words of both answers share, and how those who ask call things."""

import re
from collections.abc import Callable, Iterable

from accuracy_curves.cautions import share
from accuracy_curves.intervals.prediction import Prediction

HITS = {r"top-(\d+) accuracy": r"hit rate at \1", "accuracy": "hit rate"}
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
    """Write an interval for a table."""
    return f"{share(lower)}-{share(upper)}"


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def interval_in_words(found: Prediction, level: float, more: str = "") -> str:
    """Write an interval in brackets for a sentence; nothing where there is none."""
    if not found.has_interval:
        return ""
    return f" ({percent(level)} interval {share(found.lower)} to {share(found.upper)}{more})"


def sentences(texts: Iterable[str]) -> list[str]:
    """Start each with a capital and end it as a sentence."""
    return [each[:1].upper() + each[1:].rstrip(".") + "." for each in texts]


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
