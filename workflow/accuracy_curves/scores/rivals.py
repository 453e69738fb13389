"""Rivals of a point: how many beat it, and which stay at every number of classes."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, BoolArray, Float64Array, FloatArray, IntArray

# So many evenly spaced scores at and below an anchor show their mean and spread.
MOST_BELOW = 128
# The scores of more incorrect classes are not all sorted: those of about so many are.
MOST_SORTED = 1000
# Of right answers in order: queries, answers of each, links from them, how far steps may differ.
MOST_FOLLOWED, MOST_RIGHT, LINKS, SAME_STEPS = 30, 100, 5, 1.25
# Most classes of a group that are counted one by one.
MOST_JUMPS = 50

# Which rows, and their scores; higher is better.
Blocks = Iterable[tuple[slice, FloatArray]]
# A score that beats nobody is so much of a row's spread below its worst.
BELOW = 1e-3


@dataclass(frozen=True, eq=False)
class FixedRivals:
    """The rivals of each point that stay at every number of classes.

    Parameters
    ----------
    beating : (N,) array of int
        Fixed rivals that beat the point.
    place : (N,) array of int
        Its place among the right answers of its query, 0 for the best. The better ones are fixed
        rivals, too, and are counted in `beating`.
    right : (N,) array of int
        Number of right answers of its query.
    jumps : (L,) array of float, optional
        Chance that a drawn group that beats a point has 1, 2, ... classes that do: the mean over
        the points that some group beats, as points that many beat say little of the best places.
    counts : (N, L) array of int, optional
        Number of the drawn groups that beat each point with 1, 2, ... of their classes.
    """

    beating: IntArray
    place: IntArray
    right: IntArray
    jumps: Float64Array | None = None
    counts: IntArray | None = None

    @classmethod
    def of(cls, beating: IntArray) -> Self:
        """Rivals of points that are each the one right answer."""
        return cls(beating, np.zeros_like(beating), np.ones_like(beating))

    def select(self, rows: IntArray) -> Self:
        """Keep some points."""
        counts = None if self.counts is None else self.counts[rows]
        of_points = {name: getattr(self, name)[rows] for name in ("beating", "place", "right")}
        return replace(self, **of_points, counts=counts)

    def sums(self, top: int) -> Float64Array:
        """Chance that m groups that beat a point have s classes that do, both below t, (t, t)."""
        if self.jumps is None:
            return np.eye(top)
        one = np.zeros(top)
        one[1 : len(self.jumps) + 1] = self.jumps[: top - 1]
        chances = np.zeros((top, top))
        chances[0, 0] = 1.0
        for m in range(1, top):
            chances[m] = np.convolve(chances[m - 1], one)[:top]
        return chances

    def sums_of_points(self, top: int) -> Float64Array:
        """Chance as `sums` where m of all groups that beat a point are drawn, (N, t, t)."""
        assert self.counts is not None
        of_all, groups = self.counts.sum(axis=1), self.counts.astype(np.float64)
        ways = np.zeros((len(of_all), top, top))
        ways[:, 0, 0] = 1.0
        # A polynomial in m and s, a factor a size of groups; divided by powers, not to overflow.
        scale = 1 / np.maximum(of_all, 1)
        for size in range(1, min(top, groups.shape[1] + 1)):
            before, chosen = ways.copy(), np.ones(len(groups))
            for m in range(1, (top - 1) // size + 1):
                chosen = chosen * np.maximum(groups[:, size - 1] - m + 1, 0) / m * scale
                more = chosen[:, None, None] * before[:, : top - m, : top - m * size]
                ways[:, m:, m * size :] += more
        drawn = np.arange(1, top)
        factors = np.maximum(of_all[:, None] - drawn + 1, 0) / drawn * scale[:, None]
        ways[:, 1:] /= np.maximum(np.cumprod(factors, axis=1), 1e-300)[:, :, None]
        return ways


def count_outscored(scores: FloatArray, labels: IntArray) -> tuple[IntArray, IntArray]:
    """Count incorrect classes below each row's correct score, and equal to it, both (N,).

    Higher is better.
    """
    own = scores[np.arange(len(scores)), labels][:, None]
    return np.count_nonzero(scores < own, axis=1), np.count_nonzero(scores == own, axis=1) - 1


def beaten_by(scores: FloatArray, own: FloatArray) -> FloatArray:
    """Find a score for each row that its own one beats and that is like the others, (n,).

    Their median, or, where the own one is no better, less than all. Higher is better; NaN is none.
    """
    middle, worst = np.nanmedian(scores, axis=1), np.nanmin(scores, axis=1)
    spread = np.nanmax(scores, axis=1) - worst
    below = worst - BELOW * np.where(spread > 0, spread, np.maximum(np.abs(worst), 1))
    return np.where(middle < own, middle, below).astype(scores.dtype)


def without_masks(scores: FloatArray, own: FloatArray) -> tuple[FloatArray, IntArray]:
    """Give what is minus infinity a score that beats nobody; higher is better.

    Rows whose own score is so are left out: with which are kept. `InputError` if none is.
    """
    kept = np.flatnonzero(own > -np.inf)
    if not len(kept):
        raise InputError("the right class of every point is masked, or excluded: none is left")
    unmasked, own = scores[kept], own[kept]
    rows = np.flatnonzero(np.isinf(unmasked).any(axis=1))
    some = np.where(np.isinf(unmasked[rows]), np.nan, unmasked[rows])
    unmasked[rows] = np.where(np.isnan(some), beaten_by(some, own[rows])[:, None], some)
    return unmasked, kept


def rows_of_queries(
    scores: FloatArray, right: BoolArray, never_drawn: BoolArray
) -> tuple[FloatArray, IntArray, FixedRivals]:
    """Make a row of each right answer of each query, the best one first; higher is better.

    Its score is in the column of the best; the other right ones, and masked ones, beat nobody.
    """
    query, columns = np.nonzero(right)
    order, labels, rivals = order_pairs(query, columns, -scores[query, columns])
    query, columns = query[order], columns[order]
    rows, own = scores[query], scores[query, columns]
    rows = np.where(never_drawn[query], beaten_by(rows, own)[:, None], rows)
    rows[np.arange(len(rows)), labels] = own
    return rows, labels, rivals


def group_columns(
    rows_of_scores: Blocks, labels: IntArray, group: IntArray
) -> tuple[FloatArray, IntArray, FixedRivals]:
    """Take the best score of each group, but the own one of the own group; higher is better.

    With the own groups, and what stays: the own group's better classes.
    """
    order, best, beaten = np.argsort(group, kind="stable"), list[FloatArray](), list[IntArray]()
    starts = np.searchsorted(group[order], np.arange(group.max() + 1))
    for rows, block in rows_of_scores:
        own = block[np.arange(len(block)), labels[rows]]
        home = np.arange(len(block)), group[labels[rows]]
        best.append(np.maximum.reduceat(block[:, order], starts, axis=1))
        best[-1][home] = own
        above = (block > own[:, None])[:, order].astype(np.int64)
        beaten.append(np.add.reduceat(above, starts, axis=1))
    counts, home = np.concatenate(beaten), (np.arange(len(labels)), group[labels])
    fixed = counts[home]
    counts[home] = 0
    beating = np.nonzero(counts)
    rivals = rivals_of_groups(fixed, beating[0], counts[beating])
    return np.concatenate(best), group[labels], rivals


def rivals_of_groups(fixed: IntArray, rows: IntArray, sizes: IntArray) -> FixedRivals:
    """Say what stays: rivals of the own group, (N,), and how many classes of others beat a point.

    A group that beats the point in one of these `rows` has so many classes that do.
    """
    sizes = sizes.clip(max=MOST_JUMPS)
    most = sizes.max(initial=1)
    counts = np.bincount(rows * most + sizes - 1, minlength=len(fixed) * most)
    counts = counts.reshape(len(fixed), most)
    beaten = counts[counts.any(axis=1)]
    shares = beaten / beaten.sum(axis=1, keepdims=True)
    jumps = shares.mean(axis=0) if len(beaten) else np.ones(1)
    return replace(FixedRivals.of(fixed), jumps=jumps, counts=counts.astype(np.int64))


def drawn_rows(
    correct: FloatArray, candidates: FloatArray, seed: int
) -> tuple[FloatArray, IntArray]:
    """Put the score of each search at a place among those of its candidates; NaN is none."""
    rng, n = np.random.default_rng(seed), np.count_nonzero(~np.isnan(candidates), axis=1).min()
    if n < 2:
        raise InputError(f"a search has {n} candidates: each needs 2 or more")
    if np.isnan(candidates).any():
        # At random; columns that are none last.
        drawn = np.where(np.isnan(candidates), 2.0, rng.random(candidates.shape))
        candidates = np.take_along_axis(candidates, np.argsort(drawn, axis=1)[:, :n], axis=1)
    labels = rng.permutation(np.arange(len(correct)) % (n + 1))
    own = np.arange(n + 1) == labels[:, None]
    placed = np.empty(own.shape, candidates.dtype)
    placed[own], placed[~own] = correct, candidates.ravel()
    return placed, labels


def order_pairs(
    query: IntArray, right: IntArray, place: AnyArray
) -> tuple[IntArray, IntArray, FixedRivals]:
    """Order pairs of a query and a right answer, (P,), by query and place.

    Gives that order; the best right answer of each query, whose column is the label of all its
    pairs; and what stays of each.
    """
    order = np.lexsort((place, query))
    query, right = query[order], right[order]
    first = np.flatnonzero(np.diff(query, prepend=-1))
    counts = np.diff(first, append=len(query))
    places = np.arange(len(query)) - np.repeat(first, counts)
    rivals = FixedRivals(places, places, np.repeat(counts, counts))
    return order, np.repeat(right[first], counts), rivals


def pairs_of_lists(
    listed: IntArray, right: IntArray, query: IntArray
) -> tuple[IntArray, IntArray, IntArray, FixedRivals]:
    """Make a list of each right answer, (P,), of the queries' lists, as `rows_of_queries`.

    Gives the query of each, its list, its label, and what stays. -1 is no class. A right answer may
    not be listed.
    """
    there = listed[query] == right[:, None]
    place = np.where(there.any(axis=1), there.argmax(axis=1), listed.shape[1])
    order, labels, rivals = order_pairs(query, right, place)
    query, place = query[order], place[order]
    at = np.flatnonzero(place < listed.shape[1])
    # The others of the query are no rivals.
    classes = listed.copy()
    classes[query[at], place[at]] = -1
    classes = classes[query]
    classes[at, place[at]] = labels[at]
    return query, classes, labels, rivals


def follow_each_other(query: IntArray, right: IntArray) -> bool:
    """Whether the right answers of queries follow each other, as frames of a route do.

    Answers that are right for one query are linked. Where they follow each other, each further link
    leads from those of a query to as many others as the link before. In sets of other kinds these
    multiply, or there are none.
    """
    from scipy.sparse import csr_array

    pairs = [np.unique(ids, return_inverse=True)[1] for ids in (query, right)]
    known = csr_array((np.ones(len(query)), (pairs[0], pairs[1])))
    if known.nnz > MOST_RIGHT * known.shape[0]:
        return False
    reached, steps = known[:: -(-known.shape[0] // MOST_FOLLOWED)].sign(), list[float]()
    for _ in range(LINKS):
        further = (reached @ known.T @ known).sign()
        steps.append(float(np.median(further.sum(axis=1) - reached.sum(axis=1))))
        if min(steps) == 0 or max(steps) > SAME_STEPS * min(steps):
            return False
        reached = further
    return True


class Extremes(NamedTuple):
    """The least and the largest score of each point, (2, N), and of each class, (2, K).

    Higher is better. Those of classes are of the points that did not fail, whose scores differ. So
    are the best scores, in `rows` and `columns`: several of a point where they tie.
    """

    of_points: FloatArray
    of_classes: Float64Array
    rows: IntArray
    columns: IntArray

    @classmethod
    def of(cls, blocks: Blocks, n_classes: int) -> Self:
        """Read the scores once."""
        parts, of_classes = [], np.full((2, n_classes), [[np.inf], [-np.inf]])
        for here, block in blocks:
            least, most = block.min(axis=1), block.max(axis=1)
            varied = np.flatnonzero(least < most)
            some = block if len(varied) == len(block) else block[varied]
            rows, columns = np.nonzero(some == most[varied, None])
            parts.append((least, most, here.start + varied[rows], columns))
            if len(some):
                of_classes[0] = np.minimum(of_classes[0], some.min(axis=0))
                of_classes[1] = np.maximum(of_classes[1], some.max(axis=0))
        least, most, rows, columns = map(np.concatenate, zip(*parts, strict=True))
        return cls(np.stack([least, most]), of_classes, rows, columns)


def moments_of(block: FloatArray, labels: IntArray) -> Float64Array:
    """Find the mean and the standard deviation of the incorrect scores of some rows, (rows, 2)."""
    scores, own = block.astype(np.float64), (np.arange(len(block)), labels)
    others = scores.shape[1] - 1
    scores[own] = 0.0
    mean = scores.sum(axis=1) / others
    scores -= mean[:, None]
    scores[own] = 0.0
    squares = np.einsum("xk,xk->x", scores, scores)
    return np.column_stack([mean, np.sqrt(squares / (others - 1))])


def nearest_incorrect(block: FloatArray, labels: IntArray, m: int) -> tuple[FloatArray, FloatArray]:
    """Find the incorrect scores around the m-th best of some rows; higher is better.

    At most `MOST_BELOW` scores at and below the m-th best, evenly spaced in their order; and the
    2 m best, or all, ascending.
    """
    classes = block.shape[1]
    n, further = classes - 1, min(2 * m, classes - 1)
    others = np.ones(block.shape, dtype=bool)
    others[np.arange(len(block)), labels] = False
    if n <= MOST_SORTED:
        some = np.sort(block[others].reshape(len(block), -1), axis=1)
        best = some[:, -further:]
    else:
        best = np.partition(np.where(others, block, -np.inf), classes - further, axis=1)
        best = np.sort(best[:, -further:], axis=1)
        # The neighbour stands in for the own class.
        chosen = np.arange(0, classes, classes // MOST_SORTED)
        chosen = np.where(chosen == labels[:, None], (chosen + 1) % classes, chosen)
        some = np.sort(np.take_along_axis(block, chosen, axis=1), axis=1)
    below = np.arange(some.shape[1] * (n - m + 1) // n)
    if len(below) > MOST_BELOW:
        below = (len(below) * (np.arange(MOST_BELOW) + 0.5) / MOST_BELOW).astype(np.int64)
    return some[:, below], best
