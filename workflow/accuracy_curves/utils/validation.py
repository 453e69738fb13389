"""Ranges of options, written once beside their types, and the sentences of what is out of range.

An option says its range in its type: ``steps: Annotated[int, Whole(1)] = 10_000``.
"""

import math
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from difflib import get_close_matches
from functools import cache
from typing import Annotated, Any, ClassVar, Protocol, Union, get_args, get_origin, get_type_hints

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import ArrayLike, IntArray

LARGEST_CLASSES = 10**18
THOUSANDS = re.compile(r"[1-9]\d{0,2}((,\d{3})+|(\.\d{3}){2,})")
# Of two readings.
GROUPED = re.compile(r"[1-9]\d{0,2}\.\d{3}")


class Range(Protocol):
    """What an option may be; its text completes "it must be ..."."""

    def holds(self, value: Any) -> bool:
        """Whether a value is allowed."""


@dataclass(frozen=True)
class Number:
    """Finite numbers from `low` to `high`, both included; not `low` itself if `above`."""

    low: float
    high: float = math.inf
    above: bool = False
    kinds: ClassVar[Any] = int | float
    noun: ClassVar[str] = "a number"

    def holds(self, value: Any) -> bool:
        """Whether a value is such a number."""
        real = isinstance(value, self.kinds) and not isinstance(value, bool)
        inside = real and math.isfinite(value) and bool(self.low <= value <= self.high)
        return inside and not (self.above and value == self.low)

    def __str__(self) -> str:
        if math.isfinite(self.high) and not self.above:
            return f"{self.noun} from {self.low:.10g} to {self.high:.10g}"
        end = f" and at most {self.high:.10g}" if math.isfinite(self.high) else ""
        return f"{self.noun} {'above' if self.above else 'of at least'} {self.low:.10g}{end}"


class Whole(Number):
    """Whole numbers, NumPy's too."""

    kinds, noun = int | np.integer, "a whole number"


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
    """Lists of `least` to `most` values, each within a range."""

    each: Range
    least: int = 0
    most: float = math.inf

    def holds(self, value: Any) -> bool:
        """Whether a value is such a list."""
        listed = isinstance(value, Sequence) and not isinstance(value, str)
        fits = listed and Whole(self.least, self.most).holds(len(value))
        return fits and all(map(self.each.holds, value))

    def __str__(self) -> str:
        end = f"to {self.most}" if math.isfinite(self.most) else "or more"
        return f"a list of {self.least} {end}, each {self.each}"


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


def check_classes(k: ArrayLike, least: int = 2, what: str = "a number of classes") -> IntArray:
    """Check numbers of classes, whole and from 2 to 10^18, and give them as an array.

    Or sizes of galleries, which `least` and `what` are of.
    """
    classes = np.atleast_1d(np.asarray(k))
    if classes.ndim != 1 or classes.dtype.kind not in "iuf":
        raise InputError(f"{what} must be a whole number, not {k!r}")
    right = (classes >= least) & (classes <= LARGEST_CLASSES) & (classes == np.floor(classes))
    if not right.all():
        raise InputError(
            f"{classes[~right][0]} is not {what}: whole numbers from {least} to 10^18 are"
        )
    return classes.astype(np.int64)
