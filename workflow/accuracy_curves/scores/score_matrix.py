"""The score matrix: check, orient, split into correct and incorrect scores, subsample classes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from accuracy_curves.cautions import warn
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.decisions import refuse_decisions
from accuracy_curves.scores.estimator_scores import estimator_scores
from accuracy_curves.scores.given_arrays import (
    AnyArray,
    as_array,
    as_labels,
    as_scores,
    label_columns,
    refuse_infinite,
)
from accuracy_curves.scores.nearest import best_of_rows, nearest_incorrect
from accuracy_curves.scores.ranks import (
    ALL,
    MINIMUM_CLASSES,
    Index,
    Placed,
    Ranked,
    as_ranked,
    count_outscored,
    not_a_sample,
    points_of_classes,
    unchecked,
)
from accuracy_curves.scores.rivals import beaten_by
from accuracy_curves.scores.same_photos import refuse_same_photos
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.validation import check_whole

# Blocks of rows whose copies are small enough that memory is used again, without page faults.
BLOCK_BYTES = 8 * 2**20
# Scores may not differ by less, beside their size; the largest may be from the one to the other.
NARROW, SMALLEST, LARGEST = 2.0**-20, 1e-12, 1e100
# Of the sum of a row of probabilities, which may be half floats, or rounded to a few digits.
ROUNDING, NEAR, MOST_ROUNDED = 0.01, 0.05, 0.25
MOST_DIGITS, SOME_ROWS = 5, 100


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix(Ranked):
    """Scores of every data point for every class.

    Parameters
    ----------
    scores : (N, K) array of float, or DataFrame
        Row = data point, column = class. An array, or a tensor of PyTorch or TensorFlow. May be
        memory-mapped: it is read in blocks of rows. It must not be changed afterwards, as its ranks
        are counted once. The columns of a DataFrame are called as the classes.
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
        If the shapes disagree, a score is not finite, the largest is below 1e-12 or above 1e100 in
        size, a label is no class, there are fewer than three classes, rows and columns seem to be
        the same photos (see `score_photos`), or the scores are masked, decisions or counts of them.

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
    >>> ac.ScoreMatrix(scores, ["ben", "cat"] + ["ann"], classes=["ann", "ben", "cat"]).labels
    array([1, 2, 0])
    """

    has_scores = True

    scores: FloatArray
    labels: IntArray
    higher_is_better: bool = True
    classes: AnyArray | None = None

    def __post_init__(self) -> None:
        checked = check_scores(self.scores, self.labels, self.classes)
        for name, value in zip(("scores", "labels", "classes"), checked, strict=True):
            object.__setattr__(self, name, value)

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
        scores, classes, doubt = estimator_scores(model, X)
        found = cls(scores, as_array(y, "y"), higher_is_better, classes)
        if doubt is not None:
            warn([doubt])
        return found

    def _facts(self) -> list[str]:
        kind = "similarities" if self.higher_is_better else "distances"
        return [
            f"{self.n_points:,} points",
            f"{self.n_classes:,} classes",
            kind,
            f"{self.scores.dtype}",
        ]

    @property
    def n_classes(self) -> int:
        """Number of classes K."""
        return int(self.scores.shape[1])

    @property
    def whole(self) -> "ScoreMatrix":
        """The matrix itself."""
        return self

    @property
    def names(self) -> AnyArray | None:
        """Names of the columns, where they have some."""
        return self.classes

    @cached_property
    def are_distances(self) -> bool:
        """Whether lower is better and no score is negative."""
        return not self.higher_is_better and all(block.max() <= 0 for _, block in self.blocks())

    @cached_property
    def sum_of_probabilities(self) -> float | None:
        """What each row of probabilities sums to, or of 1 - p; None where scores are others."""
        if self.higher_is_better:
            return sum_of_probabilities(self.scores)
        turned = (lambda p: 1 - p), (lambda p: 100 - p)
        found = [sum_of_probabilities(self.scores, each) for each in turned]
        return next((each for each in found if each in (1, 100)), None)

    @cached_property
    def _counts(self) -> tuple[IntArray, IntArray]:
        return count_outscored(self.scores, self.labels, self.higher_is_better)

    def select_classes(self, classes: IntArray) -> "ScoreMatrix":
        """Keep the given distinct classes and their points; column j is then class ``classes[j]``.

        `InputError` if none of the classes has a point.
        """
        rows, labels = points_of_classes(self.labels, classes, self.n_classes)
        scores = np.empty((len(rows), len(classes)), dtype=self.scores.dtype)
        # Whole rows of a memory-mapped matrix might not fit in memory.
        for here in row_blocks(len(rows), self.n_classes):
            block = np.asarray(self.scores[rows[here]])
            np.take(block, classes, axis=1, out=scores[here], mode="clip")
        names = None if self.classes is None else self.classes[classes]
        given = {"higher_is_better": self.higher_is_better, "classes": names}
        found = unchecked(ScoreMatrix, scores=scores, labels=labels, **given)
        return found.carrying(self, rows, classes)

    def setting_aside(self, rows: IntArray, columns: IntArray) -> "ScoreMatrix":
        """Take pairs of a point and a class for no drawn rivals: they stay at every number.

        As of a class that is the point's own under another name. The point is lost where such a
        class beats its own, or ties with it.

        Parameters
        ----------
        rows, columns : (n,) arrays of int
            The pairs, none of them twice.

        Returns
        -------
        ScoreMatrix
            With other scores of these pairs, which beat nobody.

        Examples
        --------
        >>> import numpy as np
        >>> import accuracy_curves as ac
        >>> matrix = ac.ScoreMatrix([[3.0, 4, 1], [2, 5, 1], [1, 2, 3]], [0, 1, 2])
        >>> ac.average_accuracy(matrix.setting_aside([0], [1]), [2, 3])
        array([0.66666667, 0.66666667])
        """
        rows, columns = np.asarray(rows), np.asarray(columns)
        sign, scores = 1 if self.higher_is_better else -1, np.array(self.scores)
        own = scores[rows, self.labels[rows]]
        beaten = sign * scores[rows, columns] >= sign * own
        scores[rows, columns] = sign * beaten_by(sign * scores[rows], sign * own)
        return self.changed(scores=scores, standing=self.with_fixed(rows[beaten]))

    def blocks(self, points: IntArray | None = None) -> Iterator[tuple[slice, FloatArray]]:
        """Yield the rows block by block: which rows, and their scores (rows, K), higher is better.

        Of all points, or of the given ones, whose places in `points` the rows then are. Distances
        are negated.
        """
        for rows in row_blocks(self.n_points if points is None else len(points), self.n_classes):
            block = np.asarray(self.scores[rows if points is None else points[rows]])
            yield rows, block if self.higher_is_better else -block

    @property
    def correct(self) -> FloatArray:
        """Score of each point for its correct class, (N,); higher is better."""
        own: FloatArray = np.asarray(self.scores[np.arange(self.n_points), self.labels])
        return own if self.higher_is_better else -own

    @property
    def moments(self) -> Float64Array:
        """Mean and standard deviation of the incorrect scores of each point, (N, 2)."""
        found, others = np.empty((self.n_points, 2)), self.n_classes - 1
        for rows, block in self.blocks():
            scores, own = block.astype(np.float64), (np.arange(len(block)), self.labels[rows])
            scores[own] = 0.0
            mean = scores.sum(axis=1) / others
            scores -= mean[:, None]
            scores[own] = 0.0
            squares = np.einsum("xk,xk->x", scores, scores)
            found[rows] = np.column_stack([mean, np.sqrt(squares / (others - 1))])
        return found

    def nearest(
        self, m: int, placed: Placed | None = None, points: IntArray | None = None
    ) -> Iterator[tuple[Index, FloatArray, FloatArray]]:
        """Yield the incorrect scores around the m-th best of each row, block by block.

        Which rows; at most `nearest.MOST_BELOW` scores at and below the m-th best, evenly spaced in
        their order; and the 2 m best, or all, ascending. Higher is better. Of all points or of the
        given ones. What `placed` makes of scores, their rows and their classes takes their place.
        """
        for here, block in self.blocks(points):
            rows = here if points is None else points[here]
            scores = block if placed is None else placed(block, rows, ALL)
            yield rows, *nearest_incorrect(scores, self.labels[rows], m)

    def tied_with_correct(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Yield the rows and columns of incorrect scores that equal the correct one, in blocks."""
        _, tied = self._counts
        points = np.flatnonzero(tied)
        for rows, block in self.blocks(points):
            own = np.arange(len(block)), self.labels[points[rows]]
            equal = block == block[own][:, None]
            equal[own] = False
            i, classes = np.nonzero(equal)
            yield points[rows][i], classes

    def candidates(self, n: int) -> "CandidateLists":
        """Take the n best classes of each point, as the list of a search engine has them.

        Parameters
        ----------
        n : int
            Length of the lists, at least 20, with the correct class where it is among them.

        Returns
        -------
        CandidateLists
        """
        check_whole("n", n, 1)
        n = min(n, self.n_classes)
        scores, classes = zip(*(best_of_rows(block, n) for _, block in self.blocks()), strict=True)
        found = CandidateLists.from_neighbours(
            np.concatenate(scores) * (1 if self.higher_is_better else -1),
            np.concatenate(classes),
            self.labels,
            higher_is_better=self.higher_is_better,
            searched=self.n_classes,
        )
        return found.carrying(self)


def sum_of_probabilities(
    scores: FloatArray, turned: Callable[[FloatArray], FloatArray] = np.asarray
) -> float | None:
    """Tell what each row sums to where the scores are probabilities, 1 or another number.

    None where they are not. `turned` makes them of scores, such as 1 - p. They may be rounded.
    """
    first = turned(np.asarray(scores[:SOME_ROWS], dtype=np.float64))
    total = float(np.median(first.sum(axis=1)))
    usual = [each for each in (1.0, 100.0) if abs(total - each) <= NEAR * each]
    # Many distances, too, sum to nearly one number; but none of them is most of it.
    few = np.median(first.max(axis=1)) < total / np.sqrt(first.shape[1])
    if not usual and (few or total <= 0):
        return None
    total = usual[0] if usual else total
    digits = (n for n in range(MOST_DIGITS) if np.allclose(first, first.round(n), 0, 1e-6))
    unit = 10.0 ** -next(digits, np.inf)
    off = total * ROUNDING + min(unit / 2 * first.shape[1], MOST_ROUNDED * total)
    for rows in row_blocks(*scores.shape):
        block = turned(np.asarray(scores[rows]))
        sums = block.sum(axis=1, dtype=np.float64)
        if not (block.min() >= 0 and np.abs(sums - total).max() <= off):
            return None
    return total


def negative_exponential(scores: FloatArray) -> FloatArray:
    """Take probabilities of their negative logarithms, without an overflow of what is none."""
    return np.exp(np.minimum(-scores, 1.0))


def row_blocks(n_points: int, n_classes: int) -> Iterator[slice]:
    """Divide rows into blocks of `BLOCK_BYTES`."""
    rows = max(1, BLOCK_BYTES // (8 * n_classes))
    for start in range(0, n_points, rows):
        yield slice(start, min(start + rows, n_points))


def check_scores(
    given: object, labels: object, classes: object = None, fewest: int = MINIMUM_CLASSES
) -> tuple[FloatArray, IntArray, AnyArray | None]:
    """Check what a user hands over, once: scores (N, K), labels (N,), names of the columns (K,).

    They come back as arrays, the labels as columns. `InputError` as of `ScoreMatrix`.
    """
    scores, names = as_scores(given)
    found = as_labels(labels)
    if classes is not None:
        names = as_labels(classes, "classes")
    if scores.ndim != 2:
        raise InputError(f"scores must have two dimensions (N, K), not shape {scores.shape}")
    if found.shape != scores.shape[:1]:
        how = ""
        if found.shape == scores.shape:
            how = "; of labels that are 1 in their column and 0 elsewhere take labels.argmax(1)"
        elif found.shape == scores.shape[1:]:
            how = "; a row must be a point and a column a class, so give scores.T"
        raise InputError(
            f"labels have shape {found.shape} but scores have shape {scores.shape}: "
            f"one label a row is needed{how}"
        )
    if scores.shape[0] == 0:
        raise InputError("the score matrix has no rows: at least one data point is needed")
    if scores.shape[1] < fewest:
        raise InputError(
            f"the score matrix has {scores.shape[1]} classes: at least {fewest} are needed"
        )
    refuse_same_photos(scores, found)
    columns, names = label_columns(found, names, scores.shape[1])
    _check_sizes(scores)
    refuse_decisions(scores, columns)
    return scores, columns, names


def _check_sizes(scores: FloatArray) -> None:
    """Refuse what is not finite, and sizes at which sums of squares lose digits or overflow."""
    low, high = np.inf, -np.inf
    for rows in row_blocks(*scores.shape):
        block = np.asarray(scores[rows])
        ends = float(block.min()), float(block.max())
        if not np.isfinite(ends).all():
            refuse_infinite(block, rows.start)
        low, high = min(low, ends[0]), max(high, ends[1])
    largest = max(-low, high)
    if largest and not SMALLEST <= largest <= LARGEST:
        raise InputError(
            f"the scores are from {low:.3g} to {high:.3g}: the largest in size must be from 1e-12 "
            "to 1e100, so take logarithms or multiply all by one number, and leave out what only "
            "marks a failure"
        )
    if 0 < high - low < NARROW * largest:
        raise InputError(
            f"the scores, from {low:.10g} to {high:.10g}, differ by less than a millionth of their "
            "size: subtract one number from all of them while they still have all their digits"
        )


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
    correct = np.empty(as_matrix(matrix).n_points, dtype=matrix.scores.dtype)
    incorrect = np.empty((matrix.n_points, matrix.n_classes - 1), correct.dtype)
    for rows, own, others in split_blocks(matrix):
        correct[rows], incorrect[rows] = own, others
    return correct, incorrect


def split_blocks(matrix: ScoreMatrix) -> Iterator[tuple[slice, FloatArray, FloatArray]]:
    """Split the scores of `ScoreMatrix.blocks`, some rows at a time.

    Yields which rows, their correct scores, and their K - 1 incorrect ones, ascending.
    """
    for rows, block in matrix.blocks():
        own = np.arange(len(block)), matrix.labels[rows]
        others = np.ones(block.shape, dtype=bool)
        others[own] = False
        yield rows, block[own], np.sort(block[others].reshape(len(block), -1), axis=1)


D = TypeVar("D", bound=Ranked)


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
    as_ranked(matrix)
    return matrix.select_classes(draw_classes(matrix.n_classes, k1, seed))


def draw_classes(n_classes: int, k1: int, seed: int = 0) -> IntArray:
    """Draw k1 classes without replacement, (k1,) ascending; see `subsample`."""
    if not (isinstance(k1, int | np.integer) and MINIMUM_CLASSES <= k1 <= n_classes):
        raise InputError(
            f"k1 = {k1} classes cannot be drawn from {n_classes}: "
            f"k1 must be a whole number from {MINIMUM_CLASSES} to {n_classes}"
        )
    return np.sort(np.random.default_rng(seed).choice(n_classes, size=k1, replace=False))
