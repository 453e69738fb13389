"""A small simulation, for examples and tests."""

from __future__ import annotations

import numpy as np

from accuracy_curves.scores.distance_matrix import DistanceMatrix
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.seeds import derive_seed


def simulate(
    n_classes: int = 100,
    points_per_class: int = 10,
    *,
    dimension: int = 5,
    variance: float = 0.1,
    seed: int = 0,
) -> ScoreMatrix:
    """Simulate a score matrix: distances of random points to the centres of their classes.

    Centres y are drawn from N(0, I), points x from N(y, sigma^2 I) (ICLR 2021, Section 5.1).

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
        (K * r, K) euclidean distances, of which lower is better.

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
