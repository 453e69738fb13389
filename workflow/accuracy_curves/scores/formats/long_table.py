"""A score a pair, or trials.

`.csv`, `.tsv` or `.parquet` with `probe`, `identity`, `score`, and `mate` (true or false) or
`probe_identity`; verification trials with `score` and `mate`.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.formats.columns import as_bools, as_scores, read_columns
from accuracy_curves.scores.ranks import MINIMUM_CLASSES, unchecked
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import Float64Array, IntArray

if TYPE_CHECKING:
    import pandas as pd

PAIR, MATES = ("probe", "identity"), ("mate", "probe_identity")
GROUP, NAMED = "group", 20

parts: tuple[str, ...] = (*PAIR, "score", *MATES)


def recognises(source: Source) -> bool:
    """Tell the column ``score``, or one that is called as a column of such a table."""
    called = {source.names.get("score", "score"), *(source.names.get(what) for what in parts)}
    return not called.isdisjoint(source.columns) and source.columns[0] != "label"


def read(source: Source) -> Given:
    """Read a table of `accuracy_curves.load_searches`: similarities, if nothing else is said."""
    path, there, names = source.path, source.columns, source.names
    better = True if source.higher_is_better is None else source.higher_is_better
    called = {what: names.get(what, what) for what in parts}
    mates = [what for what in MATES if called[what] in there]
    if len(mates) == 2 and (asked := [what for what in MATES if what in names]):
        mates = asked
    # Without the names of probes and identities each line is a trial of its own.
    trials = not any(called[what] in there for what in PAIR)
    needed = [*([] if trials else PAIR), "score", *([MATES[0]] if trials else mates)]
    for column in (called[what] for what in (*needed, *names)):
        if column not in there:
            listed = ", ".join(there[:NAMED])
            raise InputError(f"{path} has no column {column!r}: it has {listed}")
    if not trials and len(mates) != 1:
        raise InputError(
            f"{path} has {'both' if mates else 'neither'} {called['mate']!r} "
            f"{'and' if mates else 'nor'} {called['probe_identity']!r}: one column tells the mates"
        )
    columns = [called[what] for what in needed]
    if len(set(columns)) < len(columns):
        raise InputError(f"{path}: {', '.join(columns)} must be different columns")
    grouped = [GROUP] if GROUP in there and not trials else []
    table, unit = read_columns(path, [*columns, *grouped], [called["score"]])
    with located(path):
        scores = as_scores(table[called["score"]], unit)
        mates_column = table[columns[-1]]
        groups = None
        mate = as_bools(mates_column, unit) if needed[-1] == "mate" else None
        if trials:
            assert mate is not None
            return Given(searches=Searches(scores[:, None], np.where(mate, 0, NO_MATE), better))
        pairs = _Pairs(table[called["probe"]], table[called["identity"]], unit)
        labels = pairs.mates(mate) if mate is not None else pairs.mates_of_names(mates_column)
        if (labels == NO_MATE).all():
            raise InputError(
                f"no probe has a mate among the identities, such as {str(pairs.identities[0])!r}"
            )
        matrix = pairs.arranged(scores, source.combine, better)
        given = {"scores": matrix, "labels": labels, "classes": pairs.identities}
        for group in grouped:
            of_each = table.groupby(called["identity"])[group]
            if (of_each.nunique() > 1).any():
                raise InputError(f"the identity {of_each.nunique().idxmax()!r} has two groups")
            groups = of_each.first().loc[[*pairs.identities]].to_numpy(np.str_)
        return Given(groups=groups, searches=unchecked(Searches, **given, higher_is_better=better))


class _Pairs:
    """Who is compared in each row: probes as they appear, identities ascending."""

    def __init__(self, probe: "pd.Series[str]", identity: "pd.Series[str]", unit: str) -> None:
        import pandas as pd

        self._unit, self._index = unit, probe.index
        for column in (probe, identity):
            if (column == "").any():
                raise InputError(f"{self._where(np.asarray(column == ''))}: {column.name} is empty")
        self._probe, probes = pd.factorize(probe)
        self._identity, identities = pd.factorize(identity, sort=True)
        self.probes = np.asarray(probes).astype(np.str_)
        self.identities = np.asarray(identities).astype(np.str_)
        if len(self.identities) < MINIMUM_CLASSES:
            raise InputError(f"there are {len(self.identities)} identities: 3 are needed at least")

    def _where(self, which: npt.NDArray[np.bool_]) -> str:
        return f"{self._unit} {self._index[int(which.argmax())]}"

    def mates(self, mate: npt.NDArray[np.bool_]) -> IntArray:
        """Find the column of each probe's mate from what each row says; -1 for none."""
        labels = np.full(len(self.probes), NO_MATE)
        labels[self._probe[mate]] = self._identity[mate]
        self._check((labels[self._probe] == self._identity) != mate)
        return labels

    def mates_of_names(self, own: "pd.Series[str]") -> IntArray:
        """Find the column of each probe's mate from the name of its identity; -1 for none."""
        import pandas as pd

        self._check((own != own.groupby(self._probe).transform("first")).to_numpy())
        first = own[~pd.Series(self._probe).duplicated().to_numpy()]
        return pd.Index(self.identities).get_indexer(pd.Index(first)).astype(np.int64)

    def _check(self, wrong: npt.NDArray[np.bool_]) -> None:
        if wrong.any():
            probe = str(self.probes[self._probe[int(wrong.argmax())]])
            raise InputError(
                f"{self._where(wrong)}: the probe {probe!r} has two mates: at most one identity "
                "can be its own (of photos compared with photos see accuracy_curves.score_photos)"
            )

    def arranged(self, scores: Float64Array, combine: str | None, higher: bool) -> Float64Array:
        """Sort the pairs into a matrix; a list with gaps needs no memory of a whole one."""
        import pandas as pd

        shape = len(self.probes), len(self.identities)
        pair = self._probe * shape[1] + self._identity
        again = pd.Series(pair).duplicated().to_numpy()
        if again.any() and combine is None:
            raise InputError(
                f"{self._where(again)}: the pair {self._named(pair[again][0])} has a second score: "
                "keep one, or choose the best or the mean of several"
            )
        one: Any = pd.Series(scores).groupby(pair)
        found = one.mean() if combine == "mean" else one.max() if higher else one.min()
        if len(found) < shape[0] * shape[1]:
            place = np.append(found.index, -1)
            gap = int((place != np.arange(len(place))).argmax())
            raise InputError(
                f"the pair {self._named(gap)} has no score: {len(found):,} of "
                f"{shape[0] * shape[1]:,} pairs are there, and a score matrix needs all. Lists cut "
                "at the best tell no FPIR or FNIR, but an accuracy (predict, with a column rank "
                "and --searched). Without the columns of probes and identities the rows are taken "
                "for verification trials, which such lists are not"
            )
        return np.asarray(found, dtype=np.float64).reshape(shape)

    def _named(self, pair: int) -> str:
        probe, identity = divmod(int(pair), len(self.identities))
        return f"{str(self.probes[probe])!r}, {str(self.identities[identity])!r}"
