"""Searches with candidates of their own.

`.npz` with `correct` (searches) and `candidates` (searches x others, sampled at random for each
search, NaN where it has fewer), `higher_is_better`.
"""

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.score_matrix import ScoreMatrix

# What torchmetrics takes.
A_ROW_A_PAIR = ("indexes", "preds", "target")
NEEDED = ("correct", "candidates")


def recognises(source: Source) -> bool:
    """Whether there are ``correct`` and ``candidates``, or ``preds``."""
    return all(map(source.has, NEEDED)) or all(map(source.has, A_ROW_A_PAIR))


def read(source: Source) -> Given:
    """Read scores of the right answers and of the candidates; similarities if nothing is said."""
    if not all(map(source.has, NEEDED)):
        raise InputError(
            f"{source.path} has one row per pair, as torchmetrics takes them: save correct, the "
            "score of each search's right answer, and candidates, a row of its other scores or NaN"
        )
    said = "each search has candidates of its own, read as sampled at random from one set"
    with located(source.path):
        found = ScoreMatrix.from_drawn(*source.load(*NEEDED), higher_is_better=source.better)
    return Given(drawn=found, how=(said,))
