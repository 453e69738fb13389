"""Lists as the search of a vector index gives them, right classes among the others."""

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.candidate_lists import MOST_SEARCHED, SHORTEST, CandidateLists
from accuracy_curves.scores.checked_lists import (
    NONE,
    as_arrays,
    as_classes,
    check_gallery,
    check_lists,
    first_of_each,
)
from accuracy_curves.scores.given_arrays import MINIMUM_CLASSES, as_labels, positions
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.utils.validation import Whole, check

# Where so much of the lists are too short, they are left out.
FEW_SHORT = 0.1


def lists_of_neighbours(
    scores: npt.ArrayLike,
    ids: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    higher_is_better: bool = True,
    gallery_labels: npt.ArrayLike | None = None,
    searched: int | None = None,
    gallery_groups: npt.ArrayLike | None = None,
    exhausted: npt.ArrayLike | None = None,
    rivals: FixedRivals | None = None,
) -> CandidateLists:
    """Make lists as `CandidateLists.from_neighbours`.

    `exhausted`, (N,), says which lists have all that match their query, as of a search for words:
    the others then tie at the worst score. `rivals` stay of each search.
    """
    sign = 1.0 if higher_is_better else -1.0
    values, near, own = as_arrays(scores, ids, labels)
    if gallery_labels is not None:
        photos = as_labels(gallery_labels, "gallery labels")
        check_gallery(values, near, own, photos)
        identities, codes = np.unique(photos, return_inverse=True)
        # The last place is that of no photo.
        listed, own = np.append(codes, NONE)[near], positions(own, identities)
        n_classes, several = len(identities), len(identities) < len(photos)
    elif searched is not None:
        check("searched", searched, Whole(MINIMUM_CLASSES, MOST_SEARCHED))
        listed, own = as_classes(near, own, searched)
        n_classes, several = searched, False
    else:
        raise InputError("give gallery_labels, or searched: the number of classes searched")
    oriented, there = sign * values, listed != NONE
    check_lists(oriented, near if gallery_labels is not None else listed, there)
    right = there & (listed == own[:, None])
    wrong = there & ~right & (first_of_each(listed) if several else True)
    known = np.where(right, oriented, -np.inf).max(axis=1)
    last = np.where(there, oriented, np.inf).min(axis=1)
    # A right class at the very end of its list is known: few tie with it.
    at_end = (known == last) & (known < np.where(wrong, oriented, np.inf).min(axis=1))
    last[at_end] = np.nextafter(last[at_end], -np.inf)
    if exhausted is not None:
        last[there.any(axis=1) & np.asarray(exhausted, dtype=bool)] = -np.inf
    lengths, kept, origin = np.count_nonzero(wrong, axis=1), own != NONE, list[str]()
    short = kept & np.isfinite(last) & (lengths < min(SHORTEST, n_classes) - 1)
    short &= np.count_nonzero(short) <= FEW_SHORT * len(short)
    if not kept.any():
        raise InputError("no search has its right class in the gallery that was searched")
    without, fewer = "without a right class among those searched", f"fewer than {SHORTEST}"
    for out, why in ((~kept, without), (short, f"with {fewer} candidates")):
        if n := np.count_nonzero(out):
            origin.append(f"left out, {why}: {n:,} of {len(own):,}")
    kept &= ~short
    known = np.where(np.isinf(known), np.nan, sign * known)
    listed = np.where(wrong, listed, NONE)
    fields = values[kept], listed[kept], own[kept], n_classes, known[kept], higher_is_better
    lists = CandidateLists(*fields, sign * last[kept], tuple(origin))
    if several:
        lists = lists.redesigned(several_photos=True)
    if rivals is not None:
        rows = np.flatnonzero(kept)
        return lists.redesigned(rivals=rivals.select(rows), points_alike=True)
    if gallery_labels is not None and gallery_groups is not None:
        of_classes = np.unique(gallery_labels, return_index=True)[1]
        lists = lists.grouped(as_labels(gallery_groups, "gallery_groups")[of_classes])
    return lists
