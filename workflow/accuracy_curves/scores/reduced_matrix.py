"""Large score matrices, reduced once to lists of the best scores, in which every rank is known."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.ranks import put, unchecked
from accuracy_curves.scores.score_matrix import ScoreMatrix, best_of_rows
from accuracy_curves.utils.arrays import Float64Array, IntArray

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
    of_points = CandidateLists.of_points | {"beyond", "moments"}

    beyond: IntArray
    moments: Float64Array

    @classmethod
    def of(cls, matrix: ScoreMatrix) -> Self:
        """Keep the best incorrect scores of each row."""
        scores = np.empty((matrix.n_points, LISTED), matrix.scores.dtype)
        classes = np.empty(scores.shape, np.int32)
        for rows, block in matrix.blocks():
            others = block.copy()
            others[np.arange(len(block)), matrix.labels[rows]] = -np.inf
            scores[rows], classes[rows] = best_of_rows(others, LISTED)
        names = ("labels", "n_classes", "correct", "higher_is_better", "moments")
        same = {name: getattr(matrix, name) for name in names}
        found = unchecked(cls, scores=scores, classes=classes, ends=scores[:, -1], **same)
        found = found.carrying(matrix)
        outscored, tied = matrix.outscored_and_tied()
        counts = np.stack([matrix.n_classes - 1 - outscored - tied, tied]) - found.count_listed()
        return put(found, beyond=counts.T)

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        better, tied = self.count_listed() + self.beyond.T
        return self.n_classes - 1 - better - tied, tied

    def check_lengths(self, top: int = 1) -> None:
        """Do nothing: the ranks tell the accuracy of any top."""

    def select_classes(self, classes: IntArray) -> Self:
        """Keep classes; beyond the lists are as many of them as are expected there."""
        found, rows = super().select_classes(classes), np.isin(self.labels, classes)
        share = (found.n_classes - 1 - found.lengths) / (self.n_classes - 1 - self.lengths[rows])
        return put(found, beyond=np.rint(found.beyond * share[:, None]).astype(np.int64))


def reduced(sample: Any) -> Any:
    """Reduce a large score matrix, once; other samples are as they are, unless their whole was."""
    if "reduced" in vars(sample):
        return vars(sample)["reduced"]
    few = sample.whole is None or sample.n_classes < LEAST_CLASSES
    if few or sample.n_points * sample.n_classes <= MOST_SCORES:
        return sample
    vars(sample)["reduced"] = found = ReducedMatrix.of(sample)
    return found
