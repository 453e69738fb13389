"""Photos compared with photos: a square matrix that is no score matrix, and how to make one."""

from typing import NamedTuple

import numpy as np

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, BoolArray, FloatArray, IntArray, row_blocks

# Smaller matrices may be symmetric by chance.
LEAST_PHOTOS = 10
# Rounding of a score, relative to the range of all.
SAME = 1e-5
BLOCK_ROWS = 256
NEARLY_ALL = 0.9


class Photos(NamedTuple):
    """Labels of photos in a file, (M,), and `find_copies` of them."""

    labels: AnyArray
    copies: IntArray


def find_copies(embeddings: AnyArray) -> IntArray:
    """Find embeddings that are those of an earlier photo: rows of both, (n, 2).

    Those of equal components are passed over, as a photo that failed has them.
    """
    rows = np.ascontiguousarray(embeddings)
    rows = rows.view(np.uint8) if rows.dtype == bool else rows
    _, first, place = np.unique(
        rows.view(f"V{rows[0].nbytes}").ravel(), return_index=True, return_inverse=True
    )
    later = np.flatnonzero((first[place] != np.arange(len(rows))) & (np.ptp(rows, axis=1) > 0))
    return np.column_stack([later, first[place][later]])


def are_same_photos(scores: FloatArray, labels: AnyArray) -> bool:
    """Whether row i and column i of scores are the same photo: each would find itself.

    Labels repeat, as those of people do, and the matrix is symmetric, or the score of every photo
    with itself is the highest or the lowest of its row. Or row i has the label i, the matrix is
    symmetric, and the scores on its diagonal are equal, and the highest or the lowest of all.
    """
    n = len(scores)
    if n != scores.shape[1] or n < LEAST_PHOTOS:
        return False
    if len(np.unique(labels)) < n:
        return is_symmetric(scores) or finds_itself(scores)
    if not (np.array_equal(labels, np.arange(n)) and is_symmetric(scores)):
        return False
    own = np.diagonal(scores)
    equal = bool(np.isfinite(own).all()) and float(np.ptp(own)) <= SAME * float(np.ptp(scores))
    return equal and finds_itself(scores)


def is_symmetric(scores: FloatArray) -> bool:
    """Whether a square matrix is symmetric up to rounding, but for its diagonal.

    The first rows are looked at. A matrix of equal scores counts as not symmetric.
    """
    rows = np.array(scores[:BLOCK_ROWS], dtype=np.float64)
    across = np.array(scores[:, :BLOCK_ROWS].T, dtype=np.float64)
    np.fill_diagonal(rows, np.nan)
    np.fill_diagonal(across, np.nan)
    finite = rows[np.isfinite(rows)]
    spread = float(np.ptp(finite)) if finite.size else 0.0
    return spread > 0 and np.allclose(rows, across, rtol=0, atol=SAME * spread, equal_nan=True)


def finds_itself(scores: FloatArray) -> bool:
    """Whether all scores on the diagonal are above, or all below, the rest of their rows."""
    own, above, below = np.diagonal(scores)[:, None], True, True
    for rows in row_blocks(*scores.shape):
        block = np.asarray(scores[rows])
        above = above and np.count_nonzero(block >= own[rows]) == len(block)
        below = below and np.count_nonzero(block <= own[rows]) == len(block)
    return above or below


def refuse_found_themselves(best: FloatArray, spread: float, own: BoolArray) -> None:
    """Refuse queries that are among the photos of the gallery.

    So they are where the `best` score of nearly all, (N,), is for one photo of several of their
    `own` person, and is one number: that of a photo with itself. `spread` is of all scores.
    """
    itself = own & (np.abs(best - np.median(best)) <= SAME * spread)
    if len(best) >= LEAST_PHOTOS and np.mean(itself) >= NEARLY_ALL:
        raise InputError(
            f"queries seem to be photos of the gallery: {np.count_nonzero(itself):,} of "
            f"{len(best):,} have one best score, {np.median(best):.6g}, with a photo of their own "
            "person, as a photo has with itself: exclude these pairs, or search with other photos"
        )
