"""Ranks: how many incorrect classes each point's correct class outscores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import AnyArray, as_labels
from accuracy_curves.scores.rivals import Standing
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, blocks
from accuracy_curves.utils.representation import Described

MINIMUM_CLASSES = 3
# A block of rows that stays in the second-level cache while it is compared twice.
CACHE_BYTES = 512 * 2**10
# Right answers of a query that are fitted together begin at these places; so few are not.
ORDERS, LEAST_PAIRS = (1, 3, 6, 10, 20), 50
# Fields of samples that have a row a point.
OF_POINTS = frozenset({"scores", "points", "labels", "outscored", "tied"})

Index = IntArray | slice
# Scores of some rows and classes, on another scale.
Placed = Callable[[FloatArray, Index, Index], FloatArray]
# Which points, their correct scores, (n, 1), others and the classes of these, (n, L).
Incorrect = tuple[slice, FloatArray, FloatArray, IntArray]
ALL = slice(None)


class Ranked(Described):
    """A sample of classes whose correct classes have ranks: a score matrix, distances, `Ranks`.

    It says what it can do, and nobody above asks what it is.

    Attributes
    ----------
    points_alike : bool or None
        Whether every point weighs the same, or every class. None is what the kind does by default.
    has_scores : bool
        Whether there are scores, of all classes or of the best.
    is_listed : bool
        Whether these are of the best classes alone.
    is_complete : bool
        Whether the rank of every point is known.
    is_divisible : bool
        Whether its classes can be divided into halves.
    standing : Standing or None
        The rivals of each point that are not drawn; None where all are.
    own_rivals : bool
        Whether each point has rivals of its own, which were drawn for it alone.
    group_size : float
        Mean number of classes of a column: above 1 where columns are groups of classes.
    """

    labels: IntArray
    points_alike: bool | None = None
    standing: Standing | None = None
    own_rivals: bool = False
    group_size: float = 1.0
    has_scores: ClassVar[bool] = False
    is_listed: ClassVar[bool] = False
    is_complete: ClassVar[bool] = True
    is_divisible: ClassVar[bool] = True
    of_points: ClassVar[frozenset[str]] = OF_POINTS

    if TYPE_CHECKING:
        higher_is_better: bool

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
        return self.whole is not None and not self.own_rivals

    @property
    def names(self) -> AnyArray | None:
        """Names of the classes, (K,), where they have some."""
        return None

    @property
    def lengths(self) -> IntArray:
        """Number of incorrect classes that are known of each point, (N,)."""
        return np.full(self.n_points, self.n_classes - 1)

    @property
    def usual_length(self) -> int:
        """Number of incorrect classes that are known of nearly every point."""
        return self.n_classes - 1

    @property
    def censored(self) -> npt.NDArray[np.bool_]:
        """Whether the rank of a point is not known, (N,)."""
        return np.zeros(self.n_points, dtype=bool)

    def check_lengths(self, top: int = 1) -> None:
        """Raise `InputError` where too little is known to predict the top `top`."""

    def longer_than(self, m: int) -> Self:
        """Keep points of which more than m others are known; `InputError` if there are none."""
        longer = self.lengths > m
        if not longer.any():
            raise InputError(f"no search has more than {m} candidates: give longer lists")
        return self if longer.all() else self.select_points(np.flatnonzero(longer))

    @cached_property
    def weights(self) -> Float64Array:
        """Weight of each point, (N,), summing to 1: P_X uniform over classes (ICLR 2021, Eq. 1).

        A point of a class with n points weighs 1 / (n * classes that have points). After
        `weighing_points` each weighs 1 / N.
        """
        if self.points_alike:
            return np.full(self.n_points, 1 / self.n_points)
        classes = None if self.standing is None else self.standing.classes
        classes = self.labels if classes is None else classes
        counts = np.bincount(classes)
        return 1.0 / (counts[classes] * np.count_nonzero(counts))

    def weighing_points(self, alike: bool = True) -> Self:
        """Copy in which each point weighs the same, whatever number its class has."""
        if alike is self.points_alike:
            return self
        return self.changed(points_alike=alike)

    def changed(self, **attributes: object) -> Self:
        """Copy with other fields, or other values of what is in no field."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        found = unchecked(type(self), **values).carrying(self)
        # Counted once: it depends on fields alone.
        if "_counts" in vars(self) and not attributes.keys() & values.keys():
            vars(found)["_counts"] = self._counts
        return put(found, **attributes)

    @cached_property
    def places(self) -> tuple[IntArray, IntArray]:
        """Rows and columns in the sample from which this was selected, (N,) and (K,).

        They decide the order of equal scores, which is the same in each part of a sample.
        """
        return np.arange(self.n_points), np.arange(self.n_classes)

    def carrying(self, source: Ranked, rows: IntArray | None = None, classes: Index = ALL) -> Self:
        """Take from a sample that this one was made of, of some rows, what is in no field."""
        points, columns = source.places
        vars(self)["places"] = points[ALL if rows is None else rows], columns[classes]
        names = ("points_alike", "own_rivals", "group_size")
        standing = source.standing and source.standing.select(rows)
        return put(self, standing=standing, **{name: getattr(source, name) for name in names})

    @property
    def counted_classes(self) -> int:
        """Number of classes that were observed, each of a group for itself."""
        return round(self.n_classes * self.group_size)

    def units_of(self, classes: IntArray) -> IntArray:
        """Turn numbers of classes to numbers of columns, (n,): those of groups."""
        return np.maximum(np.rint(classes / self.group_size), 1).astype(np.int64)

    @property
    def sources(self) -> IntArray:
        """What was drawn with each point, (N,): its class, or the point with its own rivals."""
        return np.arange(self.n_points) if self.own_rivals else self.labels

    @property
    def drawn(self) -> Self:
        """The same points, with the rivals alone that are drawn."""
        if self.standing is None:
            return self
        found = self.changed(standing=None)
        vars(found)["weights"] = self.weights
        return found

    def with_fixed(self, rows: IntArray) -> Standing:
        """Say what stays with one more fixed rival that beats each of these points, (n,)."""
        more = np.bincount(rows, minlength=self.n_points).astype(np.int64)
        standing = self.standing or Standing.of(np.zeros_like(more))
        return replace(standing, above=standing.above + more)

    @property
    def unbeaten(self) -> Self:
        """The points that no fixed rival beats but better answers of the query, as `drawn`."""
        if self.standing is None:
            return self
        rows = np.flatnonzero(self.standing.above <= self.standing.place)
        if len(rows) in (0, self.n_points):
            return self.drawn
        found = self.select_points(rows)
        vars(found)["weights"] = self.weights[rows] / self.weights[rows].sum()
        return found.drawn

    def orders(self) -> list[IntArray]:
        """Divide points into those that are fitted for themselves: by the place of an answer.

        The best; the 2nd and 3rd; to the 6th; the 10th; the 20th; the others.
        """
        if self.standing is None:
            return [np.arange(self.n_points)]
        found = list[IntArray]()
        group = np.searchsorted(ORDERS, self.standing.place, side="right")
        for each in range(len(ORDERS) + 1):
            rows = np.flatnonzero(group == each)
            # Those that are too few go with the ones before.
            if found and np.count_nonzero(~self.censored[rows]) < LEAST_PAIRS:
                found[-1] = np.append(found[-1], rows)
            else:
                found.append(rows)
        return [rows for rows in found if len(rows)]

    def outscored_and_tied(self) -> tuple[IntArray, IntArray]:
        """Count the incorrect classes below each point's correct score, and at it; both (N,)."""
        outscored, tied = self._counts
        return outscored.copy(), tied.copy()

    @property
    def counts_at_end(self) -> tuple[IntArray, IntArray]:
        """Count as `outscored_and_tied`, the rank of each point at its best."""
        return self._counts

    def attraction(self, points: IntArray, weights: Float64Array) -> Float64Array:
        """Share weights of points that err among the classes that outscore their own, (K,).

        One that ties counts half.
        """
        if self.own_rivals:
            return weights
        found = np.zeros(self.n_classes)
        for here, own, scores, classes in self.incorrect(points):
            value = 2.0 * (scores > own) + (scores == own)
            # An empty list has none.
            value *= (weights[here] / np.maximum(value.sum(axis=1), 1.0))[:, None]
            found += np.bincount(classes.ravel(), value.ravel(), self.n_classes)
        return found

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
    def failed(self) -> npt.NDArray[np.bool_]:
        """Whether all scores of a point are equal, (N,): so systems mark a photo that failed."""
        return self._counts[1] == self.n_classes - 1

    def select_points(self, rows: IntArray) -> Self:
        """Keep the given points, and all classes."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        values |= {name: values[name][rows] for name in self.of_points & values.keys()}
        return unchecked(type(self), **values).carrying(self, rows)

    def select_classes(self, classes: IntArray) -> Self:
        """Keep distinct classes, in this order, and their points; `InputError` if none has one."""
        column = np.full(self.n_classes, -1, dtype=np.int64)
        column[classes] = np.arange(len(classes))
        rows = np.flatnonzero(column[self.labels] >= 0)
        if len(rows) == 0:
            raise InputError(
                f"none of {len(classes)} classes drawn at random has a data point: only "
                f"{len(np.unique(self.labels))} of the {self.n_classes} classes have one. Add data "
                "points of the others; only intervals draw halves of the classes",
                reason="no_points",
            )
        found = put(self._of_classes(rows, classes), labels=column[self.labels[rows]])
        return found.carrying(self, rows, classes)

    def _of_classes(self, rows: IntArray, classes: IntArray) -> Self:
        """Keep some points, whose labels are put in later, and some classes."""
        raise not_a_sample(self)

    def grouped(self, groups: npt.ArrayLike) -> Self:
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
            A column a group; the sample itself where each group is one class.

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
        if self.standing is not None:
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
        return self._of_groups(names, group).changed(group_size=self.n_classes / len(names))

    def _of_groups(self, names: AnyArray, group: IntArray) -> Self:
        """Make columns of groups, of these names, where each class has its group, (K,)."""
        raise not_a_sample(self)

    def _facts(self) -> list[str]:
        return [f"{self.n_points:,} points", f"{self.n_classes:,} classes"]


R = TypeVar("R", bound=Ranked)
U = TypeVar("U")


def put(sample: U, **values: object) -> U:
    """Give a sample values of its fields, or of what is in no field."""
    for name, value in values.items():
        object.__setattr__(sample, name, value)
    return sample


def unchecked(kind: type[U], **values: object) -> U:
    """Make a sample of values of its fields that were checked before; others have defaults."""
    return put(object.__new__(kind), **values)


def as_ranked(given: R) -> R:
    """Check that something is a sample of classes; the `InputError` says how to make one of it."""
    if not isinstance(given, Ranked):
        raise not_a_sample(given)
    return given


def set_aside_failures(sample: R) -> tuple[R, float]:
    """Leave out the points that failed, as no fit learns from them, and say what they weigh.

    The others keep their weights, in proportion. Where all points failed nothing is left out.
    """
    failed = as_ranked(sample).failed
    if not failed.any() or failed.all():
        return sample, 0.0
    share = float(sample.weights[failed].sum())
    others = sample.select_points(np.flatnonzero(~failed))
    vars(others)["weights"] = sample.weights[~failed] / (1 - share)
    return others, share


def not_a_sample(given: object) -> InputError:
    """Say how to make a score matrix of what is none."""
    how = "ScoreMatrix(scores, labels, higher_is_better) makes one of arrays or a DataFrame"
    for name, call in (("stored", "stored()"), ("mated", "mated")):
        if hasattr(type(given), name):
            how = f"give its .{call}"
    return InputError(f"a sample is a ScoreMatrix, not {type(given).__name__}: {how}")


@dataclass(frozen=True, eq=False, repr=False)
class Ranks(Ranked):
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

    outscored: IntArray
    tied: IntArray
    labels: IntArray
    n_classes: int

    def __post_init__(self) -> None:
        for name in ("outscored", "tied", "labels"):
            array = np.asarray(getattr(self, name))
            if array.dtype.kind not in "iu" or array.shape != (np.size(self.labels) or 1,):
                raise InputError(
                    f"{name} must be whole numbers, one a point and at least one, not "
                    f"{array.dtype} of shape {array.shape}"
                )
            put(self, **{name: array.astype(np.int64)})
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


def count_outscored(scores: FloatArray, labels: IntArray) -> tuple[IntArray, IntArray]:
    """Compare each row with its correct score, reading it from memory once; higher is better.

    Incorrect classes below the correct score, and those that equal it, both (N,).
    """
    n_points, n_classes = scores.shape
    # Narrow sums are faster; a row has fewer columns than their largest number.
    narrow = np.uint16 if n_classes < 2**16 else np.uint32
    outscored, tied = np.empty(n_points, np.int64), np.zeros(n_points, np.int64)
    for here in blocks(n_points, n_classes, CACHE_BYTES // scores.itemsize):
        block = scores[here]
        own = block[np.arange(len(block)), labels[here]][:, None]
        outscored[here] = np.add.reduce((block < own).view(np.uint8), axis=1, dtype=narrow)
        equal = block == own
        # Most often each correct score equals itself alone, and the rows need no sums.
        if np.count_nonzero(equal) > len(block):
            tied[here] = np.add.reduce(equal.view(np.uint8), axis=1, dtype=narrow) - 1
    return outscored, tied
