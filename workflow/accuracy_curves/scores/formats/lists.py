"""What the readers of lists share: rows of candidates are arranged to lists."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.checked_lists import NONE

if TYPE_CHECKING:
    import pandas as pd

# Of the queries, whose own document stands first: it was not left out of what was searched.
NEARLY_ALL = 0.9
# A class that is in no list, though right in so many searches, and such a part, may be no class.
LEAST_AWAY, MANY_AWAY = 10, 0.05


def needed(searched: int | None) -> int:
    """Take how many were searched; `InputError` if that is not known."""
    if searched is None:
        raise InputError(
            "give the number of classes or documents that were searched (--searched): a list does "
            "not show it"
        )
    return searched


def judged_lists(
    run: "pd.DataFrame", relevant: "pd.DataFrame", better: bool, searched: int | None
) -> CandidateLists:
    """Make lists of a run and its right answers, of several of which the best-placed one counts.

    `run` has a row a candidate: probe, identity, score and, if known, rank; `relevant` a row a
    right answer: probe, identity.
    """
    searched = needed(searched)
    if "rank" not in run:
        scores = run.groupby("probe", sort=False)["score"]
        run = run.assign(rank=scores.rank(method="first", ascending=not better))
    run = run.sort_values("rank", kind="stable")
    sizes = run.groupby("probe").size()
    pairs = relevant[["probe", "identity"]].drop_duplicates()
    own = run["probe"] == run["identity"]
    itself = int((own & ~run["probe"].duplicated()).sum())
    if itself >= NEARLY_ALL * len(sizes) and not (pairs["probe"] == pairs["identity"]).any():
        run = run[~own]
    else:
        itself = 0
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
    exhausted = sizes.index[sizes < sizes.max()]
    lists = arrange(marked.drop(index=others), right, better, searched, exhausted)
    said = {
        f"the document of the query's own name stands first, and is taken out: of {itself:,} "
        "queries": itself,
        "of several relevant documents the best-placed one counts (hit rate), and the others are "
        f"taken out of the list: so of {several:,} queries": several,
        f"misses, as they are not in the run: {unlisted:,} queries of the qrels": unlisted,
        f"all that match are taken to be listed where fewer are than {sizes.max():,}: of "
        f"{len(exhausted):,} queries": len(exhausted),
    }
    told = [text for text, n in said.items() if n]
    object.__setattr__(lists, "origin", (*lists.origin, *told, "every query weighs the same"))
    return lists.weighing_points()


def arrange(
    table: "pd.DataFrame",
    right: "pd.Series[str]",
    better: bool,
    searched: int,
    exhausted: Iterable[str] = (),
) -> CandidateLists:
    """Make lists of a row a candidate, by their ranks; `right` has the right class of a search."""
    import pandas as pd

    scores = table["score"].to_numpy()
    order = np.argsort(table["rank"], kind="stable")
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
    try:
        lists = CandidateLists.from_neighbours(listed, ids, labels, **how)
    except InputError as error:
        # Rows and numbers of classes are not those of the file.
        text = re.sub(r"^row (\d+)", lambda row: f"the query {names[int(row[1])]!r}", str(error))
        text = re.sub("(?<=such as ')\\d+", lambda code: str(known[int(code[0])]), text)
        raise InputError(text, reason=error.reason) from error
    away = np.bincount(labels[(labels >= 0) & ~np.isin(labels, ids)], minlength=1)
    if away.max() >= max(LEAST_AWAY, MANY_AWAY * len(labels)):
        told = f"never found: {known[away.argmax()]!r}, which is right in {away.max():,} searches; "
        told += "if it stands for none of the classes, leave it out there"
        object.__setattr__(lists, "origin", (*lists.origin, told))
    return lists
