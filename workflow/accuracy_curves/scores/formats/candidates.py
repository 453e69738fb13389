"""The best candidates of each search.

A table with `probe`, `identity`, `score`, `rank` and `mate`, the right identity, with `--searched`.
Or `.npz` with `distances` and `indices` (queries x nearest photos, best first), `query_ids`,
`gallery_ids`.
"""

import numpy as np

from accuracy_curves.exceptions import located
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_whole, only_one
from accuracy_curves.scores.formats.lists import arrange, drawn_for_each

NEIGHBOURS = ("distances", "indices", "query_ids", "gallery_ids")
TABLE = ("probe", "identity", "score", "rank", "mate")


def recognises(source: Source) -> bool:
    """Whether there is the array ``indices``, or the column ``rank``.

    Not where ``mate`` is true or false, as in a table of pairs.
    """
    if source.has("indices"):
        return True
    if "rank" not in source.columns:
        return False
    first = dict(zip(*source.lines, strict=False)) if len(source.lines) > 1 else {}
    return first.get("mate", "").lower() not in ("true", "false")


def read(source: Source) -> Given:
    """Read lists of any length: similarities if nothing else is said, but ``distances``."""
    with located(source.path):
        if source.arrays is not None:
            *near, gallery = source.load(*NEIGHBOURS)
            better = bool(source.higher_is_better)
            lists = CandidateLists.from_neighbours(
                *near, gallery_labels=gallery, higher_is_better=better
            )
            return Given(lists=lists, names=tuple(map(str, np.unique(gallery))))
    table = source.table(*TABLE, scores=["score"])
    with located(source.path):
        table["rank"] = as_whole(table["rank"])
        right = only_one(table, "mate", "probe").rename("identity").reset_index()
        right = right[right["identity"] != ""]
        if source.own_candidates:
            return Given(drawn=drawn_for_each(table, right, source))
        lists, known = arrange(table, right, source)
        return Given(lists=lists, names=known)
