"""The best candidates of each search.

A TREC run, with `--qrels`, or a table with `probe`, `identity`, `score`, `rank` and `mate`, the
right identity, both with `--searched`; or `.npz` with `distances` and `indices` (queries x nearest
photos, best first), `query_ids`, `gallery_ids`.
"""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.candidate_lists import NONE, CandidateLists
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_scores, read_columns
from accuracy_curves.utils.files import readable

if TYPE_CHECKING:
    import pandas as pd

NEIGHBOURS = ("distances", "indices", "query_ids", "gallery_ids")
TABLE = ("probe", "identity", "score", "rank", "mate")
SAVED = ("scores", "candidates", "labels", "n_classes", "correct", "higher_is_better", "ends")

parts: tuple[str, ...] = (*NEIGHBOURS, *TABLE)


def recognises(source: Source) -> bool:
    """Tell qrels, the arrays ``indices`` or ``candidates``, or the column ``rank``.

    Not where ``mate`` is true or false, as in a table of pairs.
    """
    if source.has("indices") or source.has("candidates") or source.qrels is not None:
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
        if source.qrels is None and source.has("candidates"):
            *arrays, alike, origin = source.load(*SAVED, "points_alike", "origin")
            stored: list[Any] = [each.item() if each.ndim == 0 else each for each in arrays]
            found = CandidateLists(*stored, tuple(origin.tolist()))  # type: ignore[call-arg]
            return found.weighing_points(bool(alike))
        if source.qrels is None and source.has("indices"):
            *near, gallery = source.load(*NEIGHBOURS)
            how: dict[str, Any] = {"gallery_labels": gallery, "higher_is_better": bool(better)}
            return CandidateLists.from_neighbours(*near, **how)
        if source.searched is None:
            raise InputError(
                "give the number of classes that were searched (--searched): a list does not show "
                "it, and a table of all pairs has no column rank"
            )
        better = True if better is None else better
        if source.qrels is None:
            return _read_table(source, better, source.searched)
        return _read_run(source.path, source.qrels, better, source.searched)


def _read_table(source: Source, better: bool, searched: int) -> CandidateLists:
    """Read a row a candidate: its search, class, score and rank, and the right class."""
    called = [source.names.get(what, what) for what in TABLE]
    for column in called:
        if column not in source.columns:
            raise InputError(f"there is no column {column!r}: {', '.join(called)} are needed")
    table, unit = read_columns(source.path, called, called[2:4])
    table = table.rename(columns=dict(zip(called, TABLE, strict=True)))
    mates = table.groupby("probe", sort=False)["mate"]
    second = (table["mate"] != mates.transform("first")).to_numpy()
    if second.any():
        row = int(second.argmax())
        raise InputError(
            f"{unit} {table.index[row]}: the probe {table['probe'].iloc[row]!r} has two mates: "
            "write the one right identity of a probe into all its rows"
        )
    return _arrange(table, mates.first(), better, searched, unit)


def _read_run(path: Path, qrels: Path, better: bool, searched: int) -> CandidateLists:
    """Read a TREC run; of several relevant documents the best-placed one is the right one."""
    run = _read_fields(path, ("probe", "", "identity", "rank", "score", ""), "run")
    judged = _read_fields(qrels, ("probe", "", "identity", "relevance"), "file of qrels")
    relevant = judged[as_scores(judged["relevance"], "line") > 0]
    for name in ("score", "rank"):
        run[name] = as_scores(run[name], "line")
    run = run.sort_values("rank", kind="stable")
    pairs = relevant[["probe", "identity"]].drop_duplicates()
    marked = run.merge(pairs, how="left", indicator=True)
    found = marked[marked["_merge"] == "both"]
    best = found.drop_duplicates("probe").set_index("probe")["identity"]
    others = found.index[found["probe"].duplicated()]
    several = int((pairs.groupby("probe").size() > 1).sum())
    # Where none is listed, the first of the qrels.
    right = pairs.drop_duplicates("probe").set_index("probe")["identity"]
    unlisted = int((~right.index.isin(run["probe"])).sum())
    right = best.combine_first(right)
    # An engine that lists fewer than it lists elsewhere found no more.
    sizes = run.groupby("probe").size()
    exhausted = sizes.index[sizes < sizes.max()]
    lists = _arrange(marked.drop(index=others), right, better, searched, "line", exhausted)
    said = [
        "of several relevant documents the best-placed one counts (hit rate), and the others are "
        f"taken out of the list: so of {several:,} queries",
        f"misses, as they are not in the run: {unlisted:,} queries of the qrels",
        f"all that match are taken to be listed where fewer are than {sizes.max():,}: of "
        f"{len(exhausted):,} queries",
    ]
    counts = several, unlisted, len(exhausted)
    told = [text for text, n in zip(said, counts, strict=True) if n]
    object.__setattr__(lists, "origin", (*lists.origin, *told, "every query weighs the same"))
    return lists.weighing_points()


def _read_fields(path: Path, names: tuple[str, ...], what: str) -> "pd.DataFrame":
    """Read a text whose fields are separated by spaces or tabs; those without a name are left."""
    import pandas as pd

    with readable(path):
        table = pd.read_csv(
            path, sep=r"\s+", header=None, dtype=str, na_filter=False, quoting=csv.QUOTE_NONE
        )
    if table.shape[1] != len(names):
        raise InputError(
            f"{path} is no TREC {what}: a line has {len(names)} fields, not {table.shape[1]}"
        )
    table.index += 1
    return table.set_axis(names, axis=1)[[name for name in names if name]]


def _arrange(
    table: "pd.DataFrame",
    right: "pd.Series[str]",
    better: bool,
    searched: int,
    unit: str,
    exhausted: Iterable[str] = (),
) -> CandidateLists:
    """Make lists of a row a candidate, by their ranks; `right` has the right class of a search."""
    import pandas as pd

    scores = as_scores(table["score"], unit)
    order = np.argsort(as_scores(table["rank"], unit), kind="stable")
    names = pd.Index(pd.unique(pd.concat([table["probe"], right.index.to_series()])))
    codes, known = pd.factorize(np.append(table["identity"], right[right != ""]))
    row = names.get_indexer(table["probe"])[order]
    place = pd.Series(row).groupby(row).cumcount().to_numpy()
    shape = len(names), int(place.max()) + 1
    listed, ids = np.zeros(shape), np.full(shape, NONE)
    listed[row, place], ids[row, place] = scores[order], codes[: len(order)][order]
    labels = pd.Index(known).get_indexer(right.reindex(names, fill_value=""))
    how: dict[str, Any] = {"higher_is_better": better, "searched": searched}
    how["exhausted"] = names.isin(list(exhausted))
    return CandidateLists.from_neighbours(listed, ids, labels, **how)
