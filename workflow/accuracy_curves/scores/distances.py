"""Distances of points from classes, in blocks, as float32."""

from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.linear_algebra import pooled_covariance, whitened

BLOCK_BYTES = 64 * 2**20

METRICS = ("euclidean", "sqeuclidean", "cosine", "mahalanobis")


def as_embeddings(embeddings: npt.NDArray[Any]) -> Float64Array:
    """Check embeddings.

    Parameters
    ----------
    embeddings : (M, d) array of numbers
        One row a photo.

    Returns
    -------
    (M, d) array of float64

    Raises
    ------
    InputError
        If it has another shape, is empty, or a value is not a finite number.
    """
    if embeddings.ndim != 2 or embeddings.size == 0 or embeddings.dtype.kind not in "biuf":
        raise InputError(
            "embeddings must be an array of numbers with two dimensions (photos, components), "
            f"not {embeddings.dtype} of shape {embeddings.shape}"
        )
    with np.errstate(invalid="ignore"):  # A signalling NaN is refused below, in words.
        checked = embeddings.astype(np.float64, copy=False)
    wrong = np.flatnonzero(~np.isfinite(checked).all(axis=1))
    if len(wrong):
        raise InputError(f"the embedding in row {wrong[0]} is not finite: every value must be")
    return checked


def comparable(
    gallery: npt.NDArray[Any],
    gallery_classes: IntArray,
    points: npt.NDArray[Any],
    *,
    nearest: bool = False,
    metric: str = "euclidean",
    covariance: npt.NDArray[Any] | None = None,
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], str, IntArray | None]:
    """Arrange embeddings so that scores are their plain distances: what `distances` takes.

    Parameters
    ----------
    gallery : (G, d) array of float
        Embeddings of the gallery's photos.
    gallery_classes : (G,) array of int
        Their classes, 0..K - 1, ascending, each at least once.
    points : (N, d) array of float
        Embeddings of the points.
    nearest : bool
        True: the distance to the nearest of the class's photos; False: to their mean.
    metric : {"euclidean", "sqeuclidean", "cosine", "mahalanobis"}
        The distance.
    covariance : (d, d) array, optional
        For the mahalanobis metric; by default `pooled_covariance` of the gallery.

    Returns
    -------
    points : (N, d) array of float
    gallery : (G, d) or (K, d) array of float
    metric : {"euclidean", "sqeuclidean", "cosine"}
    starts : (K,) array of int or None
        First row of each class in the gallery, where `nearest`.

    Raises
    ------
    InputError
        If the metric cannot be used with these embeddings.
    """
    starts = np.flatnonzero(np.diff(gallery_classes, prepend=-1))
    if metric == "mahalanobis":
        if covariance is None:
            covariance = pooled_covariance(gallery, gallery_classes)
        # The mahalanobis distance is the euclidean one of whitened embeddings.
        gallery, points = whitened(gallery, covariance), whitened(points, covariance)
        metric = "euclidean"
    if not nearest:
        counts = np.diff(starts, append=len(gallery))
        gallery = np.add.reduceat(gallery, starts, axis=0) / counts[:, None]
    if metric == "cosine" and not (gallery.any(axis=1).all() and points.any(axis=1).all()):
        raise InputError(
            "an embedding is zero in all components: choose another metric than cosine"
        )
    return points, gallery, metric, starts if nearest else None


def distances(
    points: npt.NDArray[Any],
    gallery: npt.NDArray[Any],
    metric: str,
    starts: IntArray | None = None,
) -> npt.NDArray[np.float32]:
    """Distances of points from a gallery; never the whole matrix in float64.

    Parameters
    ----------
    points : (N, d) array
        The rows.
    gallery : (G, d) array
        The columns.
    metric : {"euclidean", "sqeuclidean", "cosine"}
        The distance.
    starts : (K,) array of int, optional
        First row of each class in `gallery`: the distance is then the smallest of each class.

    Returns
    -------
    (N, G) or (N, K) array of float32
    """
    from scipy.spatial.distance import cdist

    result = np.empty((len(points), len(gallery if starts is None else starts)), np.float32)
    rows = max(1, BLOCK_BYTES // (8 * len(gallery)))
    for start in range(0, len(points), rows):
        block = cdist(points[start : start + rows], gallery, metric)  # type: ignore[call-overload]
        if starts is not None:
            block = np.minimum.reduceat(block, starts, axis=1)
        result[start : start + rows] = block
    return result
