"""Squared distances of points from training images, block by block."""

from collections.abc import Iterator

import numpy as np

from accuracy_curves.scores.distances import BLOCK_BYTES
from accuracy_curves.utils.arrays import FloatArray


def squared_distances(
    points: FloatArray, gallery: FloatArray
) -> Iterator[tuple[slice, FloatArray]]:
    """Yield which points, and their squared euclidean distances from the gallery, block by block.

    |x|^2 - 2 x.g + |g|^2, (rows, G), not below 0, in the images' own precision.
    """
    lengths = np.einsum("ij,ij->i", gallery, gallery)
    step = max(1, BLOCK_BYTES // (8 * len(gallery)))
    for start in range(0, len(points), step):
        rows = slice(start, min(start + step, len(points)))
        block = points[rows]
        squared = block @ gallery.T
        squared *= -2
        squared += lengths
        squared += np.einsum("ij,ij->i", block, block)[:, None]
        yield rows, np.maximum(squared, 0, out=squared)
