"""Data that users hand over: arrays of any library, tables with named columns, names of classes."""

import unicodedata
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray

AnyArray = npt.NDArray[Any]

NUMBERS = "biuf"
TEXTS = "US"
LEAST_GROUPS = 3
# Squares of larger components are beyond what is stored of distances.
LARGEST_COMPONENT = 1e18
# So many names of columns stand in a sentence.
NAMED = 5


def plain_name(name: str) -> str:
    """Write a name as all that differ from it only by Unicode form, case or spaces at its ends."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def as_array(given: object, what: str) -> AnyArray:
    """Take an array of another library, such as a tensor, or lists; `what` names it in a sentence.

    Through the array protocol. `InputError` if that fails.
    """
    if isinstance(given, np.ma.MaskedArray):
        if np.ma.is_masked(given):
            raise InputError(
                f"{what} are a masked array, and what is masked has no score: fill it, leave its "
                "rows or columns out, or give pairs that a protocol excludes to score_identities"
            )
        return np.asarray(given.data)
    if isinstance(given, np.ndarray):
        return given
    try:
        # A tensor of PyTorch may record gradients, or lie on a graphics card.
        for step in ("detach", "cpu"):
            given = getattr(given, step, lambda same=given: same)()
        return np.asarray(given)
    except Exception as error:  # Other libraries raise errors of many kinds.
        raise InputError(
            f"{what} cannot be read as an array of real numbers: {error}; convert them to a NumPy "
            "array first"
        ) from error


def as_scores(given: object, masked: float | None = None) -> tuple[FloatArray, AnyArray | None]:
    """Take scores, (N, K), and the names of the classes, (K,), where they are columns of a table.

    A table is a DataFrame of pandas or polars. An array of floats is not copied. What is masked
    gets the score `masked`. `InputError` if they are no real numbers.
    """
    if masked is not None and isinstance(given, np.ma.MaskedArray):
        given = np.ma.filled(given.astype(np.result_type(given.dtype, np.float16)), masked)
    if isinstance(given, np.ndarray) and np.issubdtype(given.dtype, np.floating):
        array = as_array(given, "scores")
        return array if array.itemsize <= 8 else array.astype(np.float64), None
    names: AnyArray | None = None
    table: Any = given
    if hasattr(table, "columns") and hasattr(table, "to_numpy"):
        names, given = np.asarray(table.columns, dtype=object), table.to_numpy()
    array = as_array(given, "scores")
    if names is not None and array.dtype == object:
        kinds = {str(name): np.asarray(table[name]).dtype.kind for name in table.columns}
        wrong = [name for name, kind in kinds.items() if kind not in NUMBERS]
        if wrong:
            raise InputError(
                f"the column {wrong[0]!r} of the scores is not of numbers: columns are classes, so "
                "leave out all others"
            )
        array = array.astype(np.float64)
    if array.dtype.kind not in NUMBERS:  # NumPy would parse texts and drop imaginary parts.
        raise InputError(f"scores must be an (N, K) array of real numbers: they are {array.dtype}")
    if names is not None:
        names = as_labels(names, "names of columns")
    return array if array.dtype.kind == "f" else array.astype(np.float64), names


def as_vectors(given: object, what: str) -> Float64Array:
    """Take embeddings, (M, d); `InputError` if they are no finite numbers."""
    array = as_array(given, what)
    if array.ndim != 2 or not array.size or array.dtype.kind not in NUMBERS:
        raise InputError(
            f"{what} must be an array of numbers with two dimensions, a row an embedding, not "
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
        row, column = np.argwhere(~finite)[0]
        raise InputError(
            f"the score in row {first_row + row}, column {column} is {scores[row, column]}: every "
            "score must be finite"
        )


def as_labels(given: object, what: str = "labels") -> AnyArray:
    """Take labels or names of classes: numbers or texts, the same kind for all."""
    array = as_array(given, what)
    if array.dtype == object:
        for kind, dtype in ((str, np.str_), ((int, np.integer), np.int64)):
            if all(isinstance(each, kind) for each in array.flat):
                return array.astype(dtype)
    floats = array.dtype.kind == "f"
    if array.dtype.kind not in NUMBERS + TEXTS or (floats and not np.isfinite(array).all()):
        kinds = " and ".join(sorted({type(each).__name__ for each in array.flat}))
        raise InputError(
            f"{what} must be all whole numbers or all texts, and none absent: they are of {kinds}"
        )
    return array


def are_marks(given: Any, shape: tuple[int, ...]) -> bool:
    """Tell whether something has a 1 in the columns of right answers, and else 0."""
    rows = {np.size(row) for row in given} == {shape[-1]}
    return rows and np.shape(given) == shape and bool(np.isin(given, (0, 1)).all())


def right_answers(right: Any, shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Mark the right answers of each query, (N, K): they are marked already, or listed."""
    if are_marks(right, shape):
        return np.asarray(right, dtype=bool)
    query = np.repeat(np.arange(len(right)), [np.size(listed) for listed in right])
    columns = np.array([each for listed in right for each in np.ravel(listed)], dtype=np.int64)
    if len(right) != shape[0] or not np.isin(columns, np.arange(shape[1])).all():
        raise InputError(
            f"right answers must be marked in an array of shape {shape}, or be lists of columns, "
            f"one a query, from 0 to {shape[1] - 1}: there are {len(right)}"
        )
    found = np.zeros(shape, dtype=bool)
    found[query, columns] = True
    return found


def group_codes(
    groups: object, n_classes: int, standing: object = None
) -> tuple[AnyArray, IntArray]:
    """Take the name of the group of each class: names, ascending, and the group of each, (K,).

    `InputError` if the sample has rivals that stay already, such as other right answers.
    """
    if standing is not None:
        raise InputError(
            "groups of classes do not go with several right answers of a query, nor with pairs set "
            "aside: leave the groups out, or give each query one right answer"
        )
    names, group = np.unique(as_labels(groups, "groups"), return_inverse=True)
    if group.shape != (n_classes,) or len(names) < LEAST_GROUPS:
        raise InputError(
            f"there are {group.size:,} names of groups, {len(names):,} different ones, for "
            f"{n_classes:,} classes: one a class is needed, and three groups or more"
        )
    return names, group


def columns_of(labels: AnyArray, names: AnyArray, *, of_searches: bool = False) -> IntArray:
    """Find the column of each label, (N,), among the names of the columns, (K,).

    Numbers and texts are compared as texts. `InputError` if a name stands twice, or a label is not
    among them; labels `of_searches` may be -1 instead.
    """
    shown = names
    if (labels.dtype.kind in TEXTS) != (names.dtype.kind in TEXTS):
        labels, names = labels.astype(np.str_), names.astype(np.str_)
    ranked, order, counts = np.unique(names, return_index=True, return_counts=True)
    if (counts > 1).any():
        raise InputError(
            f"the class {str(ranked[counts > 1][0])!r} is the name of two columns: each column is "
            "a class of its own"
        )
    place = positions(labels, ranked)
    wrong = np.flatnonzero(place < 0)
    if len(wrong):
        listed, label = ", ".join(str(name) for name in shown[:NAMED]), str(labels[wrong[0]])
        alike = [str(name) for name in shown if plain_name(str(name)) == plain_name(label)]
        why = f" as {alike[0]!a} is, up to Unicode form, case or spaces" if alike else ""
        raise InputError(
            f"the label in row {wrong[0]} is {ascii(label) if alike else repr(label)}, which is "
            f"not the name of a column{why}: columns are {listed}"
            f"{', ...' if len(shown) > NAMED else ''}"
            + "; the label of a search by somebody who is not enrolled is -1"
            * of_searches
        )
    return order[place]


def label_columns(
    labels: AnyArray, names: AnyArray | None, n_classes: int, *, of_searches: bool = False
) -> tuple[IntArray, AnyArray | None]:
    """Find the column of each label, (N,), and the names of the columns, (K,), if they have any.

    A label is the name of a column. A number is the column itself where columns have no names, or
    none that are numbers. `InputError` if a label is not a column, or is a text without names of
    the columns: in which order texts stand in the columns nobody can know.
    """
    if names is not None:
        if names.size == n_classes:  # Such as (1, K) of MATLAB.
            names = names.ravel()
        if names.shape != (n_classes,):
            raise InputError(
                f"there are {names.size} names of classes but {n_classes} columns: "
                "one name a column is needed"
            )
        columns_of(names, names)  # Each stands there once.
        numbers = labels.dtype.kind in "iu" and names.dtype.kind in TEXTS
        if not numbers or np.isin(np.unique(labels).astype(np.str_), names).any():
            return columns_of(labels, names, of_searches=of_searches), names
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
