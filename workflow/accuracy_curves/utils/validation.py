"""Ranges of options, written once beside their types, and the sentences of what is out of range.

An option says its range in its type: ``steps: Annotated[int, Whole(1)] = 10_000``.
"""

import math
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from decimal import Decimal, InvalidOperation
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, Protocol, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import IntArray

LARGEST_CLASSES = 10**18
THOUSANDS = re.compile(r"[1-9]\d{0,2}((,\d{3})+|(\.\d{3}){2,})")
# Of two readings.
GROUPED = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def whole_number(text: str) -> int | None:
    """Read a whole number as people write it: 2000, 2,000 or 2e3; None if it is none.

    `InputError` for 2.000, which is two in one country and two thousand in another.
    """
    if GROUPED.fullmatch(text):
        plain = text.replace(".", "")
        raise InputError(
            f"{text} may be {Decimal(text).normalize():f} or {plain}: write the one you mean"
        )
    try:
        number = Decimal(re.sub("[,.]", "", text) if THOUSANDS.fullmatch(text) else text)
    except InvalidOperation:
        return None
    return int(number) if number.is_finite() and number == number.to_integral_value() else None


class Range(Protocol):
    """What an option may be; its text completes "it must be ..."."""

    def holds(self, value: Any) -> bool:
        """Whether a value is allowed."""


@dataclass(frozen=True)
class Whole:
    """Whole numbers from `low` to `high`, both included; without an end if `high` is None."""

    low: int
    high: int | None = None

    def holds(self, value: Any) -> bool:
        """Whether a value is such a number."""
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        return whole and self.low <= value and (self.high is None or bool(value <= self.high))

    def __str__(self) -> str:
        end = f"of at least {self.low}" if self.high is None else f"from {self.low} to {self.high}"
        return f"a whole number {end}"


@dataclass(frozen=True)
class Number:
    """Finite numbers from `low` to `high`, both included; not `low` itself if `above`."""

    low: float
    high: float = math.inf
    above: bool = False

    def holds(self, value: Any) -> bool:
        """Whether a value is such a number."""
        real = isinstance(value, int | float) and not isinstance(value, bool)
        inside = real and math.isfinite(value) and self.low <= value <= self.high
        return inside and not (self.above and value == self.low)

    def __str__(self) -> str:
        end = f" and at most {self.high:g}" if math.isfinite(self.high) else ""
        return f"a number {'above' if self.above else 'of at least'} {self.low:g}{end}"


class Choice:
    """One of several words."""

    def __init__(self, *words: str) -> None:
        self.words = words

    def holds(self, value: Any) -> bool:
        """Whether a value is one of the words."""
        return value in self.words

    def __str__(self) -> str:
        return f"one of {', '.join(self.words)}"


@dataclass(frozen=True)
class Some:
    """Lists of `least` to `most` values, each within a range; without an end if `most` is None."""

    each: Range
    least: int = 0
    most: int | None = None

    def holds(self, value: Any) -> bool:
        """Whether a value is such a list."""
        listed = isinstance(value, Sequence) and not isinstance(value, str)
        fits = listed and Whole(self.least, self.most).holds(len(value))
        return fits and all(map(self.each.holds, value))

    def __str__(self) -> str:
        end = f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"
        return f"a list of {end}, each {self.each}"


class Truth:
    """True or false, and not a number."""

    def holds(self, value: Any) -> bool:
        """Whether a value is true or false."""
        return isinstance(value, bool)

    def __str__(self) -> str:
        return "true or false"


# What other libraries call our arguments.
ELSEWHERE = {"random_state": "seed", "n_jobs": "jobs", "measure": "top"}

Count = Annotated[int, Whole(1)]
Seed = Annotated[int, Whole(0)]
Positive = Annotated[float, Number(0, above=True)]


def check_options(owner: Any) -> None:
    """Check the options of an object against the ranges in their types.

    It is a dataclass, or keeps the arguments of its constructor under their names. An option whose
    type allows None may be None.
    """
    for option, (allowed, optional) in ranges_of(type(owner)).items():  # type: ignore[arg-type]
        value = getattr(owner, option)
        if not (optional and value is None):
            check(option, value, allowed)


@cache
def ranges_of(kind: type) -> Mapping[str, tuple[Range, bool]]:
    """Collect the ranges of the options of a class.

    Of each option with a range: that, and whether the option may be None.
    """
    # Of a dataclass each hint is read in the module that wrote it.
    owner = kind if is_dataclass(kind) else kind.__init__  # type: ignore[misc]
    hints = get_type_hints(owner, include_extras=True)
    return {option: allowed for option, hint in hints.items() for allowed in _ranges_in(hint)}


def _ranges_in(hint: Any) -> Iterator[tuple[Range, bool]]:
    if hint is bool:
        yield Truth(), False
    elif get_origin(hint) is Annotated:
        yield get_args(hint)[1], False
    elif get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint):
        for part in get_args(hint):
            yield from ((allowed, True) for allowed, _ in _ranges_in(part))


def check(option: str, value: object, allowed: Range) -> None:
    """Raise an `InputError` with the option's name if its value is not allowed."""
    if not allowed.holds(value):
        raise InputError(f"{option} is {value!r}: it must be {allowed}")


def name_here(name: str, known: Iterable[str]) -> str:
    """Say what an unknown argument is called here, if something is like it."""
    known = [*known]
    if name in known:
        return ""
    ours = ELSEWHERE.get(name, "")
    here = next(iter(get_close_matches(ours or name, known, 1)), ours)
    return f": it is called {here} here" if here else ""


def check_classes(k: npt.ArrayLike, least: int = 2, what: str = "a number of classes") -> IntArray:
    """Check numbers of classes, whole and from 2 to 10^18, and give them as an array.

    Or sizes of galleries, which `least` and `what` are of.
    """
    classes = np.atleast_1d(np.asarray(k))
    if classes.ndim != 1 or classes.dtype.kind not in "iuf":
        raise InputError(f"{what} must be a whole number, not {k!r}")
    wrong = ~np.isfinite(classes) if classes.dtype.kind == "f" else np.zeros(len(classes), bool)
    wrong |= (classes < least) | (classes > LARGEST_CLASSES) | (classes != np.floor(classes))
    if wrong.any():
        raise InputError(
            f"{classes[wrong][0]} is not {what}: whole numbers from {least} to 10^18 are"
        )
    return classes.astype(np.int64)
