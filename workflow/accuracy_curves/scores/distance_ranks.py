"""Distances of points from classes, in blocks, and their ranks where they are not stored.

The ranks are the same as those of the stored ones, to the last tie. A single-precision matrix
product tells most distances from that of the correct class, since its rounding error is bounded;
the few within the bound are computed as the stored matrix would be.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist

from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.linear_algebra import one_thread

BLOCK_BYTES = 64 * 2**20

METRICS = ("euclidean", "sqeuclidean", "cosine", "mahalanobis")


def distances(
    points: npt.NDArray[Any], gallery: npt.NDArray[Any], metric: str, starts: IntArray | None = None
) -> npt.NDArray[np.float32]:
    """Distances of points (N, d) from a gallery (G, d); never the whole matrix in float64.

    (N, G), or with `starts`, the first row of each class in the gallery, the smallest of each, (N,
    K).
    """
    result = np.empty((len(points), len(gallery if starts is None else starts)), np.float32)
    rows = max(1, BLOCK_BYTES // (8 * len(gallery)))
    for start in range(0, len(points), rows):
        block = cdist(points[start : start + rows], gallery, metric)  # type: ignore[call-overload]
        if starts is not None:
            block = np.minimum.reduceat(block, starts, axis=1)
        result[start : start + rows] = block
    return result


Float32Array = npt.NDArray[np.float32]

# A block of products fits in the second-level cache.
ROWS, COLUMNS = 128, 2048
ROUNDOFF = 2.0**-24
SAFETY = 2.0
# The step of float32 below its normal numbers, where rounding is no longer relative.
SMALLEST = 2.0**-149
TINY = 1e-30


class Products(NamedTuple):
    """Factors whose product orders the columns of each row as the distances do.

    ``left @ right`` (N, m) x (m, G) is a row constant plus the squared or cosine distance, scaled.
    The sizes (N,) and (G,) together bound the terms of the product.
    """

    left: Float32Array
    right: Float32Array
    left_size: Float64Array
    right_size: Float64Array
    rounding: float = 0.0  # That of stored distances below the normal numbers.


Compared = tuple[slice, IntArray, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]


def count_closer(
    points: Float64Array,
    gallery: Float64Array,
    labels: IntArray,
    metric: str,
    starts: IntArray | None = None,
) -> tuple[IntArray, IntArray]:
    """Count the classes that are further than the correct one, and those at its distance.

    Points and gallery are (N, d) and (G, d) float64. Distances are in float32, as `distances`
    computes them, with `starts` the smallest of each class. Memory is that of the embeddings and a
    few megabytes; time is linear in N x G.
    """
    outscored = np.zeros(len(points), dtype=np.int64)
    # The correct class is at its own distance.
    tied = outscored - 1
    for rows, classes, far, near in compare(points, gallery, labels, metric, starts):
        beyond = _count(far)
        outscored[rows] += beyond
        tied[rows] += len(classes) - beyond - _count(near)
    return outscored, tied


def compare(
    points: Float64Array,
    gallery: Float64Array,
    labels: IntArray,
    metric: str,
    starts: IntArray | None = None,
) -> Iterator[Compared]:
    """Yield block by block which classes are further than the correct one, and which are closer.

    Which points, which classes, and two arrays (points, classes); arguments as of `count_closer`.
    """
    n_classes = len(gallery if starts is None else starts)
    first = np.arange(n_classes + 1) if starts is None else np.append(starts, len(gallery))
    own = _own_distances(points, gallery, labels, metric, first)
    products, level = _products(points, gallery, metric, own.astype(np.float64))
    order = np.arange(n_classes)
    if starts is None:
        # Columns of like size have like errors; classes of several photos stay together.
        order = np.argsort(products.right_size)
        right = products.right[:, order]
        products = products._replace(right=right, right_size=products.right_size[order])
    position = np.argsort(order)[labels]
    with one_thread():
        for begin, end in _blocks(first):
            where = slice(first[begin], first[end])
            error = _error(products, where, own.astype(np.float64), level, metric)
            low, high = ((level + sign * error).astype(np.float32)[:, None] for sign in (-1, 1))
            inside = (begin <= position) & (position < end)
            right = np.ascontiguousarray(products.right[:, where])
            inner = None if starts is None else first[begin:end] - where.start
            for start in range(0, len(points), ROWS):
                rows = slice(start, start + ROWS)
                values = products.left[rows] @ right
                if inner is not None:
                    values = np.minimum.reduceat(values, inner, axis=1)
                far, near = values > high[rows], values < low[rows]
                unsure = (end - begin) - _count(far) - _count(near)
                # The correct class itself is always among the unsure ones.
                for row in np.flatnonzero(unsure > inside[rows]):
                    point = start + int(row)
                    columns = begin + np.flatnonzero(~(near[row] | far[row]))
                    columns = columns[columns != position[point]]
                    one = points[point : point + 1]
                    exact = _exact(one, gallery, order[columns], metric, first)
                    far[row, columns - begin] = exact > own[point]
                    near[row, columns - begin] = exact < own[point]
                yield rows, order[begin:end], far, near


def _count(which: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Count in each row; narrow sums are faster, and a block has few columns."""
    counts: npt.NDArray[np.int64] = np.add.reduce(which.view(np.uint8), axis=1, dtype=np.uint16)
    return counts.astype(np.int64)


def _blocks(first: IntArray) -> Iterator[tuple[int, int]]:
    """Go through the classes in blocks of at most `COLUMNS` columns, or one class."""
    begin = 0
    while begin < len(first) - 1:
        end = int(np.searchsorted(first, first[begin] + COLUMNS, side="right")) - 1
        end = max(end, begin + 1)
        yield begin, end
        begin = end


def _products(
    points: Float64Array, gallery: Float64Array, metric: str, own: Float64Array
) -> tuple[Products, Float64Array]:
    """Factor the distances; also give where the correct class stands in each row's order."""
    if metric == "cosine":
        left, right = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (points, gallery))
        ones = np.ones(len(points)), np.ones(len(gallery))
        return Products(-left.astype(np.float32), right.T.astype(np.float32), *ones), own - 1.0
    centre = gallery.mean(axis=0)
    spread = float(np.sqrt(np.square(gallery - centre).sum(axis=1).mean())) or 1.0
    left, right = ((x - centre) / spread for x in (points, gallery))
    left_size, right_size = np.square(left).sum(axis=1), np.square(right).sum(axis=1)
    with np.errstate(over="ignore"):
        products = Products(
            np.column_stack([-2.0 * left, np.ones(len(left))]).astype(np.float32),
            np.vstack([right.T, right_size]).astype(np.float32),
            left_size,
            right_size,
            (2.0 * own.max() * SMALLEST if metric == "euclidean" else SMALLEST) / spread**2,
        )
    squared = (own / spread) ** 2 if metric == "euclidean" else own / spread**2
    return products, squared - left_size


def _error(
    products: Products, where: slice, own: Float64Array, level: Float64Array, metric: str
) -> Float64Array:
    """Bound the errors of a block: of its products in any order of summation, and of rounding.

    With the unit roundoff u, the factors have relative errors of u, a sum of m products one of
    m u, together (m + 3) u of the sum of their magnitudes, which is at most |x|^2 + 2 |g|^2; the
    stored distances are rounded too, to u of themselves.
    """
    largest = products.right_size[where].max()
    terms = (len(products.right) + 3) * (products.left_size + 2.0 * largest)
    distance = own if metric == "cosine" else level + products.left_size
    bound: Float64Array = terms + 5.0 * np.abs(distance) + 2.0 * np.abs(level)
    return SAFETY * (ROUNDOFF * bound + products.rounding) + TINY


def _own_distances(
    points: Float64Array, gallery: Float64Array, labels: IntArray, metric: str, first: IntArray
) -> Float32Array:
    """Compute the distance of every point from its correct class, (N,)."""
    own = np.empty(len(points), dtype=np.float32)
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order], append=-1)) + 1
    for begin, end in zip([0, *ends[:-1]], ends, strict=True):
        rows = order[begin:end]
        label = labels[rows[0]]
        mine = gallery[first[label] : first[label + 1]]
        own[rows] = cdist(points[rows], mine, metric).min(axis=1)  # type: ignore[call-overload]
    return own


def _exact(
    point: Float64Array, gallery: Float64Array, classes: IntArray, metric: str, first: IntArray
) -> Float32Array:
    """Compute the distances of one point from some classes, as the stored matrix has them."""
    sizes = first[classes + 1] - first[classes]
    inner = np.cumsum(sizes) - sizes
    rows = np.repeat(first[classes] - inner, sizes) + np.arange(sizes.sum())
    found = cdist(point, gallery[rows], metric)[0]  # type: ignore[call-overload]
    return np.asarray(np.minimum.reduceat(found, inner), dtype=np.float32)
