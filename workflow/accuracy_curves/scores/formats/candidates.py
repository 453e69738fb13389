"""The best candidates of each search.

A table with `probe`, `identity`, `score`, `rank` and `mate`, the right identity, with `--searched`.
Or `.npz` with `distances` and `indices` (queries x nearest photos, best first), `query_ids`,
`gallery_ids`.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.checked_lists import NONE, as_classes, check_lists
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_whole, only_one
from accuracy_curves.scores.neighbours import of_classes
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import IntArray

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


# Share of the queries whose own document is first: it was not left out of what was searched.
NEARLY_ALL = 0.9
# A class that is in no list, though right in so many searches, and such a part, may be no class.
LEAST_AWAY, MANY_AWAY = 10, 0.05
# Then it is none by its name.
NOBODY = ("nil", "none", "null", "nan", "n/a", "unknown", "no match", "not found")
# Lists of each candidate, on average, where blocks of searches have candidates of their own.
OFTEN = 2


def judged_lists(run: pd.DataFrame, relevant: pd.DataFrame, source: Source) -> Given:
    """Make lists of a run and its right answers; the query itself is none.

    `run` has one row per candidate: probe, identity, score and, if known, rank; `relevant` a row a
    right answer: probe, identity.
    """
    if "rank" not in run:
        scores = run.groupby("probe", sort=False)["score"]
        run = run.assign(rank=scores.rank(method="first", ascending=not source.better))
    run = run.sort_values("rank", kind="stable")
    sizes = run.groupby("probe").size()
    pairs = relevant[["probe", "identity"]].drop_duplicates()
    own = run["probe"] == run["identity"]
    itself = int((own & ~run["probe"].duplicated()).sum())
    asked = (pairs["probe"] == pairs["identity"]).any()
    itself = itself if itself >= NEARLY_ALL * len(sizes) and not asked else 0
    run = run[~own] if itself else run
    answers = pairs.groupby("probe").size()
    several, unlisted = int((answers > 1).sum()), int((~answers.index.isin(sizes.index)).sum())
    # An engine that lists fewer than it lists elsewhere found no more.
    exhausted = sizes.index[sizes < sizes.max()]
    lists, names = arrange(run, pairs, source, exhausted)
    said = {
        f"the document of the query's own name is the first, and is left out: of {itself:,} "
        "queries": itself,
        "several documents are relevant, and the accuracy is that of the best-placed one (hit "
        f"rate): of {several:,} queries": several,
        f"misses, as they are not in the run: {unlisted:,} queries of the qrels": unlisted,
        f"lists of fewer than {sizes.max():,} are read as all that match: of "
        f"{len(exhausted):,} queries": len(exhausted),
    }
    notes = [text for text, n in said.items() if n]
    return Given(lists=lists.derive(origin=(*lists.origin, *notes)), names=names)


def drawn_for_each(table: pd.DataFrame, right: pd.DataFrame, source: Source) -> ScoreMatrix:
    """Make a sample of searches with candidates of their own: more come as the set grows."""
    pairs = (pd.MultiIndex.from_frame(each[["probe", "identity"]]) for each in (table, right))
    correct = next(pairs).isin(next(pairs))
    own = table[correct].groupby("probe")["score"].agg("max" if source.better else "min")
    others = table[~correct & table["probe"].isin(own.index)].sort_values("probe", kind="stable")
    sizes = others.groupby("probe").size()
    if len(own) < table["probe"].nunique() or len(sizes) < len(own) or sizes.nunique() != 1:
        raise InputError(
            "with candidates of its own each search must list its right one, and as many others as "
            "the other searches do"
        )
    scores = others["score"].to_numpy().reshape(len(own), -1)
    better = source.better
    return ScoreMatrix.from_drawn(own[sizes.index], scores, higher_is_better=better)


def refuse_own_candidates(ids: IntArray, searched: int) -> None:
    """Refuse lists of several searches whose candidates no search of another block lists.

    Or which together list more than were searched.
    """
    from scipy.sparse import coo_array, csgraph

    rows, places = np.nonzero(ids != NONE)
    listed = ids[rows, places]
    known, n = np.unique(listed), len(ids)
    size = n + listed.max(initial=0) + 1
    graph = coo_array((np.ones(len(rows)), (rows, n + listed)), shape=(size, size))
    _, block = csgraph.connected_components(graph, directed=False)
    searches = np.unique(block[np.unique(rows)], return_counts=True)[1]
    apart = len(searches) > 1 and searches.min() > 1 and len(listed) >= OFTEN * len(known)
    if len(known) > searched or apart:
        raise InputError(
            f"each search seems to have candidates of its own, {ids.shape[1]:,} of "
            f"{len(known):,}: read them so (--own-candidates), or give their scores in "
            "an .npz file, `correct` (N,) and `candidates` (N, m); if not, give the number of all "
            "that were searched"
        )


def arrange(
    table: pd.DataFrame,
    right: pd.DataFrame,
    source: Source,
    exhausted: Iterable[str] | None = None,
) -> tuple[CandidateLists, tuple[str, ...]]:
    """Make lists of one row per candidate, by their ranks, and pairs of a search and a right class.

    Of a run, which says what is `exhausted`, a query may have several. With the lists come the
    names of the classes that are listed or right.
    """
    scores = table["score"].to_numpy()
    order = np.argsort(table["rank"], kind="stable")
    names = pd.Index(pd.unique(pd.concat([table["probe"], right["probe"]])))
    codes, known = pd.factorize(np.append(table["identity"], right["identity"]))
    row = names.get_indexer(table["probe"])[order]
    place = pd.Series(row).groupby(row).cumcount().to_numpy()
    shape = len(names), int(place.max()) + 1
    listed, ids = np.zeros(shape), np.full(shape, NONE)
    listed[row, place], ids[row, place] = scores[order], codes[: len(order)][order]
    if source.searched is None:
        source.searched = int(codes[: len(order)].max()) + 1
        if len(order) < source.searched * table["probe"].nunique():
            raise InputError("give the number of classes or documents searched (--searched)")
    refuse_own_candidates(ids, source.searched)
    asking, own = names.get_indexer(right["probe"]), codes[len(order) :]
    away = np.bincount(own[~np.isin(own, ids)], minlength=1)
    never = away.max() >= max(LEAST_AWAY, MANY_AWAY * len(names)) and known[away.argmax()]
    if str(never).casefold() in NOBODY:
        some = own != away.argmax()
        asking, own, never = asking[some], own[some], False
    how: dict[str, Any] = {"higher_is_better": source.better, "searched": source.searched}
    if exhausted is not None:
        how["exhausted"] = names.isin(list(exhausted))
    # Here, where queries and classes have the names of the file.
    check_lists(listed if source.better else -listed, ids, ids != NONE, names)
    if len(np.unique(asking)) == len(asking):
        labels = np.full(len(names), NONE)
        labels[asking] = own
        lists = of_classes(listed, *as_classes(ids, labels, source.searched), **how)
        lists = lists.weighing_points(exhausted is not None)
    else:
        answers = pd.Series(own).groupby(asking).agg(list).to_dict()
        right_of = [answers.get(query, []) for query in range(len(names))]
        lists = CandidateLists.of_queries(listed, ids, right_of, **how)
    if never:
        note = f"never found: {never!r}, which is right in {away.max():,} searches; "
        note += "if it is none of the classes, leave these right answers empty"
        lists = lists.derive(origin=(*lists.origin, note))
    return lists, tuple(map(str, known))
