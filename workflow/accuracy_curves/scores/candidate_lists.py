"""Candidate lists: the best classes of each search, with scores, as a search engine has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.checked_lists import (
    MOST_SEARCHED,
    NONE,
    as_arrays,
    as_classes,
    check_lists,
    first_of_each,
    refuse,
    to_front,
)
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES
from accuracy_curves.scores.rivals import follow_each_other, pairs_of_lists, rivals_of_groups
from accuracy_curves.scores.sample import Incorrect, Placed, Sample, assign
from accuracy_curves.utils.arrays import (
    AnyArray,
    ArrayLike,
    BoolArray,
    Float64Array,
    FloatArray,
    IntArray,
    row_blocks,
)
from accuracy_curves.utils.validation import Whole, check

# Measured: shorter lists say less than the matrix. The first t need lists of twice t.
SHORTEST, LISTED_OF_TOP = 20, 2
# So much of the lists may be shorter.
SHORT_SHARE = 0.01


@dataclass(frozen=True, eq=False, repr=False)
class CandidateLists(Sample):
    """The best candidates of each search, with scores: what is left of a matrix of any size.

    A search has one right class. A list is complete above its end: whichever class has a better
    score than the last one listed is listed too. So an approximate search, which misses some, makes
    the predicted accuracy too high.

    Scores are kept higher is better: distances are negated.

    Parameters
    ----------
    scores : (N, L) array of float
        Scores of incorrect classes, the best first.
    classes : (N, L) array of int
        Those classes, in ``[0, K)``; -1 past the end of a list.
    labels : (N,) array of int
        Right class of each search, in ``[0, K)``.
    n_classes : int
        K, the number of classes that were searched.
    correct : (N,) array of float
        Score of the right class; NaN where it is not listed. It counts as listed where it is
        better than the end of the list.
    higher_is_better : bool
        False for distances.
    ends : (N,) array of float, optional
        Score at which each list ends; by default that of the last incorrect class. Minus infinity,
        or infinity for distances, where nothing else was found: all that is not listed then ties
        at the worst score.
    origin : tuple of str
        What was left out, a sentence each.

    Raises
    ------
    InputError
        If the shapes disagree, scores rise along a list, are all the same or are not finite, or a
        list has a class twice. A prediction needs lists of 20 or more.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=500, variance=0.2)
    >>> lists = matrix.candidates(50)
    >>> lists
    <CandidateLists: 5,000 searches, lists of 49 to 50 of 500 classes, distances>
    >>> ac.extrapolate(lists, 5000).round(2), ac.extrapolate(matrix, 5000).round(2)
    (array([0.13]), array([0.13]))
    """

    has_scores = is_listed = True
    is_complete: ClassVar[bool] = False
    of_points: ClassVar[tuple[str, ...]] = ("scores", "classes", "labels", "correct", "ends")

    scores: Float64Array
    classes: IntArray
    labels: IntArray
    n_classes: int
    correct: Float64Array
    higher_is_better: bool = True
    # By default `__post_init__` finds them.
    ends: Float64Array = None  # type: ignore[assignment]
    origin: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        scores, classes, labels = as_arrays(self.scores, self.classes, self.labels)
        check("n_classes", self.n_classes, Whole(MINIMUM_CLASSES, MOST_SEARCHED))
        largest = max(classes.max(), labels.max())
        if classes.min() < NONE or labels.min() < 0 or largest >= self.n_classes:
            none = "; from_neighbours leaves out what has the label -1" if labels.min() < 0 else ""
            raise InputError(f"classes and labels must be from 0 to {self.n_classes - 1}{none}")
        sign, there = 1.0 if self.higher_is_better else -1.0, classes != NONE
        oriented = sign * scores
        check_lists(oriented, classes, there)
        own = there & (classes == labels[:, None])
        refuse(own, "lists its right class among the incorrect ones", "give its score as correct")
        if np.ptp(oriented[there]) == 0:
            same = f"all scores are {scores[there][0]:g}"
            raise InputError(f"{same}: give the scores that order the lists")
        correct = sign * np.asarray(self.correct, dtype=np.float64)
        ends = np.where(there, oriented, np.inf).min(axis=1)
        if self.ends is not None:
            ends = sign * np.asarray(self.ends, dtype=np.float64)
        ends[np.count_nonzero(there, axis=1) == self.n_classes - 1] = -np.inf
        correct[np.isnan(correct)] = -np.inf
        scores, classes = to_front(oriented, classes)
        assign(self, scores=scores, classes=classes, labels=labels, correct=correct, ends=ends)

    @classmethod
    def from_neighbours(
        cls,
        scores: ArrayLike,
        ids: ArrayLike,
        labels: ArrayLike,
        *,
        higher_is_better: bool = True,
        gallery_labels: ArrayLike | None = None,
        searched: int | None = None,
    ) -> CandidateLists:
        """Take lists as the search of a vector index gives them, right classes among the others.

        Parameters
        ----------
        scores, ids : (N, L) arrays
            As ``index.search(queries, L)`` of faiss has them, best first; `ids` are -1 past the end
            of a list. They are positions in `gallery_labels`, or else classes.
        labels : (N,) array
            Right class of each search, numbers or texts. A search whose class is not in the
            gallery is left out.
        higher_is_better : bool
            False for distances.
        gallery_labels : (G,) array, optional
            Class of each item of the gallery; a class with several has the score of its best one.
        searched : int, optional
            Without `gallery_labels`: the number of classes that were searched.

        Returns
        -------
        CandidateLists

        Raises
        ------
        InputError
            As `CandidateLists`; or if neither `gallery_labels` nor `searched` is given.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> from sklearn.neighbors import NearestNeighbors
        >>> rng = np.random.default_rng(0)
        >>> people = rng.normal(size=(1000, 8))
        >>> index = NearestNeighbors(n_neighbors=40).fit(people)
        >>> distances, ids = index.kneighbors(people + 0.3 * rng.normal(size=people.shape))
        >>> ac.CandidateLists.from_neighbours(
        ...     distances, ids, np.arange(1000), higher_is_better=False, searched=1000
        ... )
        <CandidateLists: 1,000 searches, lists of 39 of 1,000 classes, distances>
        """
        from accuracy_curves.scores import neighbours

        found = as_arrays(scores, ids, labels)
        if gallery_labels is not None:
            return neighbours.of_items(*found, gallery_labels, higher_is_better)
        if searched is not None:
            values, near, own = found
            codes = as_classes(near, own, searched)
            return neighbours.of_classes(values, *codes, searched, higher_is_better)
        raise InputError("give gallery_labels, or searched: the number of classes searched")

    @classmethod
    def of_queries(
        cls,
        scores: ArrayLike,
        ids: ArrayLike,
        right: Sequence[ArrayLike],
        *,
        searched: int,
        higher_is_better: bool = True,
        exhausted: ArrayLike | None = None,
    ) -> CandidateLists:
        """Take lists of queries that have several right answers, as a TREC run with its qrels.

        As `ScoreMatrix.of_queries`: a search of each pair of a query and a right answer, listed or
        not, without the other right ones.

        Parameters
        ----------
        scores, ids, searched, higher_is_better
            As of `from_neighbours`, one row per query.
        right : N lists
            The ids of its right answers; a query without one is left out.
        exhausted : (N,) array of bool, optional
            Whether a list has all that match its query. All others then tie at the worst score.

        Returns
        -------
        CandidateLists

        Raises
        ------
        InputError
            As `CandidateLists`; if no query has a right answer.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> matrix = ac.simulate(n_classes=200, points_per_class=1, variance=0.2)
        >>> ids = np.argsort(matrix.scores, axis=1)[:, :50]
        >>> near = np.take_along_axis(matrix.scores, ids, axis=1)
        >>> lists = ac.CandidateLists.of_queries(
        ...     near, ids, ids[:, 2:5], searched=200, higher_is_better=False
        ... )
        >>> ac.average_accuracy(lists, 200, measure="recall@5")
        array([1.])
        """
        from accuracy_curves.scores.neighbours import of_classes

        answers = [np.unique(np.asarray(items)) for items in right]
        counts = np.array([len(items) for items in answers])
        if not counts.any():
            raise InputError("no query has a right answer: at least one must have one")
        query = np.repeat(np.arange(len(counts)), counts)
        values, near, _ = as_arrays(scores, ids, counts)
        own = np.concatenate([items for items in answers if len(items)])
        codes, in_order = as_classes(near, own, searched), follow_each_other(query, own)
        query, classes, labels, rivals = pairs_of_lists(*codes, query)
        found = values[query], classes, labels, searched, higher_is_better
        ends = None if exhausted is None else np.asarray(exhausted)[query]
        lists = of_classes(*found, ends, rivals)
        lists = lists.redesigned(in_order=in_order)
        if counts.all():
            return lists
        left_out = f"left out, without a right answer: {np.count_nonzero(counts == 0):,} queries"
        return lists.derive(origin=(*lists.origin, left_out))

    def _of_groups(self, names: AnyArray, group: IntArray) -> Self:
        home, there = group[self.labels], self.classes != NONE
        listed = np.where(there, group[self.classes], NONE)
        better = there & (self.scores > self.correct[:, None])
        fixed = np.count_nonzero(better & (listed == home[:, None]), axis=1)
        listed = np.where(listed == home[:, None], NONE, listed)
        rows, places = np.nonzero(better & (listed != NONE))
        pairs, sizes = np.unique(rows * len(names) + listed[rows, places], return_counts=True)
        rivals = rivals_of_groups(fixed, pairs // len(names), sizes)
        scores, classes = to_front(self.scores, np.where(first_of_each(listed), listed, NONE))
        design = replace(self.design, rivals=rivals)
        changes = {"scores": scores, "classes": classes, "labels": home, "design": design}
        return self.derive(**changes, n_classes=len(names))

    def check_lengths(self, top: int = 1, growth: float | None = 1.0) -> None:
        """Raise `InputError` where lists are too short to predict, or to predict the top `top`.

        Among `growth` times as many classes the first t hold those of the first t / growth. Where
        it is None, nothing is predicted.
        """
        needed = top
        if growth is not None:
            needed = max(SHORTEST, math.ceil(LISTED_OF_TOP * top / max(1.0, growth)))
        # The right class may be one of them, and so may the other right ones.
        own = 0 if self.design.rivals is None else self.design.rivals.beating
        short = self._known_lengths + own < min(needed, self.n_classes) - 1
        if growth is None:
            short &= self.censored
        if short.mean() > SHORT_SHARE:
            what = f" for the first {top:,}" if top > 1 else ""
            raise InputError(
                f"{np.count_nonzero(short):,} of {self.n_points:,} searches list fewer than "
                f"{needed:,} candidates: give lists of {needed:,} or more{what}, poor ones too"
            )

    @cached_property
    def lengths(self) -> IntArray:
        """Number of incorrect classes listed, (N,)."""
        return np.count_nonzero(self.classes != NONE, axis=1)

    @cached_property
    def usual_length(self) -> int:
        """Number of incorrect classes that all lists but 1 % have, whole ones aside."""
        return int(np.quantile(self._known_lengths, SHORT_SHARE))

    @property
    def _known_lengths(self) -> IntArray:
        return np.where(self.ends == -np.inf, self.n_classes - 1, self.lengths)

    @cached_property
    def censored(self) -> BoolArray:
        """Whether the rank of the right class is not known, as it is not above the end, (N,)."""
        return ~(self.correct > self.ends) & (self.ends > -np.inf) & (not self.is_complete)

    @cached_property
    def counts_at_end(self) -> tuple[IntArray, IntArray]:
        """Count as of a right class that ties with the end of its list: no unlisted one is better.

        In an empty list it is a miss.
        """
        end, there = self.ends[:, None], self.ends < np.inf
        better = np.count_nonzero(self.scores > end, axis=1)
        tied = np.count_nonzero(self.scores == end, axis=1)
        return there * (self.n_classes - 1 - better - tied), there * tied

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        """Count as a matrix does; all outscore a right class whose rank is not known."""
        known, (better, tied) = ~self.censored, self.count_listed()
        # Beyond a list that has all that match, the right class ties with others.
        unlisted = known & (self.correct == -np.inf)
        tied = np.where(unlisted, self.n_classes - 1 - better, tied)
        return known * (self.n_classes - 1 - better - tied), known * tied

    def count_listed(self) -> IntArray:
        """Count the listed classes that are better than the right one, and at its score, (2, N)."""
        own, there = self.correct[:, None], self.classes != NONE
        counted = self.scores > own, self.scores == own
        return np.stack([np.count_nonzero(where & there, axis=1) for where in counted])

    def incorrect(self, points: IntArray) -> Iterator[Incorrect]:
        """Yield as of a matrix; all listed are above a class whose rank is not known."""
        own = np.where(self.censored, -np.inf, self.correct)
        for here in row_blocks(len(points), self.scores.shape[1]):
            rows = points[here]
            scores = np.where(self.classes[rows] == NONE, np.nan, self.scores[rows])
            yield here, own[rows, None], scores, self.classes[rows].clip(min=0)

    def blocks(self, points: IntArray | None = None) -> Iterator[tuple[slice, FloatArray]]:
        """Yield as `ScoreMatrix.blocks`: all rows at once, -inf where there is no score."""
        rows = np.arange(self.n_points) if points is None else points
        yield slice(0, len(rows)), np.column_stack([self.scores, self.correct])[rows]

    def nearest(
        self, m: int, placed: Placed | None = None, points: IntArray | None = None
    ) -> Iterator[tuple[IntArray, FloatArray, FloatArray]]:
        """Yield as `ScoreMatrix.nearest`, of lists of each length: at and below the m-th best."""
        among = np.arange(self.n_points) if points is None else points
        for length in np.unique(self.lengths[among]):
            of_length = among[self.lengths[among] == length]
            for rows in (of_length[here] for here in row_blocks(len(of_length), length)):
                some: FloatArray = self.scores[rows, :length][:, ::-1]
                if placed is not None:
                    some = np.sort(placed(some, rows, self.classes[rows, :length][:, ::-1]))
                yield rows, some[:, : length - m + 1], some[:, -min(2 * m, length) :]

    def setting_aside(self, rows: IntArray, columns: IntArray) -> Self:
        """Make listed pairs fixed rivals, as `ScoreMatrix.setting_aside`."""
        pairs = np.asarray(rows) * self.n_classes + columns
        own = np.arange(self.n_points)[:, None] * self.n_classes + self.classes
        fixed = np.isin(own, pairs) & (self.classes != NONE)
        beaten = fixed & (self.scores >= self.correct[:, None])
        scores, classes = to_front(self.scores, np.where(fixed, NONE, self.classes))
        design = self.design.adding_rivals(np.nonzero(beaten)[0], self.n_points)
        return self.derive(scores=scores, classes=classes, design=design)

    def _of_classes(self, rows: IntArray, classes: IntArray) -> dict[str, Any]:
        # The last place is that of no class.
        place = np.full(self.n_classes + 1, NONE, self.classes.dtype)
        place[classes] = np.arange(len(classes))
        scores, listed = to_front(self.scores[rows], place[self.classes[rows]])
        others = (name for name in self.of_points if name not in ("scores", "classes"))
        of_points = {name: getattr(self, name)[rows] for name in others}
        return of_points | {"scores": scores, "classes": listed, "n_classes": len(classes)}

    def _facts(self) -> list[str]:
        shortest, longest = self.lengths.min(), self.lengths.max()
        length = f"{longest:,}" if shortest == longest else f"{shortest:,} to {longest:,}"
        kind = "similarities" if self.higher_is_better else "distances"
        lists = f"lists of {length} of {self.n_classes:,} classes"
        return [f"{self.n_points:,} searches", lists, kind]
