"""Ranks: how many incorrect classes each point's correct class outscores."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import check_shape
from accuracy_curves.scores.sample import Sample, assign
from accuracy_curves.utils.arrays import IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(Sample):
    """Ranks of the correct classes, without the scores behind them.

    `accuracy_curves.average_accuracy` and every method whose `needs` is "ranks" take it.

    Parameters
    ----------
    outscored : (N,) array of int
        Incorrect classes with a worse score than the correct one, from 0 to K - 1.
    tied : (N,) array of int
        Incorrect classes with exactly the correct score.
    labels : (N,) array of int
        Each point's correct class, in ``[0, K)``.
    n_classes : int
        K.

    Raises
    ------
    InputError
        If the shapes disagree, there is no point, or a number is out of its range.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> ranked = ac.Ranks(outscored=[9, 9, 4], tied=[0, 0, 0], labels=[0, 1, 2], n_classes=10)
    >>> ac.average_accuracy(ranked, 10).round(3)
    array([0.667])
    """

    is_divisible = False
    of_points = ("outscored", "tied", "labels")

    outscored: IntArray
    tied: IntArray
    labels: IntArray
    n_classes: int

    def __post_init__(self) -> None:
        for name in ("outscored", "tied", "labels"):
            array = np.asarray(getattr(self, name))
            check_shape(name, array, np.size(self.labels) or 1)
            if array.dtype.kind not in "iu":
                raise InputError(f"{name} must be whole numbers, not {array.dtype}")
            assign(self, **{name: array.astype(np.int64)})
        low = min(self.outscored.min(), self.tied.min(), self.labels.min())
        high = max((self.outscored + self.tied).max(), self.labels.max())
        if low < 0 or high >= self.n_classes:
            raise InputError(
                f"ranks, ties and labels of {self.n_classes} classes must be from 0 to "
                f"{self.n_classes - 1}: they are from {low} to {high}"
            )

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        return self.outscored, self.tied
