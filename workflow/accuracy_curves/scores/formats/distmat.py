"""Queries compared with photos of a gallery.

`.npz` with `distmat` (queries x photos), `query_ids` and `gallery_ids`. Or with embeddings,
`query_f` and `gallery_f` (photos x dimensions): `--metric`, also inner, makes scores of them. The
ids may be called `query_label` and `gallery_label`, as in a `.mat` file. Pairs of one person and
camera do not count where it has `query_camids` and `gallery_camids` (or `query_cam` and
`gallery_cam`). Nor do pairs that are true in `excluded` (queries x photos).
"""

import numpy as np

from accuracy_curves.exceptions import located
from accuracy_curves.scores.formats.base import Given, Source
from accuracy_curves.scores.identities import score_identities
from accuracy_curves.utils.arrays import AnyArray
from accuracy_curves.utils.validation import Choice, check

SCORES, EXCLUDED = "distmat", "excluded"
VECTORS, IDS = ("query_f", "gallery_f"), ("query_ids", "gallery_ids")
METRICS = ("euclidean", "sqeuclidean", "cosine", "inner")


def recognises(source: Source) -> bool:
    """Whether there is the array ``distmat``, or ``query_f`` and ``gallery_f``."""
    return source.has(SCORES) or all(map(source.has, VECTORS))


def read(source: Source) -> Given:
    """Read the arrays of `score_identities`; they are distances where nothing else is said.

    Pairs of one person and camera are excluded where the file has the cameras.
    """
    ids = _of_both(source, "ids", "label", "labels") or source.load(*IDS)
    with located(source.path):
        excluded, cameras = None, _of_both(source, "camids", "cam")
        if source.has(EXCLUDED):
            (excluded,) = source.load(EXCLUDED)
        elif cameras is not None:
            excluded = np.equal.outer(*ids) & np.equal.outer(*cameras)
        if source.has(SCORES):
            (scores,), better = source.load(SCORES), bool(source.higher_is_better)
            found = score_identities(scores, *ids, higher_is_better=better, excluded=excluded)
            return Given(searches=found)
        scores, how = _scores(source)
        inner = source.metric == METRICS[-1]
        found = score_identities(scores, *ids, higher_is_better=inner, excluded=excluded)
        return Given(searches=found, how=(how,), used=("metric",))


def _scores(source: Source) -> tuple[AnyArray, str]:
    """Score queries for photos by the metric, and say how."""
    # Deferred, as it needs SciPy, which a score matrix does without.
    from accuracy_curves.scores.distance_matrix import distances

    metric, (queries, photos) = source.metric or METRICS[0], source.load(*VECTORS)
    check("metric", metric, Choice(*METRICS))
    best = ", the best of an identity"
    if metric == METRICS[-1]:
        return queries @ photos.T, f"scores are inner products{best}"
    return distances(queries, photos, metric), f"scores are {metric} distances{best}"


def _of_both(source: Source, *called: str) -> tuple[AnyArray, ...] | None:
    """Load what is called so of queries and gallery, (N,) and (G,), if it is there."""
    for names in ([f"query_{what}", f"gallery_{what}"] for what in called):
        if all(map(source.has, names)):
            return tuple(map(np.ravel, source.load(*names)))
    return None
