"""Searches of a gallery: some have a mate there, others (label -1) have none."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import TEXTS, AnyArray, as_labels
from accuracy_curves.scores.ranks import not_a_sample
from accuracy_curves.scores.score_matrix import (
    MINIMUM_CLASSES,
    ScoreMatrix,
    check_scores,
    split,
    unchecked,
)
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.representation import Described
from accuracy_curves.utils.seeds import derive_seed

NO_MATE = -1


@dataclass(frozen=True, eq=False, repr=False)
class Searches(Described):
    """Scores of searches against every enrolled identity; or of verification trials.

    The false positives are counted among the searches without a mate. If there are none, the
    incorrect scores of the searches with a mate serve in their place.

    A verification trial is a search of a gallery of one: a list of trials has one column, and the
    labels 0 (genuine) and -1 (impostor). Only the method "binomial" takes such a list, as it does
    not tell which scores are of one person.

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

    def __post_init__(self) -> None:
        labels = as_labels(self.labels)
        absent = labels == (str(NO_MATE) if labels.dtype.kind in TEXTS else NO_MATE)
        if absent.size and absent.all():
            raise InputError(
                "no search has a mate: all labels are -1. At least one must be the column of its "
                "enrolled identity"
            )
        mated = np.where(absent, labels[~absent][0], labels) if absent.any() else labels
        fewest = 1 if np.shape(self.scores)[1:] == (1,) else MINIMUM_CLASSES
        scores, columns, names = check_scores(self.scores, mated, self.classes, fewest)
        if scores.shape[1] == 1 and not absent.any():
            raise InputError("all trials are genuine: impostor trials, of label -1, are needed too")
        columns = np.where(absent, NO_MATE, columns)
        for name, value in (("scores", scores), ("labels", columns), ("classes", names)):
            object.__setattr__(self, name, value)

    @classmethod
    def of(cls, matrix: "ScoreMatrix | Searches") -> "Searches":
        """Take the points of a score matrix for searches."""
        if isinstance(matrix, Searches):
            return matrix
        if not isinstance(matrix, ScoreMatrix):
            raise not_a_sample(matrix)
        given = matrix.scores, matrix.labels, matrix.higher_is_better, matrix.classes
        return unchecked(Searches, *given)

    def _facts(self) -> list[str]:
        strangers = int((self.labels == NO_MATE).sum())
        kind = "similarities" if self.higher_is_better else "distances"
        mated = len(self.labels) - strangers
        if self.are_trials:
            return [f"{mated:,} genuine trials", f"{strangers:,} impostor trials", kind]
        return [
            f"{mated:,} searches with a mate",
            f"{strangers:,} without",
            f"{self.n_classes:,} enrolled identities",
            kind,
        ]

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
        rows = slice(None) if not self.has_non_mated else self.labels != NO_MATE
        given = self.scores[rows], self.labels[rows], self.higher_is_better, self.classes
        return unchecked(ScoreMatrix, *given)

    @property
    def non_mated(self) -> FloatArray:
        """Scores of the searches that have none, (M, K)."""
        return self.scores[self.labels == NO_MATE]

    @cached_property
    def are_distances(self) -> bool:
        """Whether lower is better and no score is negative."""
        return not self.higher_is_better and bool(self.scores.min() >= 0)

    @cached_property
    def _zero_counts_as(self) -> float:
        """Half of the least distance above zero, where a distance is zero; else 0."""
        if self.scores.min() > 0:
            return 0.0
        above = self.scores[self.scores > 0]
        return float(above.min()) / 2 if above.size else 1.0

    def oriented(self, scores: npt.ArrayLike) -> Float64Array:
        """Put scores or thresholds as they were given on the scale of the tails: higher is better.

        -log of distances, since P(distance < r) ~ r^d near zero; other scores as they are, negated
        where lower is better. A distance of zero counts as half of the least other.
        """
        given = np.asarray(scores, dtype=np.float64)
        if not self.are_distances:
            return given if self.higher_is_better else -given
        with np.errstate(divide="ignore"):
            logs: Float64Array = -np.log(np.maximum(given, self._zero_counts_as))
        return np.where(given < 0, np.inf, logs)

    def as_given(self, oriented: npt.ArrayLike) -> Float64Array:
        """Take thresholds back; a distance below zero refuses everybody."""
        found = np.asarray(oriented, dtype=np.float64)
        if self.are_distances:
            distances = np.exp(-found)
            return np.asarray(np.where(distances < self._zero_counts_as, -1.0, distances))
        return found if self.higher_is_better else -found

    @cached_property
    def genuine(self) -> Float64Array:
        """Score of each mated search for its mate, (N,), on the scale of `oriented`."""
        own = self.mated.scores[np.arange(self.mated.n_points), self.mated.labels]
        return self.oriented(own)

    @cached_property
    def impostor(self) -> FloatArray:
        """Scores that a false positive may come from, (N, n), ascending in each row.

        On the scale of `oriented`; n is K for searches without a mate, else K - 1.
        """
        if self.has_non_mated:
            return np.sort(self._oriented(self.non_mated), axis=1)
        # `split` negates distances.
        incorrect = split(self.mated)[1]
        return self._oriented(incorrect if self.higher_is_better else -incorrect)

    def _oriented(self, scores: FloatArray) -> FloatArray:
        """`oriented`, of scores that need no logarithm as they are stored: half of the memory."""
        if self.are_distances:
            return self.oriented(scores)
        return scores if self.higher_is_better else -scores

    @cached_property
    def has_non_mated(self) -> bool:
        """Whether a search has no mate."""
        return bool((self.labels == NO_MATE).any())

    @cached_property
    def impostor_weights(self) -> Float64Array:
        """Weight of each row of `impostor`, summing to 1.

        Searches without a mate weigh equally; of those with one each identity does.
        """
        rows = len(self.impostor)
        return np.full(rows, 1 / rows) if self.has_non_mated else self.mated.weights

    def with_threshold(self, oriented: float) -> ScoreMatrix:
        """Replace the correct scores by a threshold; searches without a mate get such a column.

        FPIR(k, T) is 1 minus the expected accuracy at k + 1 classes of the matrix, of n + 1
        classes. A score that equals the threshold, on the scale of `oriented`, is accepted. So
        where one does, the threshold is moved half of the way to the next score below, and nothing
        ties with it.
        """
        if (self.impostor == oriented).any():
            below = self.impostor[self.impostor < oriented]
            oriented = (oriented + float(below.max())) / 2 if below.size else oriented - 1
        threshold = float(self.as_given(oriented))
        if self.has_non_mated:
            scores = self.non_mated.astype(np.float64)
            added = np.full((len(scores), 1), threshold)
            own = np.full(len(scores), self.n_classes)
            return unchecked(ScoreMatrix, np.hstack([scores, added]), own, self.higher_is_better)
        scores = self.mated.scores.astype(np.float64)
        scores[np.arange(len(scores)), self.mated.labels] = threshold
        # In reverse, as for the published results: methods draw of the rows in their order.
        given = scores[::-1], self.mated.labels[::-1], self.higher_is_better
        return unchecked(ScoreMatrix, *given)

    def halves(self, splits: int, seed: int = 0) -> Iterator[Self]:
        """Split the identities, and the searches without a mate, into two halves, several times.

        Yields the two halves of a split, then of the next; K // 2 identities each.
        """
        rng = np.random.default_rng(derive_seed(seed, "intervals", "splits"))
        half, non_mated = self.n_classes // 2, self.non_mated
        for _ in range(splits):
            order = rng.permutation(self.n_classes)
            strangers = rng.permutation(len(non_mated))
            for part in (0, 1):
                classes = np.sort(order[part * half : (part + 1) * half])
                mated = self.mated.select_classes(classes)
                others = non_mated[np.ix_(strangers[part::2], classes)]
                scores, labels = mated.scores, mated.labels
                if len(others):
                    scores = np.concatenate([scores, others])
                    labels = np.concatenate([labels, np.full(len(others), NO_MATE)])
                yield unchecked(type(self), scores, labels, self.higher_is_better)
