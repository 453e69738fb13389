"""Scores of queries for photos of a gallery, made scores for the identities."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import TEXTS, AnyArray, as_scores, refuse_infinite
from accuracy_curves.scores.same_photos import refuse_same_photos
from accuracy_curves.scores.score_matrix import MINIMUM_CLASSES, unchecked
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import FloatArray, IntArray
from accuracy_curves.utils.validation import check_choice

# How several scores of a probe for one identity become one.
COMBINE = ("best", "mean")


def score_identities(
    scores: npt.ArrayLike,
    query_ids: npt.ArrayLike,
    gallery_ids: npt.ArrayLike,
    *,
    combine: str = "best",
    higher_is_better: bool = False,
) -> Searches:
    """Turn scores of queries for photos of a gallery into scores for the identities.

    Parameters
    ----------
    scores : (N, G) array of float
        Row = query, column = photo of the gallery; the ``distmat`` of re-identification.
    query_ids : (N,) array
        Identity of each query, numbers or texts. One that no photo has means: no mate.
    gallery_ids : (G,) array
        Identity of each photo.
    combine : {"best", "mean"}
        Which score an identity with several photos gets.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    Searches
        N searches; the columns are the identities in ascending order. Its ``mated`` is a score
        matrix.

    Raises
    ------
    InputError
        If shapes disagree, a score is not finite, no query has a mate, or the queries are the
        photos of the gallery themselves.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> distmat = [[0.2, 0.5, 0.9, 0.8], [0.7, 0.6, 0.1, 0.4], [0.9, 0.8, 0.5, 0.3]]
    >>> found = ac.score_identities(distmat, ["ann", "ben", "zoe"], ["ann", "ann", "ben", "cat"])
    >>> found.scores[0].tolist(), found.labels.tolist()
    ([0.2, 0.9, 0.8], [0, 1, -1])
    """
    check_choice("combine", combine, COMBINE)
    whole = as_scores(scores)[0]
    if whole.ndim != 2 or whole.size == 0:
        raise InputError(f"scores must be an (N, G) array of real numbers, not {whole.shape}")
    refuse_infinite(whole)
    queries, photos = np.asarray(query_ids), np.asarray(gallery_ids)
    for name, ids, n, axis in (
        ("query ids", queries, whole.shape[0], "row"),
        ("gallery ids", photos, whole.shape[1], "column"),
    ):
        if ids.shape != (n,):
            raise InputError(
                f"the {name} have shape {ids.shape} but the scores have shape {whole.shape}: "
                f"one id a {axis} is needed"
            )
    check_ids(queries, photos)
    identities, codes = np.unique(photos, return_inverse=True)
    if np.array_equal(queries, photos):
        alone = len(identities) == len(photos)
        refuse_same_photos(whole, np.arange(len(photos)) if alone else codes)
    if len(identities) < MINIMUM_CLASSES:
        raise InputError(f"there are {len(identities)} identities: at least 3 are needed")
    labels = positions(queries, identities)
    if (labels == NO_MATE).all():
        raise InputError(
            f"no query has a mate: the query id {str(queries[0])!r}, for instance, is not among "
            f"the gallery ids, such as {str(identities[0])!r}"
        )
    order = np.argsort(codes, kind="stable")
    found: FloatArray = whole[:, order]
    if len(identities) < len(photos):
        starts = np.searchsorted(codes[order], np.arange(len(identities)))
        if combine == "best":
            best = np.maximum if higher_is_better else np.minimum
            found = best.reduceat(found, starts, axis=1)
        else:
            found = np.add.reduceat(found, starts, axis=1, dtype=np.float64) / np.bincount(codes)
    return unchecked(Searches, found, labels, higher_is_better, identities)


def check_ids(queries: AnyArray, photos: AnyArray) -> None:
    """Raise `InputError` unless ids are whole numbers or texts, the same kind for both."""
    for name, ids in (("query ids", queries), ("gallery ids", photos)):
        if ids.dtype.kind not in "biuUS" and not (ids.dtype.kind == "f" and np.isfinite(ids).all()):
            raise InputError(f"the {name} must be whole numbers or texts, one of them is neither")
    if (queries.dtype.kind in TEXTS) != (photos.dtype.kind in TEXTS):
        raise InputError(
            f"the query ids are {queries.dtype} but the gallery ids are {photos.dtype}: write both "
            "as numbers or both as texts"
        )


def positions(ids: AnyArray, ascending: AnyArray) -> IntArray:
    """Find each id among ascending ones; -1 where it is not there."""
    place = np.searchsorted(ascending, ids).clip(max=len(ascending) - 1)
    return np.where(ascending[place] == ids, place, NO_MATE).astype(np.int64)
