"""Cautions, each a reason to doubt an answer: weights and sentences are in `cautions.toml`.

A condition stands where its numbers are; it makes its caution here, by `caution`.
"""

import tomllib
import warnings
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path

from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.vocabulary import CLASSES, Phrase, Vocabulary

# What a caution says of the whole answer.
USELESS, DOUBTFUL, MILD = "Do not use this answer", "This answer is doubtful", ""
WEIGHTS = {USELESS: "useless", DOUBTFUL: "doubtful", MILD: "mild"}


# The gravest first: the weight and the sentence of each reason.
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
CAUTIONS: dict[str, tuple[str, str]] = {
    reason: (weight, sentence)
    for weight, name in WEIGHTS.items()
    for reason, sentence in _TABLE[name].items()
}
_ORDER = {reason: place for place, reason in enumerate(CAUTIONS)}


def share(value: float) -> str:
    """Write a share of three digits, such as .460; one that rounds to 0 or 1 is < .001, > .999."""
    if not 0.0005 <= value <= 0.9995:
        return "< .001" if value < 0.5 else "> .999"
    return f"{value:.3f}".removeprefix("0")


def listed(texts: Sequence[str]) -> str:
    """Join texts as one does in a sentence."""
    *others, last = texts
    return f"{', '.join(others)} and {last}" if others else last


def caution(reason: str, *, weight: str | None = None, **values: object) -> AccuracyWarning:
    """Make the caution of a reason; `values` fill the places of its sentence.

    Whole numbers get commas, other numbers are shares, and texts stay as they are. The weight is
    that of the table, unless another one is given.
    """
    weight = CAUTIONS[reason][0] if weight is None else weight
    return AccuracyWarning(_sentence(reason, values, CLASSES), reason, weight, values)


def in_words(doubt: AccuracyWarning, words: Vocabulary) -> str:
    """Write the sentence of a caution in the words of whoever asks."""
    if words == CLASSES or doubt.reason not in CAUTIONS:
        return str(doubt)
    return _sentence(doubt.reason, doubt.values, words)


def _sentence(reason: str, values: Mapping[str, object], words: Vocabulary) -> str:
    texts = {name: _written(value) for name, value in values_in(values, words).items()}
    return CAUTIONS[reason][1].format(**texts, w=words)


def values_in(values: Mapping[str, object], words: Vocabulary) -> dict[str, object]:
    """Put nouns into the phrases among the values of a sentence."""
    return {
        name: value.format(w=words) if isinstance(value, Phrase) else value
        for name, value in values.items()
    }


def _written(value: object) -> str:
    if isinstance(value, Integral):
        return f"{int(value):,}"
    return share(float(value)) if isinstance(value, Real) else str(value)


def named(name: str, cautions: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Put the name of a system before its cautions."""
    return [
        AccuracyWarning(f"{name}: {one}", one.reason, one.weight, one.values | {"system": name})
        for one in cautions
    ]


def sort_cautions(cautions: Iterable[AccuracyWarning]) -> list[AccuracyWarning]:
    """Sort cautions: useless, doubtful, mild, each in the order of the table; unknown ones last."""
    weights = [*WEIGHTS]
    return sorted(
        cautions,
        key=lambda one: (weights.index(one.weight), _ORDER.get(one.reason, len(CAUTIONS))),
    )


def gravest(cautions: Iterable[AccuracyWarning]) -> AccuracyWarning | None:
    """Find the caution for which an answer is doubtful, or should not be used; None if none is."""
    return next((one for one in sort_cautions(cautions) if one.weight), None)


def warn_left_out(rows: str, count: object) -> None:
    """Warn whoever called the function that calls this one that rows are left out, and how many."""
    warnings.warn(caution("rows_left_out", rows=rows, count=count), stacklevel=3)


def warn(cautions: Iterable[AccuracyWarning]) -> None:
    """Warn whoever called the function that calls this one of what is useless or doubtful."""
    for one in cautions:
        if one.weight:
            warnings.warn(one, stacklevel=3)
