"""The score matrix: check, orient, split into correct and incorrect scores, subsample classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from accuracy_curves.cautions import warn_left_out
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores import given_arrays, reduced_matrix, rivals
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.design import Design
from accuracy_curves.scores.sample import ALL, Index, Placed, Sample, assign, unchecked
from accuracy_curves.utils.arrays import (
    AnyArray,
    ArrayLike,
    Float64Array,
    FloatArray,
    IntArray,
    row_blocks,
)
from accuracy_curves.utils.validation import Whole, check


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix(Sample):
    """Scores of every data point for every class.

    Parameters
    ----------
    scores : (N, K) array of float, or DataFrame
        Row = data point, column = class. An array, or a tensor of PyTorch or TensorFlow. May be
        memory-mapped: it is read in blocks of rows. It must not be changed afterwards, as its ranks
        are counted once. A class that is masked, or -inf (inf of distances), is no candidate for
        that point; of logarithms of probabilities -inf is the lowest.
    labels : (N,) array of int or str
        Column of each point's correct class, in ``[0, K)``; where the classes have names, the name.
        A class may have no point of its own: it is then only a competitor.
    higher_is_better : bool
        True for similarities and log probabilities, False for distances.
    classes : (K,) array, optional
        Names of the columns, in their order, numbers or texts; by default those of a DataFrame.
        Labels that are texts need them: ``classes=classifier.classes_`` of scikit-learn.

    Raises
    ------
    InputError
        If the shapes disagree, a score is not finite, or the largest is below 1e-12 or above 1e100
        in size. If a label is no class, or there are fewer than three classes. If rows and columns
        seem to be the same photos (see `score_identities`), or the scores decisions or counts.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[0.9, 0.1, 0.3], [0.2, 0.8, 0.7], [0.4, 0.6, 0.5]])
    >>> ac.ScoreMatrix(scores, labels=[0, 1, 2])
    <ScoreMatrix: 3 points, 3 classes, similarities, float64>

    >>> ac.ScoreMatrix(scores, ["ben", "cat", "ann"], classes=["ann", "ben", "cat"]).labels
    array([1, 2, 0])
    """

    has_scores = True
    of_points = ("scores", "labels")

    scores: FloatArray
    labels: IntArray
    higher_is_better: bool = True
    classes: AnyArray | None = None

    def __post_init__(self) -> None:
        fields, better = (self.scores, self.labels, self.classes), self.higher_is_better
        scores, labels, names, _ = given_arrays.check_scores(*fields, higher_is_better=better)
        assign(self, scores=scores, labels=labels, classes=names)

    def _facts(self) -> list[str]:
        kind = "similarities" if self.higher_is_better else "distances"
        return [*super()._facts(), kind, str(self.scores.dtype)]

    @property
    def n_classes(self) -> int:
        """Number of classes K."""
        return int(self.scores.shape[1])

    @property
    def whole(self) -> ScoreMatrix:
        """The matrix itself."""
        return self

    @property
    def names(self) -> AnyArray | None:
        """Names of the columns, where they have some."""
        return self.classes

    @cached_property
    def reduced(self) -> Sample:
        """The best scores of a large matrix, found once; others are as they are."""
        few = self.n_classes < reduced_matrix.LEAST_CLASSES
        few |= self.n_points * self.n_classes <= reduced_matrix.MOST_SCORES
        return self if few else reduced_matrix.ReducedMatrix.of(self)

    def _of_classes(self, rows: IntArray, classes: IntArray) -> dict[str, Any]:
        # Whole rows of a memory-mapped matrix might not fit in memory.
        scores = np.asarray(self.scores[np.ix_(rows, classes)])
        names = None if self.classes is None else self.classes[classes]
        return {"scores": scores, "classes": names}

    @classmethod
    def of_queries(
        cls,
        scores: object,
        right: ArrayLike | Sequence[ArrayLike],
        *,
        higher_is_better: bool = True,
    ) -> ScoreMatrix:
        """Take queries that have several right answers.

        Each pair of a query and a right answer is a point. The other right answers are no drawn
        rivals; better ones count in its rank. The accuracy is that of the best, the hit rate
        (`accuracy_curves.observed.measures.Measure`). Each query weighs the same.

        Parameters
        ----------
        scores : (N, K) array of float, or DataFrame
            Row = query, column = document, photo, item.
        right : (N, K) array of bool, or N lists of int
            Whether a column is a right answer; or the columns that are. A query without one is left
            out, with an `AccuracyWarning` (``"rows_left_out"``).
        higher_is_better : bool
            False for distances.

        Returns
        -------
        ScoreMatrix
            A row for each right answer, the best of a query first.

        Raises
        ------
        InputError
            As `ScoreMatrix`; if no query has a right answer, or shapes disagree.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> scores = np.array([[9.0, 7, 8, 1], [3, 2, 1, 4]])
        >>> matrix = ac.ScoreMatrix.of_queries(scores, [[0, 1], [0]])
        >>> [ac.average_accuracy(matrix, 4, measure=each)[0].item() for each in ("hit@1", "map@4")]
        [0.5, 0.6666666666666666]
        """
        sign = 1 if higher_is_better else -1
        array, names = given_arrays.as_scores(scores)
        marked = given_arrays.right_answers(right, array.shape)
        masked = np.isneginf(sign * array)
        points = marked & ~masked
        answered = points.any(axis=1)
        if not answered.any():
            raise InputError("no query has a right answer: at least one must have one")
        if lost := np.count_nonzero((marked & masked)[answered]):
            warn_left_out(given_arrays.MASKED, lost)
        if not answered.all():
            warn_left_out("queries without a right answer", np.count_nonzero(~answered))
        array, points, never_drawn = array[answered], points[answered], (marked | masked)[answered]
        best = np.where(points, sign * array, -np.inf).argmax(axis=1)
        own = best if names is None else names[best]
        checked, _, names, _ = given_arrays.check_scores(
            array, own, names, higher_is_better=higher_is_better
        )
        rows, labels, fixed = rivals.rows_of_queries(sign * checked, points, never_drawn)
        of_points = {"scores": sign * rows, "labels": labels, "higher_is_better": higher_is_better}
        design = Design(weigh_points=True, rivals=fixed)
        return unchecked(cls, **of_points, classes=names, design=design)

    @classmethod
    def from_drawn(
        cls,
        correct: ArrayLike,
        candidates: ArrayLike,
        *,
        higher_is_better: bool = True,
        seed: int = 0,
    ) -> ScoreMatrix:
        """Take searches that each have candidates of their own, sampled at random from one set.

        As recommenders are tested: each item among 99 others that were sampled for this user.

        Parameters
        ----------
        correct : (N,) array of float
            Score of each search for its right answer.
        candidates : (N, m) array of float
            Its scores for its candidates; NaN where it has fewer. All then keep as many as the
            search with the fewest has, at random.
        higher_is_better : bool
            False for distances.
        seed : int
            Seed of the place of the right answer, and of the candidates that are kept.

        Returns
        -------
        ScoreMatrix
            (N, m + 1); its columns are places, and no classes.

        Raises
        ------
        InputError
            As `ScoreMatrix`; if shapes disagree, or a search has fewer than two candidates.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> rng = np.random.default_rng(0)
        >>> items = rng.normal(size=(500, 99))
        >>> matrix = ac.ScoreMatrix.from_drawn(rng.normal(1.5, 1, size=500), items)
        >>> ac.Auto().fit(matrix).predict([100, 10_000], 10).round(1)
        array([0.6, 0.1])
        """
        own = given_arrays.as_scores(
            np.asarray(given_arrays.as_array(correct, "correct"), dtype=np.float64)
        )[0]
        others, _ = given_arrays.as_scores(candidates)
        given_arrays.check_shape("scores of right answers", own, None)
        given_arrays.check_shape("candidates", others, len(own), None)
        placed, labels = rivals.drawn_rows(own, others, seed)
        matrix = cls(placed, labels, higher_is_better)
        return matrix.redesigned(own_rivals=True, weigh_points=True)

    def _of_groups(self, names: AnyArray, group: IntArray) -> Self:
        best, labels, fixed = rivals.group_columns(self.blocks(), self.labels, group)
        changes = {"scores": best if self.higher_is_better else -best, "labels": labels}
        return self.derive(**changes, classes=names, design=replace(self.design, rivals=fixed))

    def joined_by(self, newcomers: ArrayLike) -> ScoreMatrix:
        """Say which classes come: predictions are of today's points as such classes join these.

        Parameters
        ----------
        newcomers : (N, m) array of float
            Scores of the points for m classes of the kind that comes, 20 or more; they need no
            points of their own.

        Returns
        -------
        ScoreMatrix
            Of which numbers of classes count the known classes and the newcomers.

        Raises
        ------
        InputError
            If there are too few newcomers, not a row for each point, or a score is not finite; or
            if rivals of the points stay already.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> matrix = ac.simulate(n_classes=90, variance=0.2)
        >>> known = matrix.select_classes(np.arange(60))
        >>> new = matrix.scores[: known.n_points, 60:]
        >>> ac.predict(known.joined_by(new), [600], "auto", splits=3).methods
        {'auto': 'Auto'}
        """
        scores = np.asarray(newcomers, dtype=np.float64)
        sign = 1 if self.higher_is_better else -1
        return self.derive(design=self.design.joined_by(sign * scores, self.n_points))

    def setting_aside(self, rows: IntArray, columns: IntArray) -> ScoreMatrix:
        """Take pairs of a point and a class, (n,) each, for rivals that stay at every number.

        As of a class that is the point's own under another name. The point is lost where such a
        class beats its own, or ties with it. Each pair is given once. The other scores of these
        pairs beat nobody.

        >>> import accuracy_curves as ac
        >>> matrix = ac.ScoreMatrix([[3.0, 4, 1], [2, 5, 1], [1, 2, 3]], [0, 1, 2])
        >>> ac.average_accuracy(matrix.setting_aside([0], [1]), [2, 3])
        array([0.66666667, 0.66666667])
        """
        rows, columns = np.asarray(rows), np.asarray(columns)
        sign, scores = 1 if self.higher_is_better else -1, np.array(self.scores)
        own = scores[rows, self.labels[rows]]
        beaten = sign * scores[rows, columns] >= sign * own
        scores[rows, columns] = sign * rivals.beaten_by(sign * scores[rows], sign * own)
        design = self.design.adding_rivals(rows[beaten], self.n_points)
        return self.derive(scores=scores, design=design)

    def with_fixed(self, names: object) -> ScoreMatrix:
        """Make classes fixed rivals, which are there at every number of classes.

        Such as "unmonitored", "background" or "other": no more of them come. Points of these
        classes are left out, and the number of classes is that of the others.

        Parameters
        ----------
        names : (n,) array
            Names of the classes, or columns where they have no names.

        Returns
        -------
        ScoreMatrix
            Without these columns. A point is lost where one of them beats its own, or ties with it.

        Raises
        ------
        InputError
            If a name is not one of a column, or no other class has a point.

        Examples
        --------
        >>> import accuracy_curves as ac
        >>> scores = [[3.0, 1, 0, 2], [1, 2, 0, 3], [0, 1, 4, 2], [0, 1, 1, 2]]
        >>> names = ["a", "b", "c", "none"]
        >>> matrix = ac.ScoreMatrix(scores, names, classes=names)
        >>> fixed = matrix.with_fixed(["none"])
        >>> fixed.n_classes, ac.average_accuracy(fixed, [2, 3]).round(2).tolist()
        (3, [0.67, 0.67])
        """
        wanted = given_arrays.as_labels(np.atleast_1d(np.asarray(names)), "names").astype(np.str_)
        known = self.column_names.astype(np.str_)
        fixed = np.unique(given_arrays.label_columns(wanted, known, self.n_classes)[0])
        others = np.setdiff1d(np.arange(self.n_classes), fixed)
        rows = np.flatnonzero(np.isin(self.labels, others))
        part = self.select_classes(others)
        sign = 1 if self.higher_is_better else -1
        beaten = sign * self.scores[np.ix_(rows, fixed)] >= self.correct[rows, None]
        lost = np.repeat(np.arange(len(rows)), beaten.sum(axis=1))
        return part.derive(design=part.design.adding_rivals(lost, len(rows)))

    def blocks(self, points: IntArray | None = None) -> Iterator[tuple[slice, FloatArray]]:
        """Yield scores in blocks of rows, of `points` or of all: which rows; higher is better."""
        for rows in row_blocks(self.n_points if points is None else len(points), self.n_classes):
            block = np.asarray(self.scores[rows if points is None else points[rows]])
            yield rows, block if self.higher_is_better else -block

    @cached_property
    def extremes(self) -> rivals.Extremes:
        """The least and the largest scores."""
        return rivals.Extremes.of(self.blocks(), self.n_classes)

    @property
    def correct(self) -> FloatArray:
        """Score of each point for its correct class, (N,); higher is better."""
        own: FloatArray = np.asarray(self.scores[np.arange(self.n_points), self.labels])
        return own if self.higher_is_better else -own

    @property
    def moments(self) -> Float64Array:
        """Mean and standard deviation of the incorrect scores of each point, (N, 2)."""
        parts = (rivals.moments_of(block, self.labels[rows]) for rows, block in self.blocks())
        return np.concatenate([*parts])

    def nearest(
        self, m: int, placed: Placed | None = None, points: IntArray | None = None
    ) -> Iterator[tuple[Index, FloatArray, FloatArray]]:
        """Yield rows, and what `nearest_incorrect` finds of their scores, or of those `placed`."""
        for here, block in self.blocks(points):
            rows = here if points is None else points[here]
            scores = block if placed is None else placed(block, rows, ALL)
            yield rows, *rivals.nearest_incorrect(scores, self.labels[rows], m)

    def candidates(self, n: int) -> CandidateLists:
        """Take the n best classes of each point, 20 or more, as a search engine lists them."""
        check("n", n, Whole(1))
        n = min(n, self.n_classes)
        best = (reduced_matrix.best_of_rows(block, n) for _, block in self.blocks())
        parts = zip(*best, strict=True)
        scores, classes = map(np.concatenate, parts)
        better = self.higher_is_better
        how: dict[str, Any] = {"higher_is_better": better, "searched": self.n_classes}
        arrays = scores if better else -scores, classes, self.labels
        return CandidateLists.from_neighbours(*arrays, **how).derive(design=self.design)
