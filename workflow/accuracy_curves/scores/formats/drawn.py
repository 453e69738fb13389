"""Searches with candidates of their own.

`.npz` with `correct` (searches) and `candidates` (searches x others, drawn at random for each
search, NaN where it has fewer), `higher_is_better`; or `indexes`, `preds` and `target` of
torchmetrics, a row a pair.
"""

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.given_arrays import AnyArray
from accuracy_curves.scores.score_matrix import ScoreMatrix

OWN, PAIRS = ("correct", "candidates"), ("indexes", "preds", "target")

parts: tuple[str, ...] = (*OWN, *PAIRS)


def recognises(source: Source) -> bool:
    """Tell ``correct`` and ``candidates``, where they are no saved lists; or ``preds``."""
    saved = source.has("n_classes")
    return all(map(source.has, PAIRS)) or (all(map(source.has, OWN)) and not saved)


def read(source: Source) -> Given:
    """Read scores of the right answers and of the candidates; similarities if nothing is said."""
    better = source.higher_is_better
    if better is None and source.has("higher_is_better"):
        better = bool(source.load("higher_is_better")[0])
    given = source.load(*(PAIRS if source.has("preds") else OWN))
    said = "each search has candidates of its own, taken for drawn at random from one set"
    with located(source.path):
        correct, others = _of_pairs(*given) if len(given) == len(PAIRS) else given
        found = ScoreMatrix.from_drawn(correct, others, higher_is_better=better is not False)
    return Given(drawn=found, said=(said,))


def _of_pairs(search: AnyArray, scores: AnyArray, target: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Take the score of the one right answer of each search, and those of the others in a row."""
    names, code = np.unique(search, return_inverse=True)
    right = np.bincount(code, target > 0)
    if (right != 1).any():
        one = int((right != 1).argmax())
        raise InputError(
            f"the search {names[one]} has {right[one]:.0f} right answers, and one is needed: of "
            "several give the whole matrix, or a run with the names of its documents"
        )
    correct = np.empty(len(names))
    correct[code[target > 0]] = scores[target > 0]
    rest = np.flatnonzero(target <= 0)
    rest = rest[np.argsort(code[rest], kind="stable")]
    counts = np.bincount(code[rest], minlength=len(names))
    others = np.full((len(names), counts.max()), np.nan)
    others[np.arange(others.shape[1]) < counts[:, None]] = scores[rest]
    return correct, others
