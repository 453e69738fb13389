"""Distances of queries from photos.

`.npz` with `distmat` (queries x photos), `query_ids`, `gallery_ids`. Pairs of one person and camera
do not count where it has `query_camids` and `gallery_camids`. Nor do pairs that are true in
`excluded` (queries x photos).
"""

import numpy as np

from accuracy_curves.exceptions import located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.identities import score_identities

NEEDED, CAMERAS = ("distmat", "query_ids", "gallery_ids"), ("query_camids", "gallery_camids")
EXCLUDED = "excluded"

parts: tuple[str, ...] = (*NEEDED, *CAMERAS, EXCLUDED)


def recognises(source: Source) -> bool:
    """Whether there is the array ``distmat``."""
    return source.has("distmat")


def read(source: Source) -> Given:
    """Read the arrays of `score_identities`; they are distances where nothing else is said.

    Pairs of one person and camera are excluded where the file has the cameras.
    """
    scores, *ids = source.load(*NEEDED)
    queries, photos = map(np.ravel, ids)
    better, excluded = bool(source.higher_is_better), None
    with located(source.path):
        if source.has(EXCLUDED):
            (excluded,) = source.load(EXCLUDED)
        elif all(map(source.has, CAMERAS)):
            cameras = map(np.ravel, source.load(*CAMERAS))
            excluded = np.equal.outer(queries, photos) & np.equal.outer(*cameras)
        found = score_identities(
            scores, queries, photos, higher_is_better=better, excluded=excluded
        )
        return Given(searches=found)
