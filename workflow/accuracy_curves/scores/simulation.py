"""A small simulation, for examples and tests."""

from __future__ import annotations

import numpy as np

from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import check_choice

DISTRIBUTIONS = ("normal", "uniform")


def simulate(
    n_classes: int = 100,
    points_per_class: int = 10,
    *,
    dimension: int = 5,
    variance: float = 0.1,
    classes: str = "normal",
    points: str = "normal",
    seed: int = 0,
) -> ScoreMatrix:
    """Simulate a score matrix: distances of random points to the centres of their classes.

    Centres y are drawn from N(0, I) or a uniform with that covariance, points x from
    N(y, sigma^2 I) or a uniform around y with that covariance (ICLR 2021, Section 5.1).

    Parameters
    ----------
    n_classes, points_per_class : int
        K classes and r points of each.
    dimension : int
        Dimension of the centres and points.
    variance : float
        sigma^2: with more, more points are nearest to a wrong centre.
    classes, points : {"normal", "uniform"}
        Distribution of the centres, and of the points around them.
    seed : int
        Seed of the draws.

    Returns
    -------
    ScoreMatrix
        (K * r, K) euclidean distances, of which lower is better.

    Examples
    --------
    >>> import accuracy_curves as ac
    >>> matrix = ac.simulate(n_classes=50, points_per_class=2)
    >>> matrix.scores.shape
    (100, 50)
    """
    centres = draw_vectors(classes, variance=1.0, shape=(n_classes, dimension), seed=seed)
    shape = (n_classes * points_per_class, dimension)
    noise = draw_vectors(points, variance=variance, shape=shape, seed=seed, purpose="points")
    labels = np.repeat(np.arange(n_classes), points_per_class)
    return DistanceMatrix(centres[labels] + noise, centres, labels, "euclidean").stored()


def draw_vectors(
    distribution: str,
    *,
    variance: float,
    shape: tuple[int, int],
    seed: int,
    purpose: str = "classes",
    half_width: float | None = None,
) -> Float64Array:
    """Draw vectors around 0, (n, d), normal or uniform; each coordinate has the variance.

    A `half_width` replaces the variance of a uniform. `purpose` parts the draws of one seed.
    """
    check_choice("distribution", distribution, DISTRIBUTIONS)
    rng = np.random.default_rng(derive_seed(seed, "simulation", purpose))
    if distribution == "normal":
        return rng.normal(scale=np.sqrt(variance), size=shape)
    half_width = np.sqrt(3 * variance) if half_width is None else half_width
    return rng.uniform(-half_width, half_width, size=shape)
