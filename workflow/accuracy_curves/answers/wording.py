"""What the words of both answers share."""

from collections.abc import Iterable

from accuracy_curves.cautions import share


def span(lower: float, upper: float) -> str:
    """Write an interval for a table."""
    return f"{share(lower)}-{share(upper)}"


def percent(level: float) -> str:
    """Write a level, as 90 %."""
    return f"{100 * level:g} %"


def sentences(texts: Iterable[str]) -> list[str]:
    """Start each with a capital and end it as a sentence."""
    return [each[:1].upper() + each[1:].rstrip(".") + "." for each in texts]


def matter(error: float, other: float) -> bool:
    """Whether two shares of errors differ by more than a tenth of the larger one."""
    return abs(error - other) > 0.1 * max(error, other)
