"""Nearest neighbours of queries, as the search of a vector index gives them."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.identities import check_ids, positions
from accuracy_curves.scores.ranks import Ranks
from accuracy_curves.scores.same_photos import SAME
from accuracy_curves.utils.arrays import IntArray

# Written by faiss where it found fewer neighbours than it was asked for.
NONE = -1


def ranks_of_neighbours(
    distances: npt.ArrayLike,
    indices: npt.ArrayLike,
    query_ids: npt.ArrayLike,
    gallery_ids: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
) -> Ranks:
    """Count the ranks of the mates in lists of nearest neighbours.

    The score of an identity is that of its best photo. The search must be exact, as an approximate
    one passes over competitors; and no query may be a photo of the gallery, or it finds itself.

    Parameters
    ----------
    distances : (N, m) array of float
        Those of the m nearest photos of each query, best first, as `faiss.Index.search` has them.
    indices : (N, m) array of int
        Positions of those photos in `gallery_ids`; -1 for none.
    query_ids : (N,) array
        Identity of each query, numbers or texts.
    gallery_ids : (G,) array
        Identity of each photo.
    higher_is_better : bool
        True for inner products.

    Returns
    -------
    Ranks
        N points; the classes are the identities in ascending order.

    Raises
    ------
    InputError
        If a mate is not in its list, or competitors at its very distance may be cut off: lists
        must then be longer. If shapes disagree, a list is not in order, or queries are the photos
        of the gallery.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> found = ac.ranks_of_neighbours(
    ...     distances=[[0.1, 0.2, 0.4], [0.3, 0.5, 0.6]],
    ...     indices=[[0, 1, 2], [3, 2, 0]],
    ...     query_ids=["ann", "ben"],
    ...     gallery_ids=["ann", "ann", "ben", "cat"],
    ... )
    >>> found.outscored.tolist()  # of two others
    [2, 1]
    """
    lists = listed_mates(distances, indices, query_ids, gallery_ids, higher_is_better)
    if lists.beyond.any():
        row = int(lists.beyond.argmax())
        why = "ties with the last neighbour" if lists.found[row] else "is not among the neighbours"
        n_neighbours, n_photos = np.shape(indices)[1], len(np.asarray(gallery_ids))
        advice = (
            f"search for more than {n_neighbours:,} of {n_photos:,} photos, or take what such "
            "lists do tell (accuracy_curves.curve_of_neighbours)"
        )
        if lists.own[row] < 0:
            advice = "the gallery has no photo of this identity, so leave such queries out"
        raise InputError(
            f"the mate of {np.count_nonzero(lists.beyond):,} of {len(lists.beyond):,} queries, the "
            f"first in row {row}, is beyond the lists or at their end ({why}), so that its rank is "
            f"not known: {advice}"
        )
    outscored = lists.n_classes - 1 - lists.better - lists.tied
    return Ranks(outscored, lists.tied, lists.own, lists.n_classes)


class ListedMates(NamedTuple):
    """Ranks of the mates, as far as lists of neighbours show them.

    Attributes
    ----------
    own : (N,) array of int
        Class of each query; -1 where the gallery has no photo of it.
    found, beyond : (N,) arrays of bool
        Whether the mate is in its list; whether its rank is not known.
    better, tied : (N,) arrays of int
        Other identities listed before the mate, and at its distance. If the rank is not known
        these are those before the end of the list, and more may be.
    n_classes : int
    """

    own: IntArray
    found: npt.NDArray[np.bool_]
    beyond: npt.NDArray[np.bool_]
    better: IntArray
    tied: IntArray
    n_classes: int


def listed_mates(
    distances: npt.ArrayLike,
    indices: npt.ArrayLike,
    query_ids: npt.ArrayLike,
    gallery_ids: npt.ArrayLike,
    higher_is_better: bool,
) -> ListedMates:
    """Find the mates in lists of neighbours; arguments and errors of `ranks_of_neighbours`."""
    values, near = np.asarray(distances, dtype=np.float64), np.asarray(indices)
    queries, photos = np.asarray(query_ids), np.asarray(gallery_ids)
    _check(values, near, queries, photos)
    worse = -values if higher_is_better else values
    identities, codes = np.unique(photos, return_inverse=True)
    # The last place is that of no photo.
    listed = np.append(codes, len(identities))[near]
    own = positions(queries, identities)
    there = near != NONE
    wrong = there & ~np.isfinite(worse)
    wrong[:, 1:] |= there[:, 1:] & (worse[:, 1:] < worse[:, :-1])
    if wrong.any():
        raise InputError(
            f"the distances in row {np.argwhere(wrong)[0][0]} are not finite and in order, best "
            "first: give them as the search returned them, and say whether higher is better"
        )
    mates = listed == own[:, None]
    found, place = mates.any(axis=1), mates.argmax(axis=1)
    at = np.take_along_axis(worse, place[:, None], axis=1)
    cut = there[:, -1] & (worse[:, -1:] == at).ravel() & (near.shape[1] < len(photos))
    # A mate that is not listed is no better than the last of its list.
    last = np.where(there, worse, -np.inf).max(axis=1)
    at = np.where(found[:, None], at, last[:, None])
    first = _first_of_each(listed) & there & (listed != own[:, None])
    better, tied = ((first & compare(worse, at)).sum(axis=1) for compare in (np.less, np.equal))
    return ListedMates(own, found, ~found | cut, better, tied, len(identities))


def _check(
    values: npt.NDArray[np.float64],
    near: npt.NDArray[Any],
    queries: npt.NDArray[Any],
    photos: npt.NDArray[Any],
) -> None:
    """Check shapes, types and places; refuse the gallery's own photos, which find themselves."""
    if (
        values.ndim != 2
        or not values.size
        or near.shape != values.shape
        or near.dtype.kind not in "iu"
    ):
        raise InputError(
            f"distances have shape {values.shape} and indices, {near.dtype}, shape {near.shape}: "
            "both must be (queries, neighbours), and indices whole numbers"
        )
    if queries.shape != values.shape[:1] or photos.ndim != 1:
        raise InputError(
            f"the query ids have shape {queries.shape} and the gallery ids {photos.shape}: one id "
            f"for each of {len(values)} queries, and one a photo, are needed"
        )
    check_ids(queries, photos)
    outside = np.argwhere((near < NONE) | (near >= len(photos)))
    if len(outside):
        row, column = outside[0]
        raise InputError(
            f"the index in row {row}, column {column} is {near[row, column]}: the gallery has "
            f"{len(photos)} photos"
        )
    if not np.array_equal(queries, photos) or (near[:, 0] != np.arange(len(photos))).any():
        return
    repeated = len(np.unique(photos)) < len(photos)
    if repeated or float(np.ptp(values[:, 0])) <= SAME * float(np.ptp(values)):
        raise InputError(
            "queries seem to be the photos of the gallery themselves, as the nearest photo of each "
            "is its own: search with other photos than those of the gallery"
        )


def _first_of_each(listed: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Mark the first of equal entries in each row."""
    order = np.argsort(listed, axis=1, kind="stable")
    ranked = np.take_along_axis(listed, order, axis=1)
    new = np.ones(listed.shape, dtype=bool)
    new[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    first = np.empty_like(new)
    np.put_along_axis(first, order, new, axis=1)
    return first
