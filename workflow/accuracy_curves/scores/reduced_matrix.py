"""Large score matrices, reduced once to lists of the best scores, in which every rank is known."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.rivals import moments_of
from accuracy_curves.scores.sample import unchecked
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray

if TYPE_CHECKING:
    from accuracy_curves.scores.score_matrix import ScoreMatrix

# Matrices of more scores, and at least so many classes, are reduced to lists of this length.
MOST_SCORES, LEAST_CLASSES, LISTED = 10**7, 2000, 200


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReducedMatrix(CandidateLists):
    """The best incorrect scores of each row of a score matrix, and what is known of the others.

    `beyond`, (N, 2), counts the classes beyond the end of each list that are better than the
    correct one, or tie with it; in a half as many as are expected there, rounded. `moments` are
    those of `ScoreMatrix`; in a half those of the whole rows.
    """

    is_complete = True
    of_points = (*CandidateLists.of_points, "beyond", "moments")

    beyond: IntArray
    moments: Float64Array

    @classmethod
    def of(cls, matrix: "ScoreMatrix") -> Self:
        """Keep the best incorrect scores of each row."""
        scores = np.empty((matrix.n_points, LISTED), matrix.scores.dtype)
        classes, moments = np.empty(scores.shape, np.int32), np.empty((matrix.n_points, 2))
        for rows, block in matrix.blocks():
            moments[rows] = moments_of(block, matrix.labels[rows])
            others = block.copy()
            others[np.arange(len(block)), matrix.labels[rows]] = -np.inf
            scores[rows], classes[rows] = best_of_rows(others, LISTED)
        (outscored, tied), own = matrix.outscored_and_tied(), matrix.correct[:, None]
        of_all = matrix.n_classes - 1 - outscored - tied, tied
        listed = (np.count_nonzero(better, axis=1) for better in (scores > own, scores == own))
        names = ("labels", "n_classes", "correct", "higher_is_better", "design")
        return unchecked(
            cls,
            scores=scores,
            classes=classes,
            ends=scores[:, -1],
            moments=moments,
            beyond=np.column_stack([*of_all]) - np.column_stack([*listed]),
            **{name: getattr(matrix, name) for name in names},
        )

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        better, tied = self.count_listed() + self.beyond.T
        return self.n_classes - 1 - better - tied, tied

    def check_lengths(self, top: int = 1, growth: float | None = 1.0) -> None:
        """Do nothing: the ranks give the accuracy of any top."""

    def select_classes(self, classes: IntArray) -> Self:
        """Keep classes; beyond the lists are as many of them as are expected there."""
        part, rows = super().select_classes(classes), np.isin(self.labels, classes)
        share = (part.n_classes - 1 - part.lengths) / (self.n_classes - 1 - self.lengths[rows])
        return part.derive(beyond=np.rint(part.beyond * share[:, None]).astype(np.int64))


def best_of_rows(block: FloatArray, n: int) -> tuple[FloatArray, IntArray]:
    """Find the n best scores of each row, best first, and their columns; both (rows, n)."""
    # The values alone are found in half of the time that their places take.
    least, best = np.partition(block, -n, axis=1)[:, -n], np.empty((len(block), n), np.int64)
    for place, row in enumerate(block):
        above = np.flatnonzero(row >= least[place])
        best[place] = above[np.argsort(-row[above], kind="stable")[:n]]
    return np.take_along_axis(block, best, axis=1), best
