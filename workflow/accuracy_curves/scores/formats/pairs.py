"""One score a pair of a probe and an identity, arranged as a matrix."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.formats.columns import Names
from accuracy_curves.scores.formats.gallery_scores import (
    NO_MATE,
    GalleryScores,
    combine,
    positions,
)
from accuracy_curves.scores.photos import LEAST_PHOTOS, finds_itself, is_symmetric
from accuracy_curves.utils.arrays import Float64Array, FloatArray

# From the position of a pair to where it stands in its file.
Where = Callable[[int], str]


def gallery_scores(
    probe: Names,
    identity: Names,
    score: Float64Array,
    where: Where,
    *,
    mate: npt.NDArray[np.bool_] | None = None,
    own: Names | None = None,
    several: str | None,
    higher_is_better: bool,
) -> GalleryScores:
    """Arrange one score a pair as a matrix, which must have no gaps.

    Parameters
    ----------
    probe, identity : Names
        Those of each pair, n entries.
    score : (n,) array of float
    where : callable
        From the position of a pair to where it stands in the file, for the sentences.
    mate : (n,) array of bool, optional
        Whether the identity is the probe's mate; needed without `own`.
    own : Names, optional
        The identity of each pair's probe; empty or not among the identities: no mate.
    several : {"best", "mean"}, optional
        Which score a pair that stands several times gets; by default it is refused.
    higher_is_better : bool

    Returns
    -------
    GalleryScores

    Raises
    ------
    InputError
        If a pair is missing or stands twice, or its mates contradict each other.
    """
    labels = np.full(len(probe.names), NO_MATE, dtype=np.int64)
    if own is not None:
        # The last place is that of the code -1.
        found = np.append(positions(own.names, identity.names), NO_MATE)
        labels[probe.codes] = found[own.codes]
        first = np.zeros(len(probe.names), dtype=np.int64)
        first[probe.codes[::-1]] = own.codes[::-1]
        wrong = first[probe.codes] != own.codes
    else:
        assert mate is not None
        labels[probe.codes[mate]] = identity.codes[mate]
        wrong = (labels[probe.codes] == identity.codes) != mate
    same = _same_names(probe, identity)
    if same and (wrong.any() or (labels == NO_MATE).all()):
        raise _photos()
    if wrong.any():
        row = int(wrong.argmax())
        raise InputError(
            f"{where(row)}: the probe {_name(probe, row)} has two mates: at most one identity can "
            "be its own"
        )
    scores = _arranged(probe, identity, score, where, several, higher_is_better)
    if (labels == NO_MATE).all():
        raise InputError(
            f"no probe has a mate among the identities, such as {str(identity.names[0])!r}"
        )
    if same:
        square = scores[np.argsort(probe.names)][:, np.argsort(identity.names)]
        if is_symmetric(square) or finds_itself(square):
            raise _photos()
    return GalleryScores(scores, labels, higher_is_better, identity.names)


def _same_names(probe: Names, identity: Names) -> bool:
    """Tell whether probes are called as the identities are."""
    enough = len(probe.names) == len(identity.names) >= LEAST_PHOTOS
    return enough and bool((np.sort(probe.names) == np.sort(identity.names)).all())


def _photos() -> InputError:
    return InputError(
        "probes and identities have the same names, so that they seem to be the same photos: a "
        "photo that finds itself tells nothing, and an identity may have several; choose some "
        "photos of each person as its gallery (accuracy_curves.score_photos)"
    )


def _name(names: Names, row: int) -> str:
    return repr(str(names.names[names.codes[row]]))


def _arranged(
    probe: Names,
    identity: Names,
    score: Float64Array,
    where: Where,
    several: str | None,
    higher_is_better: bool,
) -> FloatArray:
    """Sort the pairs into a matrix; a sparse list needs no memory of a whole one."""
    shape = len(probe.names), len(identity.names)
    pair = probe.codes * shape[1] + identity.codes
    order = np.argsort(pair, kind="stable")
    ranked = pair[order]
    new = np.append(True, ranked[1:] != ranked[:-1])
    starts = np.flatnonzero(new)
    if len(starts) < len(pair) and several is None:
        row = int(order[~new].min())
        raise InputError(
            f"{where(row)}: the probe {_name(probe, row)} has a second score for the identity "
            f"{_name(identity, row)}: keep one, or choose the best or the mean of several"
        )
    if len(starts) < shape[0] * shape[1]:
        present = np.append(ranked[starts], -1)
        gap = int((present != np.arange(len(present))).argmax())
        raise InputError(
            f"the probe {str(probe.names[gap // shape[1]])!r} has no score for the identity "
            f"{str(identity.names[gap % shape[1]])!r}: {len(starts):,} of {shape[0] * shape[1]:,} "
            "pairs are there, and a score matrix needs all"
        )
    found: FloatArray = score[order]
    if several is not None and len(starts) < len(pair):
        found = combine(found, starts, several, higher_is_better)
    return found.reshape(shape)
