"""Embeddings of queries and of a gallery.

`.npz` or MATLAB's `.mat` with `query_f` and `gallery_f` (photos x dimensions), `query_label` and
`gallery_label` (or `query_ids`, `gallery_ids`). `--metric`, also inner, makes scores of them. Pairs
of one person and camera do not count where it has `query_cam` and `gallery_cam`.
"""

from functools import partial

import numpy as np

from accuracy_curves.scores.formats.base import Embeddings, Given, Source
from accuracy_curves.scores.given_arrays import AnyArray
from accuracy_curves.scores.identities import score_identities
from accuracy_curves.utils.validation import Choice, check

SETS = ("query", "gallery")
METRICS = ("euclidean", "sqeuclidean", "cosine", "inner")
# Of queries, and of the gallery.
Pair = tuple[AnyArray, AnyArray]

parts: tuple[str, ...] = tuple(f"{one}_{what}" for what in ("f", "label", "cam") for one in SETS)


def recognises(source: Source) -> bool:
    """Whether there are the arrays ``query_f`` and ``gallery_f``."""
    return all(map(source.has, parts[:2]))


def read(source: Source) -> Given:
    """Read both sets, the identities, and the cameras if there are any."""
    queries, photos = source.load(*parts[:2])
    who, whose = _ids(source, "label", "ids", "labels") or source.load(*parts[2:4])
    cameras = _ids(source, "cam", "camids")
    excluded = None
    if cameras is not None:
        excluded = np.equal.outer(who, whose) & np.equal.outer(*cameras)
    score = partial(_score, (queries, photos), (who, whose), excluded)
    return Given(embeddings=Embeddings(queries, who, score))


def _score(sets: Pair, labels: Pair, excluded: AnyArray | None, metric: str) -> Given:
    """Score queries for the identities of their gallery."""
    # Deferred, as they need SciPy, which a score matrix does without.
    from accuracy_curves.scores.distances import distances

    check("metric", metric, Choice(*METRICS))
    inner = metric == "inner"
    near = sets[0] @ sets[1].T if inner else distances(*sets, metric)
    found = score_identities(near, *labels, higher_is_better=inner, excluded=excluded)
    how = f"scores are {metric} {'products' if inner else 'distances'}, the best of an identity"
    return Given(searches=found, how=(how,))


def _ids(source: Source, *called: str) -> tuple[AnyArray, ...] | None:
    """Load what is called so of both sets, (N,) and (G,), if it is there."""
    for names in ([f"{one}_{what}" for one in SETS] for what in called):
        if all(map(source.has, names)):
            return tuple(map(np.ravel, source.load(*names)))
    return None
