"""Nearest neighbours as candidate lists: the right class is one of those found."""

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.candidate_lists import SHORTEST, CandidateLists
from accuracy_curves.scores.checked_lists import NONE, check_gallery, check_lists, first_of_each
from accuracy_curves.scores.given_arrays import as_labels, positions
from accuracy_curves.scores.rivals import FixedRivals
from accuracy_curves.utils.arrays import AnyArray, ArrayLike, BoolArray, Float64Array, IntArray

# If no more of the lists than this are too short, they are left out.
FEW_SHORT = 0.1


def of_items(
    scores: Float64Array,
    ids: AnyArray,
    labels: AnyArray,
    gallery_labels: ArrayLike,
    higher_is_better: bool,
) -> CandidateLists:
    """Make lists of items of a gallery, whose classes are `gallery_labels`, (G,)."""
    items = as_labels(gallery_labels, "gallery labels")
    check_gallery(scores, ids, labels, items)
    check_lists(scores if higher_is_better else -scores, ids, ids != NONE)
    classes, codes = np.unique(items, return_inverse=True)
    # The last place is that of no item.
    listed, own = np.append(codes, NONE)[ids], positions(labels, classes)
    found = scores, listed, own, len(classes), higher_is_better
    lists = of_classes(*found, best=first_of_each(listed))
    return lists.redesigned(several_photos=True) if len(classes) < len(items) else lists


def of_classes(
    values: Float64Array,
    listed: IntArray,
    own: IntArray,
    searched: int,
    higher_is_better: bool = True,
    exhausted: ArrayLike | None = None,
    rivals: FixedRivals | None = None,
    best: BoolArray | bool = True,
) -> CandidateLists:
    """Make lists of classes, numbers below `searched`.

    `exhausted`, (N,), says which lists have all that match their query, as of a search for words:
    the others then tie at the worst score. `rivals` stay of each search. Only the `best` places
    count, where a class is listed several times.
    """
    sign = 1.0 if higher_is_better else -1.0
    oriented, there = sign * values, listed != NONE
    check_lists(oriented, np.where(best, listed, NONE), there)
    right = there & (listed == own[:, None])
    wrong = there & ~right & best
    known = np.where(right, oriented, -np.inf).max(axis=1)
    last = np.where(there, oriented, np.inf).min(axis=1)
    # A right class at the very end of its list is known: few tie with it.
    at_end = (known == last) & (known < np.where(wrong, oriented, np.inf).min(axis=1))
    last[at_end] = np.nextafter(last[at_end], -np.inf)
    if exhausted is not None:
        last[there.any(axis=1) & np.asarray(exhausted, dtype=bool)] = -np.inf
    lengths, kept, origin = np.count_nonzero(wrong, axis=1), own != NONE, list[str]()
    short = kept & np.isfinite(last) & (lengths < min(SHORTEST, searched) - 1)
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
    fields = values[kept], listed[kept], own[kept], searched, known[kept], higher_is_better
    lists = CandidateLists(*fields, sign * last[kept], tuple(origin))
    if rivals is None:
        return lists
    return lists.redesigned(rivals=rivals.select(np.flatnonzero(kept)), weigh_points=True)
