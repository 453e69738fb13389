"""A sample of classes: what every kind of it can do, and how one is made of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.design import NO_DESIGN, Design
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES, as_labels
from accuracy_curves.scores.rivals import count_outscored
from accuracy_curves.utils.arrays import (
    AnyArray,
    ArrayLike,
    BoolArray,
    Float64Array,
    FloatArray,
    IntArray,
)
from accuracy_curves.utils.representation import Described

Index = IntArray | slice
# Scores of some rows and classes, on another scale.
Placed = Callable[[FloatArray, Index, Index], FloatArray]
# Which points, their correct scores, (n, 1), others and the classes of these, (n, L).
Incorrect = tuple[slice, FloatArray, FloatArray, IntArray]
ALL = slice(None)


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Described):
    """A sample of classes: points with labels, a design, and the rank of each correct class.

    A kind of sample is a frozen dataclass. Nobody changes one; another is made of it by `derive`.
    It says what it can do, and nobody above asks what it is.

    Attributes
    ----------
    design : Design
        How points weigh, and which rivals they keep.
    has_scores : bool
        Whether there are scores, of all classes or of the best.
    is_listed : bool
        Whether these are of the best classes alone.
    is_complete : bool
        Whether the rank of every point is known.
    is_divisible : bool
        Whether its classes can be divided into halves.
    of_points : tuple of str
        Fields that have a row for each point.
    """

    design: Design = field(default=NO_DESIGN, init=False)
    has_scores: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False
    is_complete: ClassVar[bool] = True
    is_divisible: ClassVar[bool] = True
    of_points: ClassVar[tuple[str, ...]] = ()

    if TYPE_CHECKING:

        @property
        def higher_is_better(self) -> bool:
            """False for distances."""

        @property
        def labels(self) -> IntArray:
            """Class of each point, (N,), in ``[0, K)``."""

        @property
        def n_classes(self) -> int:
            """Number of classes K."""

        @property
        def correct(self) -> FloatArray:
            """Score of each point for its correct class, (N,); higher is better."""

        def blocks(self, points: IntArray | None = None) -> Iterator[tuple[slice, FloatArray]]:
            """Yield rows of scores: which, and their scores, higher is better."""

    @cached_property
    def are_distances(self) -> bool:
        """Whether lower is better and no score is negative."""
        return not self.higher_is_better and all(block.max() <= 0 for _, block in self.blocks())

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        """What `outscored_and_tied` gives; counted once, as every method, half and figure asks."""
        counts = np.empty((2, self.n_points), dtype=np.int64)
        for rows, block in self.blocks():
            counts[:, rows] = count_outscored(block, self.labels[rows])
        return counts[0], counts[1]

    @property
    def n_points(self) -> int:
        """Number of data points N."""
        return len(self.labels)

    @property
    def whole(self) -> Any:
        """The sample itself where it has the scores of every class, else None."""
        return None

    @property
    def has_classes(self) -> bool:
        """Whether it has the scores of every class, and its columns are classes."""
        return self.whole is not None and not self.design.own_rivals

    @property
    def names(self) -> AnyArray | None:
        """Names of the classes, (K,), where they have some."""
        return None

    @property
    def column_names(self) -> AnyArray:
        """Names of the classes, (K,), or their numbers where they have none."""
        return np.arange(self.n_classes) if self.names is None else self.names

    @property
    def lengths(self) -> IntArray:
        """Number of incorrect classes that are known of each point, (N,)."""
        return np.full(self.n_points, self.n_classes - 1)

    @property
    def usual_length(self) -> int:
        """Number of incorrect classes that are known of nearly every point."""
        return self.n_classes - 1

    @property
    def censored(self) -> BoolArray:
        """Whether the rank of a point is not known, (N,)."""
        return np.zeros(self.n_points, dtype=bool)

    def check_lengths(self, top: int = 1, growth: float | None = 1.0) -> None:
        """Raise `InputError` where too little is known to predict the top `top`."""

    def longer_than(self, m: int) -> Self:
        """Keep points with more than m known rivals; `InputError` if there are none."""
        longer = self.lengths > m
        if not longer.any():
            raise InputError(f"no search has more than {m} candidates: give longer lists")
        return self if longer.all() else self.select_points(np.flatnonzero(longer))

    def derive(self, **changes: object) -> Self:
        """Make a sample of this one: some fields are others, and all others stay.

        Nothing is checked. `changes` may name cached properties, too, whose values are known.
        """
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        # Counted once: the design has no part in ranks.
        if changes.keys() == {"design"} and "_counts" in vars(self):
            values["_counts"] = self._counts
        return unchecked(type(self), **(values | changes))

    def redesigned(self, **changes: Any) -> Self:
        """Make a sample whose design differs in these fields."""
        return self.derive(design=replace(self.design, **changes))

    @cached_property
    def weights(self) -> Float64Array:
        """Weight of each point, (N,), summing to 1; see `Design.weights_of`."""
        return self.design.weights_of(self.labels)

    def weighing_points(self, equally: bool | None = True) -> Self:
        """Copy in which each point weighs the same, or each class."""
        same = equally is self.design.weigh_points
        return self if same else self.redesigned(weigh_points=equally, weights=None)

    def tie_keys(self) -> tuple[IntArray, IntArray]:
        """Give the rows and columns that decide the order of equal scores, (N,) and (K,)."""
        rows, columns = self.design.row_keys, self.design.column_keys
        return (
            np.arange(self.n_points) if rows is None else rows,
            np.arange(self.n_classes) if columns is None else columns,
        )

    @property
    def counted_classes(self) -> int:
        """Number of classes that were observed, each of a group for itself."""
        return round(self.n_classes * self.design.group_size)

    @property
    def sources(self) -> IntArray:
        """What was sampled with each point, (N,): its class, or the point with its own rivals."""
        if self.design.owners is not None:
            return self.design.owners
        return np.arange(self.n_points) if self.design.own_rivals else self.labels

    def drawn_rivals(self) -> Self:
        """Copy without the rivals that are fixed."""
        return self if self.design.rivals is None else self.redesigned(rivals=None)

    def unbeaten(self) -> Self:
        """Keep the points that no fixed rival beats but better answers, and their drawn rivals."""
        if self.design.rivals is None:
            return self
        rows = np.flatnonzero(self.design.rivals.beating <= self.design.rivals.place)
        if len(rows) in (0, self.n_points):
            return self.drawn_rivals()
        return self.redesigned(rivals=None, weights=self.weights).select_points(rows)

    def outscored_and_tied(self) -> tuple[IntArray, IntArray]:
        """Count the incorrect classes below each point's correct score, and at it; both (N,)."""
        outscored, tied = self._counts
        return outscored.copy(), tied.copy()

    @property
    def counts_at_end(self) -> tuple[IntArray, IntArray]:
        """Count as `outscored_and_tied`, the rank of each point at its best."""
        return self._counts

    def incorrect(self, points: IntArray) -> Iterator[Incorrect]:
        """Yield the incorrect scores of points that are known, NaN past them; higher is better."""
        for here, block in self.blocks(points):
            at = np.arange(len(block)), self.labels[points[here]]
            own, others = block[at][:, None], block.copy()
            others[at] = np.nan
            yield here, own, others, np.broadcast_to(np.arange(self.n_classes), block.shape)

    def tied_with_correct(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the rows and columns of incorrect scores that equal the correct one, in blocks."""
        points = np.flatnonzero(self._counts[1])
        for here, own, scores, classes in self.incorrect(points):
            tied = scores == own
            yield points[here][np.nonzero(tied)[0]], classes[tied]

    @property
    def failed(self) -> BoolArray:
        """Whether all scores of a point are equal, (N,): so systems mark a photo that failed."""
        return self._counts[1] == self.n_classes - 1

    @property
    def reduced(self) -> Sample:
        """The sample with the best scores alone, where it is large."""
        return self

    def select_points(self, rows: IntArray) -> Self:
        """Keep the given points, and all classes."""
        of_points = {name: getattr(self, name)[rows] for name in self.of_points}
        return self.derive(**of_points, design=self.design.select(rows))

    def select_classes(self, classes: IntArray) -> Self:
        """Keep distinct classes, in this order, and their points; `InputError` if none has one."""
        if self.design.owners is not None:
            last = self.n_classes - 1
            classes = np.append(np.setdiff1d(classes, last), last)
        column = np.full(self.n_classes, -1, dtype=np.int64)
        column[classes] = np.arange(len(classes))
        rows = np.flatnonzero(column[self.labels] >= 0)
        if len(rows) == 0:
            raise InputError(
                f"none of {len(classes)} classes sampled at random has a data point: only "
                f"{len(np.unique(self.labels))} of the {self.n_classes} classes have one. Add data "
                "points of the others; only intervals draw halves of the classes",
                reason="no_points",
            )
        design = self.design.select(rows, np.asarray(classes))
        changes = self._of_classes(rows, classes)
        labels = column[self.labels[rows]]
        return self.derive(**(changes | {"labels": labels, "design": design}))

    def _of_classes(self, rows: IntArray, classes: IntArray) -> dict[str, Any]:
        """Keep some points and some classes: the fields that change but labels and design."""
        raise not_a_sample(self)

    def grouped(self, groups: ArrayLike) -> Self:
        """Draw whole groups of classes: chunks of a file, species of a genus, frames of a place.

        A group has the score of its best class. Classes of a point's own group that beat its right
        one are fixed rivals. Numbers of classes go on to count classes. Lists must be long where
        groups are large.

        Parameters
        ----------
        groups : (K,) array
            Name of the group of each class, numbers or texts.

        Returns
        -------
        ScoreMatrix or CandidateLists
            One column per group; the sample itself where each group is one class.

        Raises
        ------
        InputError
            If that is not one name a class, of three groups or more, or rivals stay already.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> matrix = ac.simulate(n_classes=60, variance=0.2)
        >>> grouped = matrix.grouped(np.arange(60) // 4)
        >>> grouped.n_classes, grouped.counted_classes
        (15, 60)
        >>> np.isclose(ac.average_accuracy(grouped, 60), ac.average_accuracy(matrix, 60))
        array([ True])
        """
        if self.design.rivals is not None:
            raise InputError(
                "groups of classes do not go with several right answers of a query, nor with pairs "
                "set aside: leave the groups out, or give each query one right answer"
            )
        names, group = np.unique(as_labels(groups, "groups"), return_inverse=True)
        if group.shape != (self.n_classes,) or len(names) < MINIMUM_CLASSES:
            raise InputError(
                f"there are {group.size:,} names of groups, {len(names):,} different ones, for "
                f"{self.n_classes:,} classes: one a class is needed, and three groups or more"
            )
        if len(names) == self.n_classes:
            return self
        size = self.n_classes / len(names)
        return self._of_groups(names, group).redesigned(group_size=size, weight_classes=self.labels)

    def _of_groups(self, names: AnyArray, group: IntArray) -> Self:
        """Make columns of groups, of these names, where each class has its group, (K,)."""
        raise not_a_sample(self)

    def _facts(self) -> list[str]:
        return [f"{self.n_points:,} points", f"{self.n_classes:,} classes"]


S = TypeVar("S", bound=Sample)
U = TypeVar("U")


def assign(new: U, **values: object) -> U:
    """Set fields of a frozen object while it is made, and never later."""
    for name, value in values.items():
        object.__setattr__(new, name, value)
    return new


def unchecked(kind: type[U], **values: object) -> U:
    """Make an object of values of its fields that were checked before; others have defaults."""
    return assign(object.__new__(kind), **values)


def as_sample(sample: S) -> S:
    """Check that something is a sample of classes; the `InputError` says how to make one of it."""
    if not isinstance(sample, Sample):
        raise not_a_sample(sample)
    return sample


def as_matrix(sample: object) -> Any:
    """Check that something is a score matrix; the `InputError` says how to make one of it."""
    if not isinstance(sample, Sample) or sample.whole is None:
        raise not_a_sample(sample)
    return sample


def set_aside_failures(sample: S) -> tuple[S, float]:
    """Leave out the points that failed, as no fit learns from them, and say what they weigh.

    The others, and parts of them, keep their weights, in proportion. Where all points failed
    nothing is left out.
    """
    failed = as_sample(sample).failed
    if not failed.any() or failed.all():
        return sample, 0.0
    weighed = sample.redesigned(weights=sample.weights)
    return weighed.select_points(np.flatnonzero(~failed)), float(sample.weights[failed].sum())


def not_a_sample(thing: object) -> InputError:
    """Say how to make a score matrix of what is none."""
    how = "ScoreMatrix(scores, labels, higher_is_better) makes one of arrays or a DataFrame"
    for name, call in (("stored", "stored()"), ("mated", "mated")):
        if hasattr(type(thing), name):
            how = f"give its .{call}"
    if hasattr(thing, "fit") and hasattr(thing, "predict"):
        how = "score_classifier(estimator, X, y) makes one of a classifier"
    return InputError(f"a sample is a ScoreMatrix, not {type(thing).__name__}: {how}")
