"""Data that users hand over, checked once: arrays of any library, tables, names, scores."""

import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np

from accuracy_curves.cautions import warn_left_out
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.decisions import refuse_confusions, refuse_decisions
from accuracy_curves.scores.rivals import without_masks
from accuracy_curves.scores.same_photos import are_same_photos
from accuracy_curves.utils.arrays import (
    AnyArray,
    BoolArray,
    Float64Array,
    FloatArray,
    IntArray,
    row_blocks,
)

NUMBERS = "biuf"
TEXTS = "US"
MASKED = "points whose right class is masked"
# Fewer classes show nothing.
MINIMUM_CLASSES = 3
# Larger whole numbers have no float of their own.
LARGEST_LABEL = 2.0**53
# Squares of larger components are beyond what is stored of distances.
LARGEST_COMPONENT = 1e18
# Most names of columns in a sentence.
NAMED = 5
# The largest score, in size, is from the one to the other.
SMALLEST, LARGEST = 1e-12, 1e100
# Of the sum of a row of probabilities, which may be half floats, or rounded to a few digits.
ROUNDING, NEAR, MOST_ROUNDED = 0.01, 0.05, 0.25
MOST_DIGITS, SOME_ROWS = 5, 100


def plain_name(name: str) -> str:
    """Write a name as all that differ from it only by Unicode form, case or spaces at its ends."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def as_array(data: object, what: str) -> AnyArray:
    """Take an array of another library, such as a tensor, or lists; `what` names it in a sentence.

    Through the array protocol. `InputError` if that fails.
    """
    if np.ma.is_masked(data):
        raise InputError(
            f"{what} are a masked array, and what is masked has no score: fill it with -inf (inf "
            "of distances), or give pairs that a protocol excludes to score_identities"
        )
    if isinstance(data, np.ndarray) and not isinstance(data, np.ma.MaskedArray):
        return data
    try:
        # A tensor of PyTorch may record gradients, or lie on a graphics card.
        for step in ("detach", "cpu"):
            data = getattr(data, step, lambda same=data: same)()
        return np.asarray(data)
    except Exception as error:  # Other libraries raise errors of many kinds.
        raise InputError(
            f"{what} cannot be read as an array of real numbers: {error}; convert them to a NumPy "
            "array first"
        ) from error


def check_shape(what: str, array: AnyArray, *shape: int | None) -> None:
    """Raise `InputError` unless an array has this shape; None is any length but 0."""
    fits = array.ndim == len(shape) and array.size > 0
    if not fits or any(n not in (None, m) for n, m in zip(shape, array.shape, strict=True)):
        lengths = ", ".join("any" if n is None else str(n) for n in shape)
        raise InputError(f"{what} have shape {array.shape}: shape ({lengths}) is needed")


def check_number(n: int, what: str) -> None:
    """Raise `InputError` if there are too few classes, or people that become classes."""
    if n < MINIMUM_CLASSES:
        raise InputError(f"there are {n} {what}: at least {MINIMUM_CLASSES} are needed")


def as_scores(data: object) -> tuple[FloatArray, AnyArray | None]:
    """Take scores, (N, K), and the names of the classes, (K,), where they are columns of a table.

    A table is a DataFrame of pandas or polars. An array of floats is not copied. `InputError` if
    they are no real numbers.
    """
    names: AnyArray | None = None
    table: Any = data
    if hasattr(table, "columns") and hasattr(table, "to_numpy"):
        for name in table.columns:
            if np.asarray(table[name]).dtype.kind not in NUMBERS:
                raise InputError(
                    f"the column {str(name)!r} of the scores is not of numbers: columns are "
                    "classes, so leave out all others"
                )
        names = as_labels(np.asarray(table.columns, dtype=object), "names of columns")
        data = np.asarray(table.to_numpy(), dtype=np.float64)
    array = as_array(data, "scores")
    if array.dtype.kind not in NUMBERS:  # NumPy would parse texts and drop imaginary parts.
        raise InputError(f"scores must be an (N, K) array of real numbers: they are {array.dtype}")
    floats = array.dtype.kind == "f" and array.itemsize <= 8
    return array if floats else array.astype(np.float64), names


def as_vectors(data: object, what: str) -> Float64Array:
    """Take embeddings, (M, d); `InputError` if they are no finite numbers."""
    array = as_array(data, what)
    check_shape(what, array, None, None)
    if array.dtype.kind not in NUMBERS:
        raise InputError(f"{what} must be numbers, one row per embedding: they are {array.dtype}")
    with np.errstate(invalid="ignore"):  # A signalling NaN is refused below, in words.
        array = np.ascontiguousarray(array, np.float64)
    wrong = np.flatnonzero(~(np.abs(array) < LARGEST_COMPONENT).all(axis=1))
    if len(wrong):
        raise InputError(
            f"row {wrong[0]} of the {what} is not finite, or beyond 10^18: divide all by one "
            "number, or leave it out"
        )
    return array


def refuse_infinite(scores: AnyArray, first_row: int = 0) -> None:
    """Raise `InputError` where a score is not finite; the sentence counts from `first_row`."""
    finite = np.isfinite(scores)
    if not finite.all():
        rows, columns = np.nonzero(~finite)
        row, column = rows[0], columns[0]
        itself = np.array_equal(rows + first_row, columns) and len(rows) > 1
        how = "; give pairs of a photo and itself to score_identities, or the file, as `excluded`"
        raise InputError(
            f"the score in row {first_row + row}, column {column} is {scores[row, column]}: every "
            f"score must be finite{how * itself}"
        )


def as_labels(data: object, what: str = "labels") -> AnyArray:
    """Take labels or names of classes: numbers or texts, the same kind for all.

    Those of shape (N, 1) or (1, N), as of MATLAB, are a vector.
    """
    array = as_array(data, what)
    if array.ndim == 2 and min(array.shape) == 1:
        array = array.ravel()
    if array.dtype == object:
        for kind, dtype in ((str, np.str_), ((int, np.integer), np.int64)):
            if all(isinstance(label, kind) for label in array.flat):
                return array.astype(dtype)
    floats = array.dtype.kind == "f"
    if floats and (array % 1 == 0).all() and np.abs(array).max(initial=0) < LARGEST_LABEL:
        return array.astype(np.int64)  # As MATLAB has them.
    if array.dtype.kind not in NUMBERS + TEXTS or (floats and not np.isfinite(array).all()):
        kinds = " and ".join(sorted({type(label).__name__ for label in array.flat}))
        raise InputError(
            f"{what} must be all whole numbers or all texts, and none absent: they are of {kinds}"
        )
    return array


def are_marks(right: Any, shape: tuple[int, ...]) -> bool:
    """Whether something has a 1 in the columns of right answers, and else 0."""
    rows = {np.size(row) for row in right} == {shape[-1]}
    return rows and np.shape(right) == shape and bool(np.isin(right, (0, 1)).all())


def right_answers(right: Any, shape: tuple[int, ...]) -> BoolArray:
    """Mark the right answers of each query, (N, K): they are marked already, or listed."""
    if are_marks(right, shape):
        return np.asarray(right, dtype=bool)
    query = np.repeat(np.arange(len(right)), [np.size(listed) for listed in right])
    columns = np.array([column for listed in right for column in np.ravel(listed)], dtype=np.int64)
    if len(right) != shape[0] or not np.isin(columns, np.arange(shape[1])).all():
        raise InputError(
            f"right answers must be marked in an array of shape {shape}, or be lists of columns, "
            f"one a query, from 0 to {shape[1] - 1}: there are {len(right)}"
        )
    marked = np.zeros(shape, dtype=bool)
    marked[query, columns] = True
    return marked


def label_columns(
    labels: AnyArray, names: AnyArray | None, n_classes: int, *, of_searches: bool = False
) -> tuple[IntArray, AnyArray | None]:
    """Find the column of each label, (N,), and the names of the columns, (K,), if they have any.

    A label is the name of a column; numbers and texts are compared as texts. A number is the column
    itself where columns have no names, or texts of which none is such a number. `InputError` if
    two columns have one name, or a label is no column. Texts need names of the columns, as nobody
    knows the order of the columns without them. For labels `of_searches` the sentence says what -1
    is.
    """
    texts = labels.dtype.kind in TEXTS
    if names is not None:
        check_shape("names of classes", names, n_classes)
    elif texts:
        raise InputError(
            f"labels are texts, such as {str(labels.flat[0])!r}, and the columns have no names: "
            "give their names in the order of the columns, as classes=... "
            "(classes=classifier.classes_ of scikit-learn), as the array classes of an .npz file, "
            "or as the first line of a CSV"
        )
    sought, known = labels, np.arange(n_classes) if names is None else names
    if texts != (known.dtype.kind in TEXTS):
        sought, known = labels.astype(np.str_), known.astype(np.str_)
    ranked, order, counts = np.unique(known, return_index=True, return_counts=True)
    if (counts > 1).any():
        raise InputError(
            f"the class {str(ranked[counts > 1][0])!r} is the name of two columns: each column "
            "is a class of its own"
        )
    place = positions(sought, ranked)
    if (place >= 0).all():
        return order[place], names
    if names is not None and not texts and names.dtype.kind in TEXTS and (place < 0).all():
        return label_columns(labels, None, n_classes, of_searches=of_searches)[0], names
    row = int((place < 0).argmax())
    label, listed = labels[row].item(), f"from 0 to {n_classes - 1}"
    if names is not None:
        listed = ", ".join([*map(str, names[:NAMED]), *["..."] * (n_classes > NAMED)])
    similar = [name for name in map(str, known) if plain_name(name) == plain_name(str(label))]
    why = f" (but {similar[0]!a} is: compare case, spaces and Unicode form)" if similar else ""
    none = "; the label of a search by somebody who is not enrolled is -1" if of_searches else ""
    if label == -1:
        none = "; -1 is no class: leave such points out, or give them to Searches"
    raise InputError(
        f"the label in row {row} is {ascii(label) if similar else repr(label)}, which is not a "
        f"column{why}: columns are {listed}{none}"
    )


def check_ids(queries: AnyArray, photos: AnyArray) -> None:
    """Raise `InputError` unless ids are numbers or texts, the same kind for both."""
    if (queries.dtype.kind in TEXTS) != (photos.dtype.kind in TEXTS):
        raise InputError(
            f"the query ids are {queries.dtype} but the gallery ids are {photos.dtype}: write both "
            "as numbers or both as texts"
        )


def positions(ids: AnyArray, ascending: AnyArray) -> IntArray:
    """Find each id among ascending ones; -1 where it is not there."""
    place = np.searchsorted(ascending, ids).clip(max=len(ascending) - 1)
    return np.where(ascending[place] == ids, place, -1).astype(np.int64)


def of_nobody(labels: AnyArray) -> BoolArray:
    """Which labels are -1: of strangers, or of photos that no protocol counts."""
    return np.asarray(labels == ("-1" if labels.dtype.kind in TEXTS else -1))


def check_scores(
    data: object,
    labels: object,
    classes: object = None,
    *,
    higher_is_better: bool = True,
    absent: BoolArray | None = None,
) -> tuple[FloatArray, IntArray, AnyArray | None, IntArray | slice]:
    """Check what a user hands over, once: scores, labels, names of the columns.

    Gives scores, (N, K), labels as columns, (N,), names of the columns, (K,), and which rows these
    are. What is masked, or infinitely bad, beats nobody; a row whose right class is so is left out,
    but not one of the `absent`, which has none. `InputError` as of `ScoreMatrix`.
    """
    worst = -np.inf if higher_is_better else np.inf
    scores, names = as_scores(data)
    names_of_points = as_labels(labels)
    if classes is not None:
        names = as_labels(classes, "classes")
    if scores.ndim != 2:
        raise InputError(f"scores must have two dimensions (N, K), not shape {scores.shape}")
    if names_of_points.shape != scores.shape[:1]:
        how = ""
        if are_marks(names_of_points, scores.shape):
            how = "; of labels that are 1 in their column and 0 elsewhere take labels.argmax(1)"
            if (np.count_nonzero(names_of_points, axis=1) != 1).any():
                how = "; of several right answers ScoreMatrix.of_queries(scores, labels) makes one"
        elif names_of_points.shape == scores.shape[1:]:
            how = "; a row must be a point and a column a class, so give scores.T"
        raise InputError(
            f"labels have shape {names_of_points.shape} but scores have shape {scores.shape}: "
            f"one label per row is needed{how}"
        )
    # A trial is a search of one.
    fewest = 1 if absent is not None and scores.shape[1] == 1 else MINIMUM_CLASSES
    if not len(scores) or scores.shape[1] < fewest:
        raise InputError(
            f"the score matrix has {len(scores)} points and {scores.shape[1]} classes: one and at "
            f"least {fewest} are needed"
        )
    if are_same_photos(scores, names_of_points):
        raise InputError(
            f"rows and columns seem to be the same {len(scores):,} photos, and a photo finds "
            "itself, but a column is a class: score_identities(scores, labels, labels, "
            f"excluded=np.eye({len(scores)}, dtype=bool)) makes classes of them, or a file with "
            "distmat, query_ids, gallery_ids and excluded; if there is one photo of each, points "
            "must be others",
        )
    of_searches = absent is not None
    columns, names = label_columns(names_of_points, names, scores.shape[1], of_searches=of_searches)
    refuse_confusions(scores, columns)
    kept: IntArray | slice = slice(None)
    if _check_sizes(scores, worst):
        sign = 1 if higher_is_better else -1
        # Without an overflow of what is no probability.
        if sum_of_probabilities(scores, lambda logs: np.exp(np.minimum(sign * logs, 1))) == 1:
            # A probability of zero is below all others.
            known = scores[np.isfinite(scores)]
            lowest = known.min() - 1 if higher_is_better else known.max() + 1
            scores = np.where(np.isfinite(scores), scores, lowest)
        else:
            own = scores[np.arange(len(scores)), columns]
            if absent is not None:
                own = np.where(absent, -worst, own)
            oriented, kept = without_masks(sign * scores, sign * own)
            scores, columns = sign * oriented, columns[kept]
    refuse_decisions(scores, columns)
    if len(columns) < len(names_of_points):
        warn_left_out(MASKED, len(names_of_points) - len(columns))
    return scores, columns, names, kept


def _check_sizes(scores: FloatArray, worst: float) -> bool:
    """Whether a score is infinitely bad.

    Refuses what is not finite, and sizes at which sums of squares lose digits or overflow.
    """
    low, high, masked = np.inf, -np.inf, False
    for rows in row_blocks(*scores.shape):
        block = np.asarray(scores[rows])
        ends = float(block.min()), float(block.max())
        if not np.isfinite(ends).all():
            refuse_infinite(np.where(block == worst, 0, block), rows.start)
            masked, scored = True, block[block != worst]
            ends = float(scored.min(initial=low)), float(scored.max(initial=high))
        low, high = min(low, ends[0]), max(high, ends[1])
    largest = max(-low, high)
    if largest and not SMALLEST <= largest <= LARGEST:
        raise InputError(
            f"the scores are from {low:.3g} to {high:.3g}: the largest in size must be from 1e-12 "
            "to 1e100, so take logarithms or multiply all by one number, and leave out what only "
            "marks a failure"
        )
    return masked


def sum_of_probabilities(
    scores: FloatArray, turned: Callable[[FloatArray], FloatArray] = np.asarray
) -> float | None:
    """Sum of each row where the scores are probabilities: 1 or another number.

    None where they are not. `turned` makes them of their logarithms. They may be rounded.
    """
    first = turned(np.asarray(scores[:SOME_ROWS], dtype=np.float64))
    total = float(np.median(first.sum(axis=1)))
    usual = [whole for whole in (1.0, 100.0) if abs(total - whole) <= NEAR * whole]
    # Many distances, too, sum to nearly one number; but none of them is most of it.
    few = np.median(first.max(axis=1)) < total / np.sqrt(first.shape[1])
    if first.min() < 0 or (not usual and (few or total <= 0)):
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
