"""The design of a sample: what is known of its points beside their scores and labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import check_shape
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.scores.same_photos import Photos
from accuracy_curves.utils.arrays import ArrayLike, Float64Array, FloatArray, IntArray

TRAININGS = ("jointly", "separately")
FEWEST_NEWCOMERS = 20
# Fields with a value for each point: a part keeps its points' values.
OF_POINTS = ("weights", "weight_classes", "newcomers", "owners", "file_rows", "row_keys")


@dataclass(frozen=True, eq=False)
class Design:
    """How points weigh, which rivals each of them keeps, and what the columns are.

    Every field says here what a part of the sample keeps of it: see `select`.

    Parameters
    ----------
    weigh_points : bool or None
        Whether every point weighs the same, or every class. None is what the kind does by default.
    weights : (N,) array of float, optional
        Weights of the points where `weigh_points` does not say them: parts keep their proportions.
    weight_classes : (N,) array of int, optional
        Classes that weigh the same, where labels are groups of them.
    rivals : FixedRivals, optional
        The rivals of each point that are not drawn; None where all are.
    own_rivals : bool
        Whether each point has rivals of its own, which were drawn for it alone.
    trained : {"jointly", "separately"}, optional
        How a classifier learned these classes: jointly, or each of them against the rest. None
        where the score of a class does not depend on the others.
    trained_classes : int
        How many classes it learned. Parts of the sample keep this number.
    newcomers : (N, m) array of float, optional
        Scores of the points for classes that join the known ones; higher is better.
    owners : (N,) array of int, optional
        Classes of the points, where the last column is each point's own score: that stays in every
        part.
    group_size : float
        Mean number of classes of a column: above 1 where columns are groups of classes.
    several_photos : bool
        Whether a column has the best score of several photos, which some measures count.
    in_order : bool
        Whether the right answers of queries follow each other, as frames of a route do.
    photos : Photos, optional
        The photos whose distances the scores are, where they are.
    file_rows : (N,) array of int, optional
        Rows of the points in the user's file, where it has others as well.
    row_keys, column_keys : (N,) and (K,) arrays of int, optional
        Rows and columns in the sample from which this one was selected; None in that sample. They
        decide the order of equal scores, which is the same in each part of a sample.
    """

    weigh_points: bool | None = None
    weights: Float64Array | None = None
    weight_classes: IntArray | None = None
    rivals: FixedRivals | None = None
    own_rivals: bool = False
    trained: str | None = None
    trained_classes: int = 0
    newcomers: FloatArray | None = None
    owners: IntArray | None = None
    group_size: float = 1.0
    several_photos: bool = False
    in_order: bool = False
    photos: Photos | None = None
    file_rows: IntArray | None = None
    row_keys: IntArray | None = None
    column_keys: IntArray | None = None

    def select(self, rows: IntArray, columns: IntArray | None = None) -> Design:
        """Keep some points, and some columns or all."""
        kept: dict[str, Any] = {"row_keys": rows}
        for name in OF_POINTS:
            if (values := getattr(self, name)) is not None:
                kept[name] = values[rows]
        if self.weights is not None:
            kept["weights"] = kept["weights"] / kept["weights"].sum()
        if columns is not None:
            keys = self.column_keys
            kept["column_keys"] = columns if keys is None else keys[columns]
        return replace(self, rivals=self.rivals and self.rivals.select(rows), **kept)

    def adding_rivals(self, rows: IntArray, n_points: int) -> Design:
        """Add a fixed rival that beats each of these points: as many as a row is repeated."""
        rivals = self.rivals or FixedRivals.of(np.zeros(n_points, dtype=np.int64))
        beating = rivals.beating + np.bincount(rows, minlength=n_points)
        return replace(self, rivals=replace(rivals, beating=beating))

    def joined_by(self, newcomers: Float64Array, n_points: int) -> Design:
        """Say how points score for classes that join, (N, m), higher is better."""
        check_shape("the scores of newcomers", newcomers, n_points, None)
        if newcomers.shape[1] < FEWEST_NEWCOMERS:
            raise InputError(
                f"there are {newcomers.shape[1]} newcomers: {FEWEST_NEWCOMERS} or more are needed, "
                "30 are better"
            )
        if not np.isfinite(newcomers).all():
            raise InputError("a score of a newcomer is not finite: leave that newcomer out")
        if self.rivals is not None or self.own_rivals or self.group_size > 1 or self.trained:
            raise InputError(
                "newcomers join classes that are sampled one by one, with scores that depend on no "
                "other class: leave out groups, further right answers, candidates of each search, "
                "and classifiers that learned their classes together"
            )
        return replace(self, newcomers=newcomers)

    def weights_of(self, labels: IntArray) -> Float64Array:
        """Weigh points of these labels, (N,), with the sum 1: P_X uniform over classes.

        A point of a class with n points weighs 1 / (n * classes that have points) (ICLR 2021,
        Eq. 1); or each weighs 1 / N.
        """
        if self.weights is not None:
            return self.weights
        if self.weigh_points:
            return np.full(len(labels), 1 / len(labels))
        classes = labels if self.weight_classes is None else self.weight_classes
        counts = np.bincount(classes)
        return 1.0 / (counts[classes] * np.count_nonzero(counts))

    def doublings(self, classes: ArrayLike) -> Float64Array:
        """Count how often the classes that a classifier learned are doubled, (n,); 0 of others."""
        k = np.asarray(classes, dtype=np.float64)
        return np.log2((k / self.trained_classes).clip(min=1.0)) if self.trained else 0 * k

    def columns_of(self, classes: IntArray) -> IntArray:
        """Turn numbers of classes to numbers of columns, (n,): those of groups."""
        if self.group_size == 1:
            return classes
        return np.maximum(np.rint(classes / self.group_size), 1).astype(np.int64)


# Of points that were sampled with their classes and all of their rivals.
NO_DESIGN = Design()
