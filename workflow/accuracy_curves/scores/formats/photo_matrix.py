"""Scores of queries for photos of a gallery, with ids or with matches, in an npz file."""

import os

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.scores.formats.gallery_scores import GalleryScores, score_identities
from accuracy_curves.utils.npz import load_arrays


def read_distance_matrix(
    path: str | os.PathLike[str],
    *,
    distmat: str = "distmat",
    query_ids: str = "query_ids",
    gallery_ids: str = "gallery_ids",
    several: str = "best",
    higher_is_better: bool = False,
) -> GalleryScores:
    """Read a matrix of distances with the ids of its queries and of the photos in the gallery.

    Photos that a protocol leaves out, such as those of the query's own camera, must be left out
    of the file.

    Parameters
    ----------
    path : path-like
        An ``.npz`` file.
    distmat, query_ids, gallery_ids : str
        Its arrays of distances (N, G), and of the ids of the rows (N,) and columns (G,).
    several : {"best", "mean"}
        Which score an identity with several photos gets.
    higher_is_better : bool
        True where they are similarities.

    Returns
    -------
    GalleryScores
        N probes, a column an identity; see `accuracy_curves.score_identities`.

    Raises
    ------
    InputError
        If the file is absent, damaged, lacks an array, or does not hold such a matrix.

    Examples
    --------
    >>> import os
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> distmat = np.array([[0.2, 0.5, 0.9, 0.8], [0.7, 0.6, 0.1, 0.4]])
    >>> np.savez("distmat.npz", distmat=distmat, q_pids=[7, 8], g_pids=[7, 7, 8, 9])
    >>> found = ac.read_distance_matrix("distmat.npz", query_ids="q_pids", gallery_ids="g_pids")
    >>> found.matrix().n_classes
    3
    >>> os.remove("distmat.npz")
    """
    scores, queries, photos = load_arrays(path, distmat, query_ids, gallery_ids)
    with located(path):
        return score_identities(
            scores, queries, photos, several=several, higher_is_better=higher_is_better
        )


def read_match_matrix(
    path: str | os.PathLike[str],
    *,
    scores: str = "scores",
    match: str = "match",
    several: str = "best",
    higher_is_better: bool = True,
) -> GalleryScores:
    """Read scores with a matrix that says which of them are of the same identity.

    Columns that match the same row are photos of one identity. A column that matches no row is an
    identity of its own, and a row that matches no column has no mate.

    Parameters
    ----------
    path : path-like
        An ``.npz`` file.
    scores, match : str
        Its arrays of scores (N, G) and of matches (N, G), true or false.
    several : {"best", "mean"}
        Which score an identity with several columns gets.
    higher_is_better : bool
        False for distances.

    Returns
    -------
    GalleryScores
        N probes; an identity is called by the number of its first column.

    Raises
    ------
    InputError
        If the file is absent, damaged, lacks an array, or the matches contradict each other.

    Examples
    --------
    >>> import os
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> scores = np.array([[0.9, 0.1, 0.3], [0.2, 0.4, 0.7]])
    >>> np.savez("match.npz", scores=scores, match=scores > 0.5)
    >>> ac.read_match_matrix("match.npz").labels
    array([0, 2])
    >>> os.remove("match.npz")
    """
    values, matches = load_arrays(path, scores, match)
    with located(path):
        queries, photos = _ids_of(matches, values.shape)
        return score_identities(
            values, queries, photos, several=several, higher_is_better=higher_is_better
        )


def _ids_of(
    match: npt.NDArray[np.generic], shape: tuple[int, ...]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Name each row and column by the first column of its identity; -1 for no mate."""
    if match.dtype.kind not in "biu" or match.ndim != 2 or match.shape != shape or not match.size:
        raise InputError(
            f"the matches are {match.dtype} of shape {match.shape} but the scores have shape "
            f"{shape}: one match a score is needed, true or false"
        )
    truth = match.astype(bool)
    if (match != truth).any():
        row, column = np.argwhere(match != truth)[0]
        raise InputError(
            f"the match in row {row}, column {column} is {match[row, column]}: it must be true or "
            "false, 1 or 0"
        )
    first_row, first_column = truth.argmax(axis=0), truth.argmax(axis=1)
    queries = np.where(truth.any(axis=1), first_column, -1)
    photos = np.where(truth.any(axis=0), first_column[first_row], np.arange(shape[1]))
    wrong = np.argwhere(truth != (queries[:, None] == photos))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"the match in row {row}, column {column} contradicts others: two columns that match "
            "one row must match the same rows"
        )
    return queries, photos
