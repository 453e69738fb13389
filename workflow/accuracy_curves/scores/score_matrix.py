"""The score matrix: check, orient, split into correct and incorrect scores, subsample classes."""

import copy
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.estimator_scores import estimator_scores
from accuracy_curves.scores.given_arrays import (
    AnyArray,
    as_array,
    as_labels,
    as_scores,
    label_columns,
    refuse_infinite,
)
from accuracy_curves.scores.photos import refuse_same_photos
from accuracy_curves.scores.ranks import class_weights, count_outscored, not_a_sample
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.representation import Described

MINIMUM_CLASSES = 3
# Blocks of rows whose copies are small enough that memory is used again, without page faults.
BLOCK_BYTES = 8 * 2**20
# Scores that differ by less, beside their size, or are all smaller, or all larger than 1 / SMALL,
# are brought near 1. Of scores within a factor of 2 a difference is exact (Sterbenz 1974).
NARROW, SMALL = 2.0**-20, 2.0**-40


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix(Described):
    """Scores of every data point for every class.

    Parameters
    ----------
    scores : (N, K) array of float, or DataFrame
        Row = data point, column = class. An array, or a tensor of PyTorch or TensorFlow. May be
        memory-mapped: it is read in blocks of rows. It must not be changed afterwards, as its ranks
        are counted once. The columns of a DataFrame are called as the classes. Any finite numbers
        will do: methods see very small or large ones, or those that hardly differ beside their
        size, scaled and shifted, exactly.
    labels : (N,) array of int or str
        Column of each point's correct class, in ``[0, K)``; where the classes have names, the name.
        Texts alone name the columns in ascending order. A class may have no point of its own: it is
        then only a competitor.
    higher_is_better : bool
        True for similarities and log probabilities, False for distances.
    classes : (K,) array, optional
        Names of the columns, numbers or texts; by default those of a DataFrame, or of the labels;
        None where columns have no names.

    Raises
    ------
    InputError
        If the shapes disagree, a score is not finite, a label is no class, there are fewer than
        three classes, or rows and columns seem to be the same photos (see `score_photos`).

    See Also
    --------
    score_photos : for photos compared with photos.
    score_identities : for queries compared with photos of a gallery.
    load_scores : for files.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[0.9, 0.1, 0.3], [0.2, 0.8, 0.7], [0.4, 0.6, 0.5]])
    >>> ac.ScoreMatrix(scores, labels=[0, 1, 2])
    <ScoreMatrix: 3 points, 3 classes, similarities, float64>

    Labels may be names of the columns:

    >>> import pandas as pd
    >>> frame = pd.DataFrame(scores, columns=["ben", "cat", "ann"])
    >>> ac.ScoreMatrix(frame, labels=["ben", "cat", "ann"]).labels
    array([0, 1, 2])
    >>> ac.ScoreMatrix(scores, labels=["ben", "cat", "ann"]).labels  # ann, ben, cat
    array([1, 2, 0])
    """

    scores: FloatArray
    labels: IntArray
    higher_is_better: bool = True
    classes: AnyArray | None = None

    def __post_init__(self) -> None:
        scores, names = as_scores(self.scores)
        labels = as_labels(self.labels)
        if self.classes is not None:
            names = as_labels(self.classes, "classes")
        if scores.ndim != 2:
            raise InputError(f"scores must have two dimensions (N, K), not shape {scores.shape}")
        if labels.shape != scores.shape[:1]:
            raise InputError(
                f"labels have shape {labels.shape} but scores have shape {scores.shape}: "
                "one label a row is needed"
            )
        if scores.shape[0] == 0:
            raise InputError("the score matrix has no rows: at least one data point is needed")
        if scores.shape[1] < MINIMUM_CLASSES:
            raise InputError(
                f"the score matrix has {scores.shape[1]} classes: "
                f"at least {MINIMUM_CLASSES} are needed"
            )
        refuse_same_photos(scores, labels)
        columns, names = label_columns(labels, names, scores.shape[1])
        for name, value in (("scores", scores), ("labels", columns), ("classes", names)):
            object.__setattr__(self, name, value)
        self._check_finite()

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: npt.ArrayLike, *, higher_is_better: bool = True
    ) -> "ScoreMatrix":
        """Take the scores that a classifier of scikit-learn gives test points.

        ``predict_joint_log_proba`` where the classifier has it (naive Bayes), else
        ``decision_function``, else ``predict_log_proba``; of a pipeline or a grid search those of
        the classifier inside.

        Parameters
        ----------
        model : classifier
            Fitted, with ``classes_``, of three classes or more.
        X : array or DataFrame
            The points that it is tested on, as its ``predict`` takes them.
        y : (N,) array
            Their classes, of those in ``classes_``.
        higher_is_better : bool
            False for a classifier of your own whose ``decision_function`` gives distances.

        Returns
        -------
        ScoreMatrix
            N points; the columns are ``model.classes_``.

        Raises
        ------
        InputError
            If the model is not fitted, gives no score for each class, or one that is not finite.

        Warns
        -----
        AccuracyWarning
            If the scores of a class depend on the other classes, so that another number of classes
            would change them (its ``reason`` is ``"not_marginal"``).

        Examples
        --------
        >>> import accuracy_curves as ac
        >>> from sklearn.datasets import load_digits
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_digits(return_X_y=True)
        >>> model = GaussianNB(var_smoothing=0.01).fit(X[::2], y[::2])
        >>> ac.ScoreMatrix.from_estimator(model, X[1::2], y[1::2])
        <ScoreMatrix: 898 points, 10 classes, similarities, float64>
        """
        scores, classes, warning = estimator_scores(model, X)
        found = cls(scores, as_array(y, "y"), higher_is_better, classes)
        if warning is not None:
            warnings.warn(warning, stacklevel=2)
        return found

    def _facts(self) -> list[str]:
        kind = "similarities" if self.higher_is_better else "distances"
        return [
            f"{self.n_points:,} points",
            f"{self.n_classes:,} classes",
            kind,
            f"{self.scores.dtype}",
        ]

    def _check_finite(self) -> None:
        if np.isfinite(self._range).all():
            return
        for rows in self._row_blocks():
            refuse_infinite(self.scores[rows], rows.start)

    @cached_property
    def _range(self) -> tuple[Any, Any]:
        """Lowest and highest score; not finite where one score is not."""
        ends = [
            (part.min(), part.max()) for part in map(self.scores.__getitem__, self._row_blocks())
        ]
        return np.min([low for low, _ in ends]), np.max([high for _, high in ends])

    @cached_property
    def _offset_and_exponent(self) -> tuple[float, int]:
        """What `blocks` takes off the scores, and the power of two that it multiplies them by.

        Both are exact. None of it for scores as they are usually written; distances, which have a
        true zero, lose nothing.
        """
        low, high = (float(each) for each in self._range)
        narrow = high - low < NARROW * max(low, -high, 0.0)
        offset = 0.0
        if narrow and (self.higher_is_better or high < 0):
            # Lower is better of negative scores: they stay negative, and so no distances.
            offset = low if self.higher_is_better else high
        largest = max(abs(low - offset), abs(high - offset))
        if largest == 0 or not (narrow or largest < SMALL or largest > 1 / SMALL):
            return offset, 0
        return offset, -int(np.frexp(largest)[1])

    def length_as_given(self, length: Float64Array) -> Float64Array:
        """Find how a difference of scores of `blocks` stands in `scores`."""
        found: Float64Array = np.ldexp(length, -self._offset_and_exponent[1])
        return found

    def score_as_given(self, score: float) -> float:
        """Find how a score of `blocks` stands in `scores`."""
        offset, exponent = self._offset_and_exponent
        given = float(np.ldexp(score if self.higher_is_better else -score, -exponent)) + offset
        return given + 0.0  # No -0.

    @property
    def n_points(self) -> int:
        """Number of data points N."""
        return int(self.scores.shape[0])

    @property
    def n_classes(self) -> int:
        """Number of classes K."""
        return int(self.scores.shape[1])

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Weight of each point, (N,), summing to 1: P_X uniform over classes (ICLR 2021, Eq. 1).

        A point of a class with n points weighs 1 / (n * classes that have points).
        """
        return class_weights(self.labels, self.n_classes)

    def outscored_and_tied(self) -> tuple[IntArray, IntArray]:
        """Count the incorrect classes below each point's correct score, and at it; both (N,)."""
        outscored, tied = self._counts
        return outscored.copy(), tied.copy()

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        """Count once: every method, half and figure asks."""
        return count_outscored(self.scores, self.labels, self.higher_is_better)

    def _row_blocks(self) -> Iterator[slice]:
        rows = max(1, BLOCK_BYTES // (8 * self.n_classes))
        for start in range(0, self.n_points, rows):
            yield slice(start, min(start + rows, self.n_points))

    def select_classes(self, classes: IntArray) -> "ScoreMatrix":
        """Keep the given distinct classes and their points; column j is then class ``classes[j]``.

        `InputError` if none of the classes has a point.
        """
        rows, labels = points_of_classes(self.labels, classes, self.n_classes)
        scores = np.empty((len(rows), len(classes)), dtype=self.scores.dtype)
        # Whole rows of a memory-mapped matrix might not fit in memory.
        step = max(1, BLOCK_BYTES // (8 * self.n_classes))
        for start in range(0, len(rows), step):
            here = slice(start, start + step)
            block = np.asarray(self.scores[rows[here]])
            np.take(block, classes, axis=1, out=scores[here], mode="clip")
        found = ScoreMatrix(scores, labels, self.higher_is_better)
        return found if self.classes is None else found.with_names(self.classes[classes])

    def with_names(self, names: AnyArray) -> Self:
        """Name the columns, (K,); the labels stay columns."""
        found = copy.copy(self)
        object.__setattr__(found, "classes", names)
        return found

    def blocks(self) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the rows block by block: which rows, and their scores (rows, K), higher is better.

        Distances are negated. Scores that are very small, very large, or far from zero beside their
        range are brought near 1, so that no square overflows and no difference is lost: s becomes
        (s - c) 2^e with c and e the same for the whole matrix, exactly.
        """
        offset, exponent = self._offset_and_exponent
        for rows in self._row_blocks():
            block = np.asarray(self.scores[rows])
            if offset:
                block = block - block.dtype.type(offset)
            if exponent:
                block = np.ldexp(block.astype(np.float64), exponent)
            yield rows, block if self.higher_is_better else -block


def as_matrix(given: object) -> ScoreMatrix:
    """Check that something is a score matrix; the `InputError` says how to make one of it."""
    if not isinstance(given, ScoreMatrix):
        raise not_a_sample(given)
    return given


def split(matrix: ScoreMatrix) -> tuple[FloatArray, FloatArray]:
    """Split a score matrix into correct and sorted incorrect scores.

    Parameters
    ----------
    matrix : ScoreMatrix
        N points, K classes.

    Returns
    -------
    correct : (N,) array
        Each point's score for its correct class; higher is better.
    incorrect : (N, K - 1) array
        Its scores for the other classes, ascending; higher is better.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[0.9, 0.1, 0.3], [0.2, 0.8, 0.7]])
    >>> correct, incorrect = ac.split(ac.ScoreMatrix(scores, labels=[0, 1]))
    >>> correct.tolist(), incorrect.tolist()
    ([0.9, 0.8], [[0.1, 0.3], [0.2, 0.7]])
    """
    as_matrix(matrix)
    correct = np.empty(matrix.n_points, dtype=matrix.scores.dtype)
    incorrect = np.empty((matrix.n_points, matrix.n_classes - 1), dtype=matrix.scores.dtype)
    for rows in matrix._row_blocks():
        block = np.asarray(matrix.scores[rows])
        own, others = _split(block if matrix.higher_is_better else -block, matrix.labels[rows])
        correct[rows], incorrect[rows] = own, others
    return correct, incorrect


def split_blocks(matrix: ScoreMatrix) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
    """Split the scores of `ScoreMatrix.blocks`, some rows at a time.

    Yields which rows, their correct scores, and their K - 1 incorrect ones, ascending.
    """
    for rows, block in matrix.blocks():
        yield rows, *_split(block, matrix.labels[rows])


def _split(block: FloatArray, labels: IntArray) -> tuple[FloatArray, FloatArray]:
    """Split rows of scores into correct and sorted incorrect ones."""
    own = np.arange(len(block)), labels
    others = np.ones(block.shape, dtype=bool)
    others[own] = False
    return block[own], np.sort(block[others].reshape(len(block), -1), axis=1)


class Divisible(Protocol):
    """A sample whose classes can be divided, not only their ranks."""

    @property
    def n_classes(self) -> int:
        """Number of classes K."""

    def select_classes(self, classes: IntArray) -> Self:
        """Keep some classes and their points."""


D = TypeVar("D", bound=Divisible)


def subsample(matrix: D, k1: int, seed: int = 0) -> D:
    """Draw k1 classes without replacement and keep their columns and points.

    Parameters
    ----------
    matrix : ScoreMatrix or DistanceMatrix
        N points, K classes.
    k1 : int
        Number of classes to draw, 3 <= k1 <= K.
    seed : int
        The same seed draws the same classes.

    Returns
    -------
    ScoreMatrix or DistanceMatrix
        The drawn classes, in the order of their columns in `matrix`, and all their points.

    Raises
    ------
    InputError
        If k1 is out of range, or none of the drawn classes has a point.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=100, points_per_class=2)
    >>> sample = ac.subsample(matrix, 20, seed=1)
    >>> sample.n_points, sample.n_classes
    (40, 20)
    """
    if not hasattr(matrix, "select_classes"):
        raise not_a_sample(matrix)
    return matrix.select_classes(draw_classes(matrix.n_classes, k1, seed))


def draw_classes(n_classes: int, k1: int, seed: int = 0) -> IntArray:
    """Draw k1 classes without replacement, (k1,) ascending; see `subsample`."""
    if not (isinstance(k1, int | np.integer) and MINIMUM_CLASSES <= k1 <= n_classes):
        raise InputError(
            f"k1 = {k1} classes cannot be drawn from {n_classes}: "
            f"k1 must be a whole number from {MINIMUM_CLASSES} to {n_classes}"
        )
    return np.sort(np.random.default_rng(seed).choice(n_classes, size=k1, replace=False))


def points_of_classes(
    labels: IntArray, classes: IntArray, n_classes: int
) -> tuple[IntArray, IntArray]:
    """Find the points of some of the K classes: their rows, and the places of their classes."""
    column = np.full(n_classes, -1, dtype=np.int64)
    column[classes] = np.arange(len(classes))
    rows = np.flatnonzero(column[labels] >= 0)
    if len(rows) == 0:
        raise InputError(
            f"none of {len(classes)} classes drawn at random has a data point: only "
            f"{len(np.unique(labels))} of the {n_classes} classes have one. Add data points of the "
            "others; only intervals draw halves of the classes",
            reason="no_points",
        )
    return rows, column[labels[rows]]
