"""Distances of points from classes, in blocks, as float32."""

from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.utils.arrays import IntArray

BLOCK_BYTES = 64 * 2**20

METRICS = ("euclidean", "sqeuclidean", "cosine", "mahalanobis")


def distances(
    points: npt.NDArray[Any],
    gallery: npt.NDArray[Any],
    metric: str,
    starts: IntArray | None = None,
) -> npt.NDArray[np.float32]:
    """Distances of points (N, d) from a gallery (G, d); never the whole matrix in float64.

    (N, G), or with `starts`, the first row of each class in the gallery, the smallest of each, (N,
    K).
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
