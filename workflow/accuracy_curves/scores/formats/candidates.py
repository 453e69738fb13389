"""The best candidates of each search.

A table with `probe`, `identity`, `score`, `rank` and `mate`, the right identity, with `--searched`;
or `.npz` with `distances` and `indices` (queries x nearest photos, best first), `query_ids`,
`gallery_ids`.
"""

from typing import Any

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_scores, as_whole, read_columns
from accuracy_curves.scores.formats.lists import arrange

NEIGHBOURS = ("distances", "indices", "query_ids", "gallery_ids")
TABLE = ("probe", "identity", "score", "rank", "mate")
SAVED = ("scores", "candidates", "labels", "n_classes", "correct", "higher_is_better", "ends")

parts: tuple[str, ...] = (*NEIGHBOURS, *TABLE)


def recognises(source: Source) -> bool:
    """Tell the arrays ``indices`` or ``candidates``, or the column ``rank``.

    Not where ``mate`` is true or false, as in a table of pairs.
    """
    if source.has("indices") or source.has("candidates"):
        return True
    called = [source.names.get(what, what) for what in ("rank", "mate")]
    if called[0] not in source.columns:
        return False
    first = dict(zip(*source.lines, strict=False)) if len(source.lines) > 1 else {}
    return first.get(called[1], "").lower() not in ("true", "false")


def read(source: Source) -> Given:
    """Read lists of any length: similarities if nothing else is said, but ``distances``."""
    lists = _read(source)
    return Given(lists=lists, said=lists.origin)


def _read(source: Source) -> CandidateLists:
    better = source.higher_is_better
    with located(source.path):
        if source.has("candidates"):
            *arrays, alike, origin = source.load(*SAVED, "points_alike", "origin")
            stored: list[Any] = [each.item() if each.ndim == 0 else each for each in arrays]
            found = CandidateLists(*stored, tuple(origin.tolist()))  # type: ignore[call-arg]
            return found.weighing_points(bool(alike))
        if source.has("indices"):
            *near, gallery = source.load(*NEIGHBOURS)
            how: dict[str, Any] = {"gallery_labels": gallery, "higher_is_better": bool(better)}
            if source.has("gallery_groups"):
                (how["gallery_groups"],) = source.load("gallery_groups")
            return CandidateLists.from_neighbours(*near, **how)
        better = True if better is None else better
        return _read_table(source, better)


def _read_table(source: Source, better: bool) -> CandidateLists:
    """Read a row a candidate: its search, class, score and rank, and the right class."""
    called = [source.names.get(what, what) for what in TABLE]
    if "candidates" in source.columns:
        raise InputError(
            "ranks among other numbers of candidates tell no score: give the scores of the right "
            "one and of the candidates (.npz with correct and candidates)"
        )
    for column in called:
        if column not in source.columns:
            raise InputError(f"there is no column {column!r}: {', '.join(called)} are needed")
    table, unit = read_columns(source.path, called, called[2:3])
    table = table.rename(columns=dict(zip(called, TABLE, strict=True)))
    table["score"], table["rank"] = as_scores(table["score"], unit), as_whole(table["rank"], unit)
    mates = table.groupby("probe", sort=False)["mate"]
    second = (table["mate"] != mates.transform("first")).to_numpy()
    if second.any():
        row = int(second.argmax())
        raise InputError(
            f"{unit} {table.index[row]}: the probe {table['probe'].iloc[row]!r} has two mates: "
            "write the one right identity of a probe into all its rows"
        )
    right = mates.first().rename("identity").reset_index()
    return arrange(table, right[right["identity"] != ""], better, source)
