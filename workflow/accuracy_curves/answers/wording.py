"""What the words of both answers share."""

from collections.abc import Iterable

from accuracy_curves.cautions import share
from accuracy_curves.intervals.prediction import Prediction


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
