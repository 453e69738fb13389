"""Distances of points from classes, in blocks of points: stored, or compared and forgotten."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores import given_arrays
from accuracy_curves.scores.sample import Sample, assign, unchecked
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import AnyArray, Float64Array, FloatArray, IntArray, row_blocks
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Choice, check

METRICS = ("euclidean", "sqeuclidean", "cosine")

Float32Array = npt.NDArray[np.float32]


def distances(
    points: AnyArray, gallery: AnyArray, metric: str, starts: IntArray | None = None
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
    points: AnyArray, gallery: AnyArray, metric: str, starts: IntArray | None = None
) -> Iterator[tuple[slice, Float32Array]]:
    """Yield `distances` of some points after the other: which points, and (points, K)."""
    for here in row_blocks(len(points), len(gallery)):
        block = scipy.spatial.distance.cdist(points[here], gallery, metric)  # type: ignore[call-overload]
        if starts is not None:
            block = np.minimum.reduceat(block, starts, axis=1)
        yield here, block.astype(np.float32)


@dataclass(frozen=True, eq=False, repr=False)
class DistanceMatrix(Sample):
    """Distances of points from the classes of a gallery, made in blocks when they are needed.

    `accuracy_curves.average_accuracy` and every method whose `needs` is "ranks" take it in the
    place of a score matrix: 100,000 classes times 200,000 points need the memory of their
    embeddings alone.

    Parameters
    ----------
    points : (N, d) array of float
        One row per point.
    gallery : (G, d) array of float
        One row per class, or a photo of a class.
    labels : (N,) array of int
        Each point's correct class, in ``[0, K)``.
    metric : {"euclidean", "sqeuclidean", "cosine"}
        The distance.
    starts : (K,) array of int, optional
        First row of each class in `gallery`, ascending from 0: the distance from a class is then
        the smallest of its photos. By default each row is a class.

    Raises
    ------
    InputError
        If a label is outside the classes, there are fewer than three classes, points and gallery
        are the same embeddings, or the metric cannot be used with them.

    Examples
    --------
    >>> import numpy as np
    >>> import accuracy_curves as ac
    >>> rng = np.random.default_rng(0)
    >>> gallery = rng.normal(size=(1000, 8))
    >>> points = gallery + rng.normal(scale=0.1, size=gallery.shape)
    >>> matrix = ac.DistanceMatrix(points, gallery, labels=np.arange(1000))
    >>> ac.average_accuracy(matrix, 1000) > 0.9
    array([ True])
    """

    of_points = ("points", "labels")

    points: Float64Array
    gallery: Float64Array
    labels: IntArray
    metric: str = "euclidean"
    starts: IntArray | None = None

    def __post_init__(self) -> None:
        for name in ("points", "gallery"):
            assign(self, **{name: given_arrays.as_vectors(getattr(self, name), name)})
            if self.metric == "cosine" and not getattr(self, name).any(axis=1).all():
                raise InputError(f"one of the {name} is zero in all components: it has no cosine")
        check("metric", self.metric, Choice(*METRICS))
        given_arrays.check_shape("gallery", self.gallery, None, self.points.shape[1])
        given_arrays.check_number(self.n_classes, "classes")
        labels = given_arrays.as_labels(self.labels)
        given_arrays.check_shape("labels", labels, len(self.points))
        assign(self, labels=given_arrays.label_columns(labels, None, self.n_classes)[0])
        if np.array_equal(self.points, self.gallery):
            raise InputError(
                "points and gallery are the same embeddings: each point finds itself; "
                "points must be other photos than the gallery's"
            )

    @property
    def n_classes(self) -> int:
        """Number of classes K."""
        return len(self.gallery if self.starts is None else self.starts)

    def blocks(self, points: IntArray | None = None) -> Iterator[tuple[slice, FloatArray]]:
        """Yield as `ScoreMatrix.blocks` of `stored`."""
        chosen = self.points if points is None else self.points[points]
        for rows, block in distance_blocks(chosen, self.gallery, self.metric, self.starts):
            yield rows, -block

    def _of_classes(self, rows: IntArray, classes: IntArray) -> dict[str, Any]:
        photos, starts = np.asarray(classes), None
        if self.starts is not None:
            ends = np.append(self.starts[1:], len(self.gallery))
            sizes = (ends - self.starts)[classes]
            starts = np.cumsum(sizes) - sizes
            photos = np.repeat(self.starts[classes] - starts, sizes) + np.arange(sizes.sum())
        return {"points": self.points[rows], "gallery": self.gallery[photos], "starts": starts}

    def _facts(self) -> list[str]:
        kind = f"{self.metric} distances in {self.points.shape[1]:,} dimensions"
        return [*super()._facts(), kind]

    def stored(self) -> ScoreMatrix:
        """Compute the score matrix.

        Returns
        -------
        ScoreMatrix
            Distances, (N, K) float32; lower is better.
        """
        scores = distances(self.points, self.gallery, self.metric, self.starts)
        same = {"labels": self.labels, "design": self.design}
        return unchecked(ScoreMatrix, scores=scores, higher_is_better=False, **same)


def simulate(
    n_classes: int = 100,
    points_per_class: int = 10,
    *,
    dimension: int = 5,
    variance: float = 0.1,
    seed: int = 0,
) -> ScoreMatrix:
    """Simulate a score matrix: distances of random points to the centres of their classes.

    Centres y are sampled from N(0, I), points x from N(y, sigma^2 I) (ICLR 2021, Section 5.1).

    Parameters
    ----------
    n_classes, points_per_class : int
        K classes and r points of each.
    dimension : int
        Dimension of the centres and points.
    variance : float
        sigma^2: with more, more points are nearest to a wrong centre.
    seed : int
        Seed of the draws.

    Returns
    -------
    ScoreMatrix
        (K * r, K) euclidean distances; lower is better.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=50, points_per_class=2)
    >>> matrix.scores.shape
    (100, 50)
    """

    def draw(purpose: str, n: int, variance: float) -> Float64Array:
        rng = np.random.default_rng(derive_seed(seed, "simulation", purpose))
        return rng.normal(scale=np.sqrt(variance), size=(n, dimension))

    labels = np.repeat(np.arange(n_classes), points_per_class)
    centres, noise = draw("classes", n_classes, 1.0), draw("points", len(labels), variance)
    return DistanceMatrix(centres[labels] + noise, centres, labels, "euclidean").stored()
