"""Ranks, or accuracies, from lists of nearest neighbours, as a vector index gives them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import accuracy_bounds, least_told
from accuracy_curves.scores.candidate_lists import CandidateLists
from accuracy_curves.scores.formats.base import Curve
from accuracy_curves.scores.ranks import Ranks
from accuracy_curves.utils.arrays import geometric_rule
from accuracy_curves.utils.validation import check_number

POINTS = 100


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
    lists = _read(distances, indices, query_ids, gallery_ids, higher_is_better=higher_is_better)
    # Strictly: others may tie with a mate that is the last of its list.
    unknown = ~(lists.correct > np.nextafter(lists.ends, np.inf))
    if unknown.any():
        row = int(unknown.argmax())
        listed = lists.correct[row] > -np.inf
        why = "ties with the last neighbour" if listed else "is not among the neighbours"
        n_neighbours, n_photos = np.shape(indices)[1], len(np.asarray(gallery_ids))
        raise InputError(
            f"the mate of {np.count_nonzero(unknown):,} of {len(unknown):,} queries, the first in "
            f"row {row}, is beyond the lists or at their end ({why}), so that its rank is not "
            f"known: search for more than {n_neighbours:,} of {n_photos:,} photos, or take what "
            "such lists do tell (accuracy_curves.CandidateLists)"
        )
    return Ranks(*lists.outscored_and_tied(), lists.labels, lists.n_classes)


def _read(*given: npt.ArrayLike, higher_is_better: bool) -> CandidateLists:
    """Read lists; `InputError` if a query has no photo in the gallery."""
    distances, indices, query_ids, photos = given
    how: dict[str, Any] = {"gallery_labels": photos, "higher_is_better": higher_is_better}
    lists = CandidateLists.from_neighbours(distances, indices, query_ids, **how)
    if lists.origin:
        row = int(np.isin(query_ids, photos).argmin())
        raise InputError(
            f"the query in row {row} has no photo in the gallery: leave such queries out, as an "
            "accuracy needs a mate for each"
        )
    return lists


def curve_of_neighbours(
    distances: npt.ArrayLike,
    indices: npt.ArrayLike,
    query_ids: npt.ArrayLike,
    gallery_ids: npt.ArrayLike,
    *,
    higher_is_better: bool = False,
    tolerance: float = 0.001,
) -> Curve:
    """Find the average accuracies that lists of nearest neighbours tell, though they may be short.

    If a list ends before the mate, the b other identities in it are better, or the last of them
    tie: of the K - 1 others the mate outscores R, from 0 to about K - 1 - b. In a subset of k
    classes it is then the best with a chance of about binom(K - 1 - b, k - 1) / binom(K - 1, k - 1)
    at most, which falls fast with k. So such lists tell the accuracy at large k, and the curve
    begins where the two bounds are nearer than the tolerance.

    Parameters
    ----------
    distances, indices, query_ids, gallery_ids, higher_is_better
        As of `ranks_of_neighbours`.
    tolerance : float
        Largest distance of the two bounds, from 0 to 0.1. An accuracy is the middle of them.

    Returns
    -------
    Curve
        At most 100 accuracies, k ascending up to K, for `accuracy_curves.fit_curve`.

    Raises
    ------
    InputError
        As of `ranks_of_neighbours`; if a query has no photo in the gallery, or the lists are so
        short that fewer than three numbers of classes are told.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> people = rng.normal(size=(500, 8))
    >>> photos = people + 0.4 * rng.normal(size=people.shape)
    >>> apart = np.linalg.norm(people[:, None] - photos, axis=2)
    >>> nearest = np.argsort(apart, axis=1)[:, :20]
    >>> ids = np.arange(500)
    >>> curve = ac.curve_of_neighbours(np.sort(apart, axis=1)[:, :20], nearest, ids, ids)
    >>> curve.k[[0, -1]].tolist()
    [19, 500]
    >>> model = ac.fit_curve(curve.k, curve.accuracy, "two_parameter")
    """
    lists = _read(distances, indices, query_ids, gallery_ids, higher_is_better=higher_is_better)
    return curve_of_lists(lists, tolerance)


def curve_of_lists(lists: CandidateLists, tolerance: float = 0.001) -> Curve:
    """Find the average accuracies that lists tell, see `curve_of_neighbours`."""
    check_number("tolerance", tolerance, 0, 0.1)
    least = least_told(lists, tolerance=tolerance)
    if lists.n_classes - least < 2:
        raise InputError(
            f"the lists end before the mate in {np.count_nonzero(lists.censored):,} of "
            f"{lists.n_points:,} rows and are too short to tell accuracies: search for more "
            "neighbours"
        )
    k, _ = geometric_rule(least, lists.n_classes, POINTS)
    return Curve(k, np.mean(accuracy_bounds(lists, k), axis=0), None)
