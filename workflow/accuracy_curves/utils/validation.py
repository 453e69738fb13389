"""Checks of single options, with one sentence each."""

import math
from collections.abc import Sequence

import numpy as np

from accuracy_curves.exceptions import InputError


def check_whole(option: str, value: object, low: int, high: int | None = None) -> None:
    """Check an option that is a whole number.

    Parameters
    ----------
    option : str
        Its name, for the sentence.
    value : object
        Its value.
    low, high : int
        The range, both ends included; no upper end if `high` is None.

    Raises
    ------
    InputError
        If it is not a whole number in the range.
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < low or (high is not None and value > high):  # type: ignore[operator]
        span = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise InputError(f"{option} is {value!r}: it must be a whole number {span}")


def check_number(
    option: str, value: object, low: float, high: float = math.inf, *, above: bool = False
) -> None:
    """Check an option that is a number.

    Parameters
    ----------
    option : str
        Its name, for the sentence.
    value : object
        Its value.
    low, high : float
        The range, both ends included.
    above : bool
        Whether `low` itself is out of range.

    Raises
    ------
    InputError
        If it is not a finite number in the range.
    """
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if (
        not number
        or not math.isfinite(value)  # type: ignore[arg-type]
        or not low <= value <= high  # type: ignore[operator]
        or (above and value == low)
    ):
        span = f"{'above' if above else 'of at least'} {low:g}"
        span += f" and at most {high:g}" if math.isfinite(high) else ""
        raise InputError(f"{option} is {value!r}: it must be a number {span}")


def check_choice(option: str, value: object, choices: Sequence[str]) -> None:
    """Check an option that is one of several words.

    Parameters
    ----------
    option : str
        Its name, for the sentence.
    value : object
        Its value.
    choices : sequence of str
        What it may be.

    Raises
    ------
    InputError
        If it is none of them.
    """
    if value not in choices:
        raise InputError(f"{option} is {value!r}: it must be one of {', '.join(choices)}")
