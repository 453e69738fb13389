"""Accuracies from lists of neighbours that may end before the mate."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy_of_ranks, ranks
from accuracy_curves.scores.formats.curve import Curve
from accuracy_curves.scores.formats.neighbours import listed_mates
from accuracy_curves.scores.ranks import Ranks, class_weights
from accuracy_curves.utils.validation import check_number

POINTS = 100


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

    If a list ends before the mate, at least the b other identities in it are better: of the
    K - 1 others the mate outscores R, from 0 to K - 1 - b. In a subset of k classes it is then the
    best with a chance of at most binom(K - 1 - b, k - 1) / binom(K - 1, k - 1), which falls fast
    with k. So such lists tell the accuracy at large k, and the curve begins where the two bounds
    are nearer than the tolerance.

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
    check_number("tolerance", tolerance, 0, 0.1)
    lists = listed_mates(distances, indices, query_ids, gallery_ids, higher_is_better)
    n = lists.n_classes
    if (lists.own < 0).any():
        row = int((lists.own < 0).argmax())
        raise InputError(
            f"the query in row {row} has no photo in the gallery: an accuracy needs a mate for each"
        )
    weights = class_weights(lists.own, n)
    sizes = np.unique(np.geomspace(2, n, 20 * POINTS).round().astype(np.int64))
    known = ~lists.beyond
    accuracy, gap = np.zeros((2, len(sizes)))
    if known.any():
        better, tied = lists.better[known], lists.tied[known]
        outscored = ranks(Ranks(n - 1 - better - tied, tied, lists.own[known], n))
        accuracy = average_accuracy_of_ranks(outscored, n, sizes, weights[known])
    if not known.all():
        best = n - 1 - lists.better[~known]
        gap = average_accuracy_of_ranks(best, n, sizes, weights[~known])
    narrow = gap <= tolerance
    if np.count_nonzero(narrow) < 3:
        raise InputError(
            f"the lists end before the mate in {np.count_nonzero(lists.beyond):,} of "
            f"{len(lists.beyond):,} rows and are too short to tell accuracies: search for more "
            "neighbours"
        )
    chosen = np.unique(
        np.linspace(0, np.count_nonzero(narrow) - 1, POINTS).round().astype(np.int64)
    )
    middle = (accuracy + gap / 2)[narrow]
    return Curve(sizes[narrow][chosen], middle[chosen].clip(0.0, 1.0), None)
