"""Scores of probes for the identities of a gallery, from one score a pair or a photo."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.given_arrays import TEXTS, AnyArray, as_scores, refuse_infinite
from accuracy_curves.scores.photos import SAME, finds_itself, is_symmetric
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import FloatArray, IntArray
from accuracy_curves.utils.representation import Described
from accuracy_curves.utils.validation import check_choice

NO_MATE = -1
# How several scores of a probe for one identity become one.
SEVERAL = ("best", "mean")


@dataclass(frozen=True, eq=False, repr=False)
class GalleryScores(Described):
    """Scores of N probes for K identities, as `accuracy_curves.Searches` takes them.

    Attributes
    ----------
    scores : (N, K) array of float
        Row = probe, column = identity.
    labels : (N,) array of int
        Column of each probe's mate; -1 where it has none.
    higher_is_better : bool
        False for distances.
    identities : (K,) array
        What each column is called, ascending.
    """

    scores: FloatArray
    labels: IntArray
    higher_is_better: bool
    identities: AnyArray

    def _facts(self) -> list[str]:
        strangers = np.count_nonzero(self.labels == NO_MATE)
        return [
            f"{len(self.labels) - strangers:,} probes with a mate",
            f"{strangers:,} without",
            f"{len(self.identities):,} identities",
            "similarities" if self.higher_is_better else "distances",
        ]

    def matrix(self) -> ScoreMatrix:
        """Take the scores for a score matrix.

        Returns
        -------
        ScoreMatrix

        Raises
        ------
        InputError
            If a probe has no mate, or there are fewer than three identities.
        """
        absent = np.count_nonzero(self.labels == NO_MATE)
        if absent:
            raise InputError(
                f"{absent:,} of {len(self.labels):,} probes have no mate among the identities: an "
                "accuracy needs one for each; identification takes such probes"
            )
        found = ScoreMatrix(self.scores, self.labels, self.higher_is_better)
        return found.with_names(self.identities)


def score_identities(
    scores: npt.ArrayLike,
    query_ids: npt.ArrayLike,
    gallery_ids: npt.ArrayLike,
    *,
    several: str = "best",
    higher_is_better: bool = False,
) -> GalleryScores:
    """Turn scores of queries for photos of a gallery into scores for the identities.

    Parameters
    ----------
    scores : (N, G) array of float
        Row = query, column = photo of the gallery; the ``distmat`` of re-identification.
    query_ids : (N,) array
        Identity of each query, numbers or texts. One that no photo has means: no mate.
    gallery_ids : (G,) array
        Identity of each photo.
    several : {"best", "mean"}
        Which score an identity with several photos gets.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    GalleryScores
        N probes; the columns are the identities in ascending order.

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
    check_choice("several", several, SEVERAL)
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
    _refuse_themselves(whole, queries, photos)
    identities, codes = np.unique(photos, return_inverse=True)
    labels = positions(queries, identities)
    if (labels == NO_MATE).all():
        raise InputError(
            f"no query has a mate: the query id {str(queries[0])!r}, for instance, is not among "
            f"the gallery ids, such as {str(identities[0])!r}"
        )
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(identities)))
    found = whole[:, order]
    if len(identities) < len(photos):
        found = combine(found, starts, several, higher_is_better)
    return GalleryScores(found, labels, higher_is_better, identities)


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


def combine(
    scores: FloatArray, starts: IntArray, several: str, higher_is_better: bool
) -> FloatArray:
    """Make one score of those from each start to the next, along the last axis."""
    if several == "best":
        best = np.maximum if higher_is_better else np.minimum
        return np.asarray(best.reduceat(scores, starts, axis=-1))
    counts = np.diff(np.append(starts, scores.shape[-1]))
    return np.asarray(np.add.reduceat(scores, starts, axis=-1, dtype=np.float64) / counts)


def _refuse_themselves(whole: FloatArray, queries: AnyArray, photos: AnyArray) -> None:
    """Refuse the comparisons of all photos with all: each would find itself."""
    if whole.shape[0] != whole.shape[1] or not np.array_equal(queries, photos):
        return
    repeated = len(np.unique(photos)) < len(photos)
    own = np.diagonal(whole)
    equal = float(np.ptp(own)) <= SAME * float(np.ptp(whole))
    if (is_symmetric(whole) and (repeated or equal)) or (repeated and finds_itself(whole)):
        raise InputError(
            "row and column i seem to be the same photo, as their ids are the same and the matrix "
            "is symmetric, or each photo is nearest to itself: take some photos as queries, others "
            "as the gallery (accuracy_curves.score_photos)"
        )
