"""Data that users hand over, checked once: arrays of any library, tables, names, scores."""

import unicodedata
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.cautions import warn_left_out
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.decisions import refuse_confusions, refuse_decisions
from accuracy_curves.scores.rivals import without_masks
from accuracy_curves.scores.same_photos import are_same_photos
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray, row_blocks

AnyArray = npt.NDArray[Any]

NUMBERS = "biuf"
TEXTS = "US"
MASKED = "points whose right class is masked"
# Fewer classes show nothing.
MINIMUM_CLASSES = 3
# Squares of larger components are beyond what is stored of distances.
LARGEST_COMPONENT = 1e18
# So many names of columns stand in a sentence.
NAMED = 5
# Scores may not differ by less, beside their size; the largest may be from the one to the other.
NARROW, SMALLEST, LARGEST = 2.0**-20, 1e-12, 1e100
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
    if isinstance(data, np.ma.MaskedArray):
        if np.ma.is_masked(data):
            raise InputError(
                f"{what} are a masked array, and what is masked has no score: fill it, leave its "
                "rows or columns out, or give pairs that a protocol excludes to score_identities"
            )
        return np.asarray(data.data)
    if isinstance(data, np.ndarray):
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


def as_scores(data: object, masked: float | None = None) -> tuple[FloatArray, AnyArray | None]:
    """Take scores, (N, K), and the names of the classes, (K,), where they are columns of a table.

    A table is a DataFrame of pandas or polars. An array of floats is not copied. What is masked
    gets the score `masked`. `InputError` if they are no real numbers.
    """
    if masked is not None and isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(np.result_type(data.dtype, np.float16)), masked)
    if isinstance(data, np.ndarray) and np.issubdtype(data.dtype, np.floating):
        array = as_array(data, "scores")
        return array if array.itemsize <= 8 else array.astype(np.float64), None
    names: AnyArray | None = None
    table: Any = data
    if hasattr(table, "columns") and hasattr(table, "to_numpy"):
        names, data = np.asarray(table.columns, dtype=object), table.to_numpy()
    array = as_array(data, "scores")
    if names is not None and array.dtype == object:
        wrong = [n for n in table.columns if np.asarray(table[n]).dtype.kind not in NUMBERS]
        if wrong:
            raise InputError(
                f"the column {str(wrong[0])!r} of the scores is not of numbers: columns are "
                "classes, so leave out all others"
            )
        array = array.astype(np.float64)
    if array.dtype.kind not in NUMBERS:  # NumPy would parse texts and drop imaginary parts.
        raise InputError(f"scores must be an (N, K) array of real numbers: they are {array.dtype}")
    if names is not None:
        names = as_labels(names, "names of columns")
    return array if array.dtype.kind == "f" else array.astype(np.float64), names


def as_vectors(data: object, what: str) -> Float64Array:
    """Take embeddings, (M, d); `InputError` if they are no finite numbers."""
    array = as_array(data, what)
    if array.ndim != 2 or not array.size or array.dtype.kind not in NUMBERS:
        raise InputError(
            f"{what} must be an array of numbers with two dimensions, one row per embedding, not "
            f"{array.dtype} of shape {array.shape}"
        )
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


def right_answers(right: Any, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
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
    itself where columns have no names, or texts of which none is such a number. `InputError` if a
    name stands twice, a label is not a column, or is a text without names of the columns: in which
    order texts stand in the columns nobody can know. For labels `of_searches` the sentence says
    what -1 is.
    """
    if names is not None:
        if names.shape != (n_classes,):
            raise InputError(
                f"there are {names.size} names of classes but {n_classes} columns: "
                "one name a column is needed"
            )
        sought, known = labels, names
        if (labels.dtype.kind in TEXTS) != (names.dtype.kind in TEXTS):
            sought, known = labels.astype(np.str_), names.astype(np.str_)
        ranked, order, counts = np.unique(known, return_index=True, return_counts=True)
        if (counts > 1).any():
            raise InputError(
                f"the class {str(ranked[counts > 1][0])!r} is the name of two columns: each column "
                "is a class of its own"
            )
        place = positions(sought, ranked)
        if (place >= 0).all():
            return order[place], names
        if (place >= 0).any() or labels.dtype.kind not in "iu" or names.dtype.kind not in TEXTS:
            row = int((place < 0).argmax())
            listed, label = ", ".join(str(name) for name in names[:NAMED]), str(labels[row])
            alike = [str(name) for name in names if plain_name(str(name)) == plain_name(label)]
            why = f" as {alike[0]!a} is, up to Unicode form, case or spaces" if alike else ""
            stranger = "; the label of a search by somebody who is not enrolled is -1"
            raise InputError(
                f"the label in row {row} is {ascii(label) if alike else repr(label)}, which is "
                f"not the name of a column{why}: columns are {listed}"
                f"{', ...' if n_classes > NAMED else ''}{stranger * of_searches}"
            )
    elif labels.dtype.kind in TEXTS:
        raise InputError(
            f"labels are texts, such as {str(labels.flat[0])!r}, and the columns have no names: "
            "give their names in the order of the columns, as classes=... "
            "(classes=classifier.classes_ of scikit-learn), as the array classes of an .npz file, "
            "or as the first line of a CSV"
        )
    if not np.issubdtype(labels.dtype, np.integer):
        raise InputError(
            "labels must be whole numbers, the column of each point's class, or the classes' "
            f"names, not {labels.dtype}"
        )
    outside = np.flatnonzero((labels < 0) | (labels >= n_classes))
    if len(outside):
        none = "; -1 stands for no class: leave such points out, or give them to Searches"
        raise InputError(
            f"the label in row {outside[0]} is {labels[outside[0]]}: "
            f"labels are columns, from 0 to {n_classes - 1}{none * bool(labels[outside[0]] == -1)}"
        )
    return labels.astype(np.int64), names


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


def of_nobody(labels: AnyArray) -> npt.NDArray[np.bool_]:
    """Which labels are -1: of strangers, or of photos that no protocol counts."""
    return np.asarray(labels == ("-1" if labels.dtype.kind in TEXTS else -1))


def check_scores(
    data: object,
    labels: object,
    classes: object = None,
    *,
    higher_is_better: bool = True,
    absent: npt.NDArray[np.bool_] | None = None,
) -> tuple[FloatArray, IntArray, AnyArray | None, IntArray | slice]:
    """Check what a user hands over, once: scores, labels, names of the columns.

    Gives scores, (N, K), labels as columns, (N,), names of the columns, (K,), and which rows these
    are. What is masked, or infinitely bad, beats nobody; a row whose right class is so is left out,
    but not one of the `absent`, which has none. `InputError` as of `ScoreMatrix`.
    """
    worst = -np.inf if higher_is_better else np.inf
    scores, names = as_scores(data, worst)
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
            "itself, but a column is a class: choose some photos of each person as its gallery "
            "(accuracy_curves.score_photos); if there is one of each, points must be other photos",
            reason="photos",
        )
    of_searches = absent is not None
    columns, names = label_columns(names_of_points, names, scores.shape[1], of_searches=of_searches)
    refuse_confusions(scores, columns)
    kept: IntArray | slice = slice(None)
    if _check_sizes(scores, worst):
        of_logarithms = negative_exponential if not higher_is_better else np.exp
        if sum_of_probabilities(scores, of_logarithms) == 1:
            # A probability of zero is below all others.
            known = scores[np.isfinite(scores)]
            lowest = known.min() - 1 if higher_is_better else known.max() + 1
            scores = np.where(np.isfinite(scores), scores, lowest)
        else:
            own = scores[np.arange(len(scores)), columns]
            if absent is not None:
                own = np.where(absent, -worst, own)
            sign = 1 if higher_is_better else -1
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
    if 0 < high - low < NARROW * largest:
        raise InputError(
            f"the scores, from {low:.10g} to {high:.10g}, differ by less than a millionth of their "
            "size: subtract one number from all of them while they still have all their digits"
        )
    return masked


def sum_of_probabilities(
    scores: FloatArray, turned: Callable[[FloatArray], FloatArray] = np.asarray
) -> float | None:
    """Sum of each row where the scores are probabilities: 1 or another number.

    None where they are not. `turned` makes them of scores, such as 1 - p. They may be rounded.
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


def negative_exponential(scores: FloatArray) -> FloatArray:
    """Take probabilities of their negative logarithms, without an overflow of what is none."""
    return np.exp(np.minimum(-scores, 1.0))
