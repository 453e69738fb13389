"""Distances of points from classes, in blocks of points: stored, or compared and forgotten."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from accuracy_curves.utils.arrays import IntArray, row_blocks

METRICS = ("euclidean", "sqeuclidean", "cosine")

Float32Array = npt.NDArray[np.float32]


def distances(
    points: npt.NDArray[Any], gallery: npt.NDArray[Any], metric: str, starts: IntArray | None = None
) -> Float32Array:
    """Distances of points (N, d) from a gallery (G, d); never the whole matrix in float64.

    (N, G), or with `starts`, the first row of each class in the gallery, the smallest of each, (N,
    K).
    """
    result = np.empty((len(points), len(gallery if starts is None else starts)), np.float32)
    for rows, block in distance_blocks(points, gallery, metric, starts):
        result[rows] = block
    return result


def distance_blocks(
    points: npt.NDArray[Any], gallery: npt.NDArray[Any], metric: str, starts: IntArray | None = None
) -> Iterator[tuple[slice, Float32Array]]:
    """Yield `distances` of some points after the other: which points, and (points, K)."""
    for here in row_blocks(len(points), len(gallery)):
        block = scipy.spatial.distance.cdist(points[here], gallery, metric)  # type: ignore[call-overload]
        if starts is not None:
            block = np.minimum.reduceat(block, starts, axis=1)
        yield here, block.astype(np.float32)
