"""Searches of a gallery: some have a mate there, others (label -1) have none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Self

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores import given_arrays
from accuracy_curves.scores.design import NO_DESIGN, Design
from accuracy_curves.scores.parts import random_halves, split
from accuracy_curves.scores.sample import as_matrix, assign, set_aside_failures, unchecked
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import (
    AnyArray,
    ArrayLike,
    BoolArray,
    Float64Array,
    FloatArray,
    IntArray,
)
from accuracy_curves.utils.representation import Described

NO_MATE = -1
# Where so many scores share a level, on average, there are few.
POINTS_A_LEVEL = 4


@dataclass(frozen=True, eq=False, repr=False)
class Searches(Described):
    """Scores of searches against every enrolled identity; or of verification trials.

    The false positives are counted among the searches without a mate. If there are none, the
    incorrect scores of the searches with a mate serve in their place.

    A verification trial is a search of a gallery of one: a list of trials has one column, and the
    labels 0 (genuine) and -1 (impostor). Only the method "binomial" takes such a list, as it does
    not say which scores are of one person.

    Parameters
    ----------
    scores : (N, K) array of float, or DataFrame
        Row = search, column = enrolled identity; (N, 1) for trials.
    labels : (N,) array of int or str
        Column of each search's mate, or its name; -1 where it has none. At least one search needs
        a mate.
    higher_is_better : bool
        True for similarities, False for distances.
    classes : (K,) array, optional
        Names of the columns, as of `accuracy_curves.ScoreMatrix`.
    weigh_points : bool
        Whether each search weighs the same, and not each enrolled person: rates count searches
        (ISO/IEC 19795-1). With an equal number of searches for each nothing changes.

    Raises
    ------
    InputError
        As `accuracy_curves.ScoreMatrix`; or if no search has a mate.

    See Also
    --------
    load_searches : for files.
    score_identities : for queries compared with photos of a gallery.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[9.0, 1, 2], [2, 8, 3], [3, 2, 4]])
    >>> searches = ac.Searches(scores, np.array([0, 1, -1]))
    >>> searches.mated.n_points, len(searches.non_mated)
    (2, 1)

    Trials:

    >>> genuine, impostor = [3.1, 2.4], [0.1, -0.4, 0.9]
    >>> ac.Searches(np.r_[genuine, impostor][:, None], [0, 0, -1, -1, -1])
    <Searches: 2 genuine trials, 3 impostor trials, similarities>
    """

    scores: FloatArray
    labels: IntArray
    higher_is_better: bool = True
    classes: AnyArray | None = None
    weigh_points: bool = True
    # Of their photos, and rows of the file.
    design: Design = field(default=NO_DESIGN, init=False)
    # What was left out, a sentence each.
    origin: tuple[str, ...] = field(default=(), init=False)

    def __post_init__(self) -> None:
        labels = given_arrays.as_labels(self.labels)
        absent = given_arrays.of_nobody(labels)
        if absent.size and absent.all():
            raise InputError(
                "no search has a mate: all labels are -1. At least one must be the column of its "
                "enrolled identity"
            )
        mated = np.where(absent, labels[~absent][0], labels) if absent.any() else labels
        arrays, better = (self.scores, mated, self.classes), self.higher_is_better
        checked = given_arrays.check_scores(*arrays, higher_is_better=better, absent=absent)
        scores, columns, names, kept = checked
        absent = absent[kept]
        if scores.shape[1] == 1 and not absent.any():
            raise InputError("all trials are genuine: impostor trials, of label -1, are needed too")
        assign(self, scores=scores, labels=np.where(absent, NO_MATE, columns), classes=names)

    @classmethod
    def of(cls, matrix: ScoreMatrix | Searches) -> Searches:
        """Take the points of a score matrix for searches."""
        if isinstance(matrix, Searches):
            return matrix
        names = ("scores", "labels", "higher_is_better", "classes")
        same = {name: getattr(as_matrix(matrix), name) for name in names}
        kept = ("photos", "file_rows", "several_photos")
        design = Design(**{name: getattr(matrix.design, name) for name in kept})
        equally = matrix.design.weigh_points is not False
        return unchecked(Searches, **same, weigh_points=equally, design=design)

    def _facts(self) -> list[str]:
        strangers = int((self.labels == NO_MATE).sum())
        mated = len(self.labels) - strangers
        kind = "similarities" if self.higher_is_better else "distances"
        if self.are_trials:
            return [f"{mated:,} genuine trials", f"{strangers:,} impostor trials", kind]
        both = [f"{mated:,} searches with a mate", f"{strangers:,} without"]
        return [*both, f"{self.n_classes:,} enrolled identities", kind]

    @property
    def n_classes(self) -> int:
        """Number of enrolled identities K."""
        return int(self.scores.shape[1])

    @property
    def are_trials(self) -> bool:
        """Whether each search is of a gallery of one."""
        return self.n_classes == 1

    @cached_property
    def mated(self) -> ScoreMatrix:
        """The searches that have a mate."""
        if not self.has_non_mated:
            return self._matrix(self.scores, self.labels, self.classes, self.design)
        rows = np.flatnonzero(self.labels != NO_MATE)
        of_file = rows if self.design.file_rows is None else self.design.file_rows[rows]
        design = replace(self.design, file_rows=of_file)
        return self._matrix(self.scores[rows], self.labels[rows], self.classes, design)

    @property
    def non_mated(self) -> FloatArray:
        """Scores of the searches that have none, (M, K)."""
        return self.scores[self.labels == NO_MATE]

    def as_points(self) -> ScoreMatrix:
        """All searches as points; a search without a mate is a point of its worst column."""
        if not self.has_non_mated:
            return self.mated
        worst = np.argmin if self.higher_is_better else np.argmax
        labels = self.labels.copy()
        labels[labels == NO_MATE] = worst(self.non_mated, axis=1)
        return self._matrix(self.scores, labels, self.classes, self.design)

    def _matrix(
        self,
        scores: FloatArray,
        labels: IntArray,
        classes: AnyArray | None = None,
        design: Design = NO_DESIGN,
    ) -> ScoreMatrix:
        """Make a score matrix of such scores; its points weigh as these searches do."""
        same = {"higher_is_better": self.higher_is_better, "classes": classes}
        design = replace(design, weigh_points=self.weigh_points)
        return unchecked(ScoreMatrix, scores=scores, labels=labels, design=design, **same)

    def derive(self, **changes: object) -> Self:
        """Make searches with some other fields, as `Sample.derive`."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return unchecked(type(self), **(values | changes))

    @cached_property
    def failed(self) -> BoolArray:
        """Whether all scores of a search are equal, (N,), as of `ScoreMatrix`; of trials none."""
        equal = np.equal(self.scores.max(axis=1), self.scores.min(axis=1))
        return equal & (not self.are_trials)

    def set_aside_failures(self) -> tuple[Searches, Float64Array, Float64Array]:
        """Leave out the searches that failed, as no fit learns from them.

        Gives the others, whose weights stay in proportion; and, of the failed ones among the rows
        of `impostor`, the score, higher is better, and the weight. Where all of those
        failed nothing is left out.
        """
        failed = self.failed[self.labels == NO_MATE] if self.has_non_mated else self.failed
        if not self.failed.any() or failed.all():
            return self, np.empty(0), np.empty(0)
        kept = ~self.failed
        mated, _ = set_aside_failures(self.mated)
        rest = {"scores": self.scores[kept], "labels": self.labels[kept], "design": NO_DESIGN}
        others = self.derive(**rest, mated=mated)
        scores = self.impostor[failed, -1].astype(np.float64)
        return others, scores, self.impostor_weights[failed]

    @cached_property
    def sum_of_probabilities(self) -> float | None:
        """What each row of probabilities sums to; None where scores are others."""
        if not self.higher_is_better or self.are_trials:
            return None
        total = given_arrays.sum_of_probabilities(self.scores)
        # Counts may have one sum, too; of whole numbers only percentages are probabilities.
        return total if total in (None, 100) or (self.scores % 1).any() else None

    @cached_property
    def _least(self) -> float:
        """Half of the least probability that is not zero: in its place."""
        return float(np.min(self.scores, where=self.scores > 0, initial=np.inf)) / 2

    def for_tail(self) -> Searches:
        """Put the scores on the scale that tails are fitted on, where higher is better.

        Distances are negated. Probabilities end at 1: each is taken as its logarithm, less that of
        the sum of the others in its row. Other scores stay.
        """
        if self.sum_of_probabilities is None:
            if self.higher_is_better:
                return self
            return self.derive(scores=-self.scores, higher_is_better=True)
        scores = self.scores.astype(np.float64)
        others = scores.sum(axis=1, keepdims=True) - scores
        # All digits of what is left beside a probability near 1.
        best = scores.argmax(axis=1)[:, None]
        rest = scores.copy()
        np.put_along_axis(rest, best, 0.0, axis=1)
        np.put_along_axis(others, best, rest.sum(axis=1, keepdims=True), axis=1)
        scores = np.log(np.maximum(scores, self._least)) - np.log(np.maximum(others, self._least))
        return self.derive(scores=scores, higher_is_better=True)

    def weighing_points(self, equally: bool = True) -> Searches:
        """Copy in which each search weighs the same, or else each enrolled person."""
        return self.derive(weigh_points=equally)

    def oriented(self, thresholds: ArrayLike) -> Float64Array:
        """Put thresholds as they were given on the scale of `for_tail`, where higher is better.

        One that no distance or probability can reach is infinite.
        """
        raw, total = np.asarray(thresholds, dtype=np.float64), self.sum_of_probabilities
        if total is None:
            if not self.higher_is_better and self.largest <= 0:  # Distances.
                return np.where(raw < 0, np.inf, -raw)
            return raw if self.higher_is_better else -raw
        one, other = (np.maximum(p, self._least) for p in (raw, total - raw))
        inside = np.where(raw < 0, -np.inf, np.log(one) - np.log(other))
        return np.where(raw > total, np.inf, inside)

    def as_given(self, oriented: ArrayLike) -> Float64Array:
        """Take thresholds back."""
        scaled = np.asarray(oriented, dtype=np.float64)
        if self.sum_of_probabilities is None:
            return scaled if self.higher_is_better else -scaled
        from scipy.special import expit

        return np.where(scaled == np.inf, np.inf, self.sum_of_probabilities * expit(scaled))

    @cached_property
    def levels(self) -> Float64Array | None:
        """The few scores that decide, ascending, higher is better; None where they are many.

        Those of the mates, and of the best others.
        """
        decide = np.append(self.genuine, self.impostor[:, -1])
        levels = np.unique(decide)
        few = len(levels) * POINTS_A_LEVEL <= len(decide) and not self.are_trials
        return levels if few and self.sum_of_probabilities is None else None

    def as_threshold(self, oriented: ArrayLike) -> Float64Array:
        """Take thresholds back, as levels where there are few: between two nothing changes."""
        found = np.asarray(oriented, dtype=np.float64)
        if self.levels is not None:
            found = np.append(self.levels, np.inf)[np.searchsorted(self.levels, found)]
        return self.as_given(found)

    @cached_property
    def largest(self) -> float:
        """Largest score of all, higher is better: what lies beyond accepts nobody."""
        return float(self.scores.max() if self.higher_is_better else -self.scores.min())

    @cached_property
    def genuine(self) -> Float64Array:
        """Score of each mated search for its mate, (N,); higher is better."""
        return self.mated.correct.astype(np.float64)

    @cached_property
    def impostor(self) -> FloatArray:
        """Scores that a false positive may come from, (N, n), ascending in each row.

        Higher is better; n is K for searches without a mate, else K - 1.
        """
        if self.has_non_mated:
            scores = self.non_mated  # In the precision that they are stored in.
            return np.sort(scores if self.higher_is_better else -scores, axis=1)
        return split(self.mated)[1]

    @cached_property
    def has_non_mated(self) -> bool:
        """Whether a search has no mate."""
        return bool((self.labels == NO_MATE).any())

    @cached_property
    def impostor_weights(self) -> Float64Array:
        """Weight of each row of `impostor`, summing to 1.

        Searches without a mate weigh the same.
        """
        rows = len(self.impostor)
        return np.full(rows, 1 / rows) if self.has_non_mated else self.mated.weights

    def with_threshold(self, oriented: float) -> ScoreMatrix:
        """Replace the correct scores by a threshold; searches without a mate get such a column.

        FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the matrix, of n + 1
        classes. Higher is better, and a score that equals the threshold is accepted. So
        where one does, the threshold is moved half of the way to the next score below, and nothing
        ties with it.
        """
        if (self.impostor == oriented).any():
            below = self.impostor[self.impostor < oriented]
            oriented = (oriented + float(below.max())) / 2 if below.size else oriented - 1
        threshold = oriented if self.higher_is_better else -oriented
        if self.has_non_mated:
            scores = self.non_mated
            # In all columns in turn, as some methods draw classes that must have points.
            own = np.arange(len(scores)) % (self.n_classes + 1)
            others = np.arange(self.n_classes + 1) != own[:, None]
            replaced = np.full(others.shape, threshold)
            replaced[others] = scores.ravel()
            return self._matrix(replaced, own).weighing_points()
        scores = self.mated.scores.astype(np.float64)
        scores[np.arange(len(scores)), self.mated.labels] = threshold
        # In reverse, as for the published results: methods draw of the rows in their order.
        return self._matrix(scores[::-1], self.mated.labels[::-1])

    def halves(self, splits: int, seed: int = 0) -> Iterator[Self]:
        """Split the identities, and the searches without a mate, into two halves, several times.

        Yields the two halves of a split, then of the next; K // 2 identities each.
        """
        non_mated = self.non_mated
        for classes, strangers in random_halves(self.n_classes, splits, seed, len(non_mated)):
            mated = self.mated.select_classes(classes)
            scores, labels = mated.scores, mated.labels
            if len(strangers):
                scores = np.concatenate([scores, non_mated[np.ix_(strangers, classes)]])
                labels = np.concatenate([labels, np.full(len(strangers), NO_MATE)])
            changes = {"scores": scores, "labels": labels, "classes": mated.classes}
            half = self.derive(**changes, design=NO_DESIGN)
            # A large matrix is reduced once, and not each half.
            if self.mated.reduced is not self.mated:
                reduced = self.mated.reduced.select_classes(classes)
                half = half.derive(mated=mated.derive(reduced=reduced))
            yield half
