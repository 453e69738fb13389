"""Scores of queries for photos of a gallery, made scores for the identities."""

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores import given_arrays, same_photos
from accuracy_curves.scores.design import Design
from accuracy_curves.scores.rivals import without_masks
from accuracy_curves.scores.sample import unchecked
from accuracy_curves.scores.searches import NO_MATE, Searches
from accuracy_curves.utils.arrays import ArrayLike, FloatArray, IntArray

# Photos of one id are of different people where less of the variance of their scores is in common.
MANY_PHOTOS, IN_COMMON = 20, 0.1


def score_identities(
    scores: ArrayLike,
    query_ids: ArrayLike,
    gallery_ids: ArrayLike,
    *,
    higher_is_better: bool = False,
    excluded: ArrayLike | None = None,
) -> Searches:
    """Turn scores of queries for photos of a gallery into scores for the identities.

    An identity has the score of its best photo. Photos of the id -1 are junk, and left out. An id
    that no query has, with 20 photos or more that are no more similar than those of different
    people are, holds distractors: each is an identity.

    Parameters
    ----------
    scores : (N, G) array of float
        Row = query, column = photo of the gallery; the ``distmat`` of re-identification.
    query_ids : (N,) array
        Identity of each query, numbers or texts. One that no photo has means: no mate.
    gallery_ids : (G,) array
        Identity of each photo.
    higher_is_better : bool
        False for distances.
    excluded : (N, G) array of bool, optional
        Pairs that the protocol leaves out, such as those of one person and camera. A query whose
        mate has no other photo is left out; another identity without one is no candidate.

    Returns
    -------
    Searches
        The columns are the identities in ascending order, then distractors. Its ``mated`` is a
        score matrix, its ``origin`` says what of the photos was left out.

    Raises
    ------
    InputError
        If shapes disagree, a score is not finite, no query has a mate, or queries are photos of the
        gallery.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> distmat = [[0.2, 0.5, 0.9, 0.8], [0.7, 0.6, 0.1, 0.4], [0.9, 0.8, 0.5, 0.3]]
    >>> found = ac.score_identities(distmat, ["ann", "ben", "zoe"], ["ann", "ann", "ben", "cat"])
    >>> found.scores[0].tolist(), found.labels.tolist()
    ([0.2, 0.9, 0.8], [0, 1, -1])
    """
    sign = 1 if higher_is_better else -1
    whole = given_arrays.as_scores(scores)[0]
    queries, photos = (
        given_arrays.as_labels(query_ids, "query ids"),
        given_arrays.as_labels(gallery_ids, "gallery ids"),
    )
    out = np.zeros(whole.shape, bool) if excluded is None else np.asarray(excluded).astype(bool)
    given_arrays.check_shape("scores", whole, queries.size, photos.size)
    given_arrays.check_shape("excluded pairs", out, *whole.shape)
    given_arrays.check_ids(queries, photos)
    given_arrays.refuse_infinite(np.where(out, 0, whole) if out.any() else whole)
    said, junk = [], given_arrays.of_nobody(photos)
    if junk.any():
        said.append(f"{np.count_nonzero(junk):,} photos of the id -1 are junk, and left out")
        whole, photos, out = whole[:, ~junk], photos[~junk], out[:, ~junk]
    identities, codes = np.unique(photos, return_inverse=True)
    ids = codes if len(identities) < len(photos) else np.arange(len(photos))
    same = np.array_equal(queries, photos) and not out.diagonal().all()
    if same and same_photos.are_same_photos(whole, ids):
        raise InputError(
            f"rows and columns seem to be the same {len(photos):,} photos, and a photo finds "
            f"itself: exclude these pairs, by excluded=np.eye({len(photos)}, dtype=bool), "
            "which may be an array of the file"
        )
    given_arrays.check_number(len(identities), "identities")
    labels = given_arrays.positions(queries, identities)
    if (labels == NO_MATE).all():
        raise InputError(
            f"no query has a mate: the query id {str(queries[0])!r}, for instance, is not among "
            f"the gallery ids, such as {str(identities[0])!r}"
        )
    for strange in _distractors(whole, labels, codes):
        ids = np.flatnonzero(codes == strange)
        said.append(
            f"the {len(ids):,} photos of the id {identities[strange]} are of different people, and "
            "count as an identity each"
        )
        codes[ids[1:]] = np.arange(len(identities), len(identities) + len(ids) - 1)
        more = [f"{identities[strange]} (photo {place})" for place in ids[1:]]
        identities = np.append(identities.astype(np.str_), more)
    if not out.any():
        best = (sign * whole).argmax(axis=1)
        several = (codes[best] == labels) & (np.bincount(codes)[codes[best]] > 1)
        same_photos.refuse_found_themselves(
            whole[np.arange(len(best)), best], float(np.ptp(whole)), several
        )
    order, rows = np.argsort(codes, kind="stable"), None
    starts = np.searchsorted(codes[order], np.arange(len(identities)))
    oriented = np.where(out, -np.inf, sign * whole).astype(whole.dtype)[:, order]
    best_of = np.maximum.reduceat(oriented, starts, axis=1)
    if out.any():
        said.append(f"{np.count_nonzero(out):,} pairs are excluded")
        # A query without a pair with its mate is left out; other identities are no candidates.
        own = np.where(labels == NO_MATE, np.inf, best_of[np.arange(len(labels)), labels])
        best_of, rows = without_masks(best_of, own)
        if len(rows) < len(labels):
            said.append(f"{len(labels) - len(rows):,} queries have no other pair with their mate")
        labels = labels[rows]
    design = Design(file_rows=rows, several_photos=len(identities) < len(photos))
    fields = {"scores": sign * best_of, "labels": labels, "classes": identities, "design": design}
    return unchecked(Searches, **fields, higher_is_better=higher_is_better, origin=tuple(said))


def _distractors(scores: FloatArray, labels: IntArray, codes: IntArray) -> list[int]:
    """Find ids that no query has, of many photos whose scores have nothing in common."""
    counts = np.bincount(codes)
    counts[labels[labels != NO_MATE]] = 0
    many = np.flatnonzero(counts >= MANY_PHOTOS)
    if not many.size or len(scores) < same_photos.LEAST_PHOTOS:
        return []
    middle, strange = scores.mean(axis=1, keepdims=True), []
    for identity in many:
        own = scores[:, codes == identity] - middle
        own = own - own.mean(axis=0)
        if own.mean(axis=1).var() < IN_COMMON * own.var():
            strange.append(int(identity))
    return strange
