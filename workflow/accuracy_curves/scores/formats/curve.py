"""Accuracies at numbers of classes, or ranks of right answers.

`.csv` with `k`, `accuracy` and, if known, `counts`: the trials behind each. A table with `rank`,
the place of the right answer of each search, and `candidates`, among how many. A CMC: `rank` and
`cmc`, the share of searches whose right answer has that rank or a better one. Or JSON of lists
without scores, `gold` and `retrieved`. `--searched` gives the number of candidates where the file
does not.
"""

import numpy as np

from accuracy_curves.cautions import share
from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.base import Curve, Given, Source
from accuracy_curves.scores.formats.columns import as_whole, where
from accuracy_curves.scores.formats.records import records_of
from accuracy_curves.utils.arrays import Float64Array, IntArray

ACCURACIES = {"k", "accuracy"}
# Sizes of a curve; this part of the searches has the largest; ranks of a CMC.
SIZES, LEAST_PART, RANKS = 30, 0.1, 1000


def recognises(source: Source) -> bool:
    """Whether there are ranks without scores, or the columns ``k`` and ``accuracy``."""
    if isinstance(source.json, list):
        first = next(records_of(source), None)
        return first is not None and first.scores is None
    of_ranks = "rank" in source.columns and not {"score", "identity"} & {*source.columns}
    return of_ranks or {*source.columns} >= ACCURACIES


def read(source: Source) -> Given:
    """Read a curve; of ranks the average accuracy among fewer candidates, of top 1 and `top`."""
    if source.json is None and ("rank" not in source.columns or {*source.columns} >= ACCURACIES):
        return _of_accuracies(source)
    with located(source.path):
        if source.json is not None:
            return _of_cmc(*_cmc_of_lists(source), source)
        if "cmc" in source.columns:
            table = source.table("rank", "cmc", scores=["cmc"])
            return _of_cmc(as_whole(table["rank"]), table["cmc"].to_numpy(), source)
        several = "candidates" in source.columns
        table = source.table("rank", *["candidates"] * several, scores=["rank"])
        # The mean rank of several that tie is between two.
        rank = np.concatenate([np.floor(table["rank"]), np.ceil(table["rank"])])
        n = np.tile(as_whole(table["candidates"]), 2) if several else _searched(source) + 0 * rank
        wrong = np.any(((rank < 1) | (rank > n)).reshape(2, -1), axis=0)
        if wrong.any():
            raise InputError(f"{where(table, wrong)}: a rank is from 1 to the number of candidates")
        return _given(rank, np.full(len(rank), 0.5), n, 1, source)


def _of_accuracies(source: Source) -> Given:
    """Read the columns of a curve; others are passed over."""
    values = ["accuracy", *({"counts"} & {*source.columns})]
    table = source.table("k", *values, scores=values)
    with located(source.path):
        k = as_whole(table["k"]).astype(np.int64)
    counts = table["counts"].to_numpy() if "counts" in table else None
    runs = Curve(k, table["accuracy"].to_numpy(), counts)
    classes, place = np.unique(k, return_inverse=True)
    weights = np.ones(len(k)) if counts is None else counts
    if len(classes) == len(k) or (weights <= 0).any():  # `fit_curve` refuses the latter.
        return Given(curve=runs._replace(runs=runs))
    # Lines of one k are pooled by their counts, or evenly; several lines of it count as so many.
    many = np.bincount(place, weights).astype(np.float64)
    pooled = np.bincount(place, weights * runs.accuracy) / many
    return Given(curve=Curve(classes, pooled, many, runs=runs))


def _searched(source: Source) -> int:
    if source.searched is None:
        raise InputError(
            "ranks mean nothing without the number of candidates: give a column candidates, or "
            "one number for all (--searched)"
        )
    return source.searched


def _cmc_of_lists(source: Source) -> tuple[Float64Array, Float64Array]:
    """Count the right answers at each place of the lists."""
    records = [record for record in records_of(source) if record and record.gold]
    if not records:
        raise InputError("lists without scores need the right answers, in a field gold")
    length = min(len(record.ids) for record in records)
    found = [np.isin(record.ids[:length], record.gold or ()) for record in records]
    first = np.maximum.accumulate(np.array(found), axis=1)
    return np.arange(1.0, length + 1), first.mean(axis=0)


def _of_cmc(rank: Float64Array, cmc: Float64Array, source: Source) -> Given:
    """Take ranks between those of a CMC, and beyond the last, evenly in their logarithms."""
    order, n = np.argsort(rank), _searched(source)
    rank, cmc = rank[order], cmc[order]
    if rank[0] != 1 or len(rank) < 2 or rank[-1] > n or (np.diff(cmc) < 0).any() or cmc[-1] > 1:
        raise InputError(
            "a CMC needs its shares, from 0 to 1, at rank 1 and at others up to the number of "
            "candidates (--searched), none below that of a better rank"
        )
    known = rank[-1]
    if known < n:
        rank, cmc = np.append(rank, n), np.append(cmc, 1.0)
    ranks = np.unique(np.append(rank, np.geomspace(1, n, RANKS).round()))
    share = np.diff(np.interp(np.log(ranks), np.log(rank), cmc), prepend=0.0)
    return _given(ranks, share, np.full(len(ranks), n), n / known, source)


def _given(
    rank: Float64Array, weight: Float64Array, n: Float64Array, least: float, source: Source
) -> Given:
    """Average over all subsets of the candidates of each search, by its rank: top 1, and top t."""
    top, first = source.top, _curve(rank, weight, n, least, 1)
    curve = first if top == 1 else _curve(rank, weight, n, least, top)._replace(of_first=first)
    seen = float(np.average(rank <= top, weights=weight))
    how = f"{share(seen)} of the searches have the right one in the first {top:,} of all candidates"
    return Given(curve=curve, how=(how,))


def _curve(
    rank: Float64Array, weight: Float64Array, n: Float64Array, least: float, top: int
) -> Curve:
    from scipy.stats import hypergeom

    largest = int(np.quantile(n, 1 - LEAST_PART, method="lower"))
    smallest = min(max(2, top + 1, int(least * top)), largest)
    k: IntArray = np.unique(np.geomspace(smallest, largest, SIZES).astype(np.int64))
    there = n >= k[:, None]
    chance = hypergeom.cdf(top - 1, n - 1, rank - 1, np.minimum(k[:, None], n) - 1)
    counts = there @ weight
    return Curve(k, (there * chance) @ weight / counts, None if np.ptp(counts) == 0 else counts)
