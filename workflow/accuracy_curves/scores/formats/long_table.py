"""One score per pair, or trials.

`.csv` or `.tsv` with `probe`, `identity`, `score`, and `mate` (true or false) or
`probe_identity`; verification trials with `score` and `mate`.
"""

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_bools, only_one, where
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import AnyArray, BoolArray

PAIR, MATES = ("probe", "identity"), ("mate", "probe_identity")


def recognises(source: Source) -> bool:
    """Whether there is the column ``score``."""
    return "score" in source.columns and source.columns[0] != "label"


def read(source: Source) -> Given:
    """Read a table of `accuracy_curves.load_searches`: similarities, if nothing else is said."""
    there = source.columns
    mates = [what for what in MATES if what in there]
    # Without the names of probes and identities each line is a trial of its own.
    trials = {*PAIR}.isdisjoint(there)
    if not trials and len(mates) != 1:
        columns = " and ".join(map(repr, MATES))
        raise InputError(f"{source.path} must have one of the columns {columns}, to show mates")
    needed = ["score", "mate"] if trials else [*PAIR, "score", *mates]
    table = source.table(*needed, scores=["score"])
    with located(source.path):
        mate = as_bools(table["mate"]) if "mate" in needed else None
        if trials:
            assert mate is not None
            labels = np.where(mate, 0, NO_MATE)
            return Given(searches=Searches(table[["score"]].to_numpy(), labels, source.better))
        return Given(searches=_arrange(table, mate, source))


def _arrange(table: pd.DataFrame, mate: BoolArray | None, source: Source) -> Searches:
    """Arrange pairs to searches: probes as they appear, identities ascending.

    Each row says whether it is a mate, or else the name of the probe's own identity does. A list
    with gaps needs no memory of a whole matrix.
    """
    for name in PAIR:
        if (empty := (table[name] == "").to_numpy()).any():
            raise InputError(f"{where(table, empty)}: {name} is empty")
    if mate is None:
        own = only_one(table, "probe_identity", "probe")
    else:
        own = only_one(table.assign(mate=table["identity"])[mate], "mate", "probe")
    again = table.duplicated([*PAIR]).to_numpy()
    if again.any():
        first = table[again].iloc[0]
        raise InputError(
            f"{where(table, again)}: the pair {first['probe']!r}, {first['identity']!r} has a "
            "second score: keep one, such as the best"
        )
    counts = table.groupby("probe", sort=False).size()
    identities = np.sort(table["identity"].unique().astype(np.str_))
    if counts.min() < len(identities):
        raise InputError(
            f"the probe {counts.idxmin()!r} has {counts.min():,} scores, and a score matrix needs "
            f"one for each of {len(identities):,} identities. Lists cut at the best give no FPIR "
            "or FNIR, but an accuracy (predict, with a column rank and --searched)"
        )
    own = own.reindex(counts.index)
    if not (enrolled := own.isin(identities)).any():
        raise InputError(
            f"no probe has a mate among the identities, such as {str(identities[0])!r}"
        )
    labels: AnyArray = own.where(enrolled, str(NO_MATE)).to_numpy().astype(np.str_)
    pairs = table.pivot(index="probe", columns="identity", values="score")
    scores = pairs.loc[counts.index, identities].to_numpy()
    return Searches(scores, labels, source.better, identities)
