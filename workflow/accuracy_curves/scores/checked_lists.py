"""Lists that a user hands over: checks of what is in them, and arrays of one form."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores import given_arrays
from accuracy_curves.scores.same_photos import refuse_found_themselves
from accuracy_curves.utils.arrays import AnyArray, BoolArray, Float64Array, IntArray
from accuracy_curves.utils.validation import Whole, check

# Past the end of a list; faiss writes it where it found fewer.
NONE = -1
# Halves divide all classes, so that they are counted one by one.
MOST_SEARCHED = 2**31 - 1


def as_classes(near: AnyArray, own: AnyArray, searched: int) -> tuple[IntArray, IntArray]:
    """Turn classes of lists and labels to numbers below K; those that are so stay."""
    check("searched", searched, Whole(given_arrays.MINIMUM_CLASSES, MOST_SEARCHED))
    texts = near.dtype.kind in "US"
    given_arrays.check_ids(own, near)
    none = "" if texts else NONE
    if not texts and max(near.max(), own.max()) < searched and min(near.min(), own.min()) >= NONE:
        return near.astype(np.int64), own.astype(np.int64)
    known, codes = np.unique(np.append(near.ravel(), own), return_inverse=True)
    codes = np.where(known == none, NONE, np.cumsum(known != none) - 1)[codes]
    different = np.count_nonzero(known != none)
    if different > searched:
        away = np.count_nonzero(~np.isin(own, near))
        raise InputError(
            f"searched is {searched:,}, but lists and labels have {different:,} different classes: "
            f"give the number of all classes that were searched; of {away:,} searches the right "
            "class is in no list: leave them out if it was not searched"
        )
    return codes[: near.size].reshape(near.shape), codes[near.size :]


def to_front(scores: AnyArray, classes: AnyArray) -> tuple[Any, Any]:
    """Move what is listed to the front of its row; past it are -inf and -1."""
    lengths = np.count_nonzero(keep := classes != NONE, axis=1)
    front = np.arange(max(1, lengths.max())) < lengths[:, None]
    fronts = np.full(front.shape, -np.inf, scores.dtype), np.full(front.shape, NONE, classes.dtype)
    for part, whole in zip(fronts, (scores, classes), strict=True):
        part[front] = whole[keep]
    return fronts


def as_arrays(*arrays: object) -> tuple[Float64Array, AnyArray, AnyArray]:
    """Take scores and ids, (N, L), and labels, (N,)."""
    scores = given_arrays.as_array(arrays[0], "scores")
    ids, own = given_arrays.as_array(arrays[1], "ids"), given_arrays.as_labels(arrays[2])
    near = given_arrays.as_labels(ids, "ids").reshape(ids.shape)
    given_arrays.check_shape("scores", scores, None, None)
    given_arrays.check_shape("ids", near, *scores.shape)
    given_arrays.check_shape("labels", own, len(scores))
    if near.dtype.kind not in "iuUS":
        raise InputError(f"ids must be whole numbers or texts: they are {near.dtype}")
    return scores.astype(np.float64), near, own


def refuse(
    wrong: BoolArray,
    what: str,
    remedy: str,
    reason: str = "",
    queries: Sequence[object] | None = None,
) -> None:
    """Raise if a row has a fault: its query is named, where queries have names."""
    rows = np.flatnonzero(np.any(wrong, axis=1))
    if len(rows):
        which = f"row {rows[0]}" if queries is None else f"the query {queries[rows[0]]!r}"
        raise InputError(f"{which} {what}: {remedy}", reason=reason)


def check_lists(
    oriented: Float64Array,
    items: IntArray,
    there: BoolArray,
    queries: Sequence[object] | None = None,
) -> None:
    """Refuse scores that rise along a list or are not finite, and what is listed twice."""
    if not there.any():
        raise InputError("all lists are empty: nothing was found")
    wrong = there & ~np.isfinite(oriented)
    with np.errstate(invalid="ignore"):
        wrong[:, 1:] |= there[:, 1:] & there[:, :-1] & (oriented[:, 1:] > oriented[:, :-1])
    remedy = "say whether higher is better: are they distances?"
    refuse(
        wrong, "has scores that are not finite and in order, best first", remedy, "rising", queries
    )
    ordered = np.sort(items, axis=1)
    again = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NONE)
    remedy = "leave the second one out, or give gallery_labels if a class has several items"
    refuse(again, "lists one candidate twice", remedy, queries=queries)


def check_gallery(
    scores: Float64Array, near: AnyArray, queries: AnyArray, photos: AnyArray
) -> None:
    """Check places and ids; refuse the gallery's own photos, which find themselves."""
    given_arrays.check_shape("the gallery labels", photos, None)
    given_arrays.check_ids(queries, photos)
    outside = np.argwhere((near < NONE) | (near >= len(photos)))
    if len(outside):
        row, column = outside[0]
        raise InputError(
            f"the index in row {row}, column {column} is {near[row, column]}: the gallery has "
            f"{len(photos)} photos"
        )
    nearest = photos[near[:, 0]]
    people, counts = np.unique(photos, return_counts=True)
    several = np.isin(nearest, people[counts > 1]) | (near[:, 0] == np.arange(len(near)))
    refuse_found_themselves(scores[:, 0], float(np.ptp(scores)), several & (nearest == queries))


def first_of_each(listed: IntArray) -> BoolArray:
    """Mark the first of equal entries in each row."""
    key = np.arange(len(listed))[:, None] * (listed.max() + 2) + listed + 1
    first = np.zeros(listed.size, dtype=bool)
    first[np.unique(key, return_index=True)[1]] = True
    return first.reshape(listed.shape)
