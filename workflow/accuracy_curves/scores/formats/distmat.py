"""Distance matrices of re-identification: queries for photos of a gallery, in an npz file."""

from accuracy_curves.exceptions import located
from accuracy_curves.scores.formats.base import Source
from accuracy_curves.scores.identities import score_identities
from accuracy_curves.scores.searches import Searches

gives: type = Searches
parts: tuple[str, ...] = ("distmat", "query_ids", "gallery_ids")


def recognises(source: Source) -> bool:
    """Tell the array ``distmat``."""
    return source.has("distmat")


def read(source: Source) -> Searches:
    """Read the arrays of `score_identities`; they are distances where nothing else is said."""
    arrays, combine = source.load(*parts), source.combine or "best"
    better = bool(source.higher_is_better)
    with located(source.path):
        return score_identities(*arrays, combine=combine, higher_is_better=better)
