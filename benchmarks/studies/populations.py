"""Methods on populations of known accuracy: `python benchmarks/studies/populations.py`.

A population is a law of C_x, the probability that the correct class of a point outscores a random
other class, and a way to draw scores that have it. E_k[A] = E[C_x ** (k - 1)] is then an integral,
of one or two variables, by Gauss-Legendre quadrature over quantiles. Each draw is written in
several ways that keep the order of all scores, and so everything that a test of k1 classes shows.

The table (`--table` writes populations.csv) has bias and root mean square error (RMSE) at 2, 4 and
10 k1 classes for the first way of writing, and the largest difference between predictions from two
ways of writing one draw. Every draw is written to results/populations once it is done.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import expit, gammainccinv
from scipy.stats import chi2, ncx2, norm, poisson, rankdata

import study
from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.seeds import derive_seed

FACTORS = (2, 4, 10)
DRAWS = Path("results/populations/draws.csv")
METHODS = [
    *("auto", "pooled_tail", "gaussian_tail", "empirical_bayes", "regression"),
    *("radial_nnls", "spline", "two_parameter", "pitman_yor", "information", "log_linear"),
]
NODES = 160
# Squared distance that is added between clusters: no class of another one is ever nearer.
APART = 400.0

Scores = np.ndarray
Law = tuple[np.ndarray, np.ndarray]


def accuracy_of(law: Law, k: np.ndarray) -> np.ndarray:
    """Mean of C ** (k - 1)."""
    log_loss, weights = law
    log_favorability = np.log1p(-np.exp(np.minimum(log_loss, -1e-16)))
    return np.array([(weights * np.exp((n - 1) * log_favorability)).sum() for n in k])


def quantiles(n: int = NODES) -> Law:
    """Nodes in (0, 1) and weights, dense towards both ends where the integrands are steep."""
    t, w = np.polynomial.legendre.leggauss(n)
    # u = s^2 (3 - 2 s) has a derivative of zero at both ends.
    s, w = (t + 1) / 2, w / 2
    return s**2 * (3 - 2 * s), w * 6 * s * (1 - s)


@dataclass(frozen=True)
class Population:
    """Scores of points for classes, and what is true of them.

    Attributes
    ----------
    name : str
    draw : callable
        (k1, r, rng) -> (k1 * r, k1) scores, higher is better; row i has class i // r.
    law : callable
        () -> log of 1 - C_x at the nodes, and their weights; where scores tie, of C_x with the
        ties broken at random.
    written : mapping of str to (callable, bool)
        Ways of writing the scores that keep their order: what is done to the matrix, and whether
        higher is then better.
    """

    name: str
    draw: Callable[[int, int, np.random.Generator], Scores]
    law: Callable[[], Law]
    written: Mapping[str, tuple[Callable[[Scores], Scores], bool]]

    @cached_property
    def _nodes(self) -> Law:
        return self.law()

    def accuracy(self, k: np.ndarray) -> np.ndarray:
        """Expected accuracy at k classes."""
        return accuracy_of(self._nodes, k)

    def samples(self, k1: int, r: int, seed: int) -> dict[str, ScoreMatrix]:
        """Draw a test of k1 classes with r points each, in every way of writing it."""
        rng = np.random.default_rng(derive_seed("populations", self.name, k1, r, seed))
        scores, labels = self.draw(k1, r, rng), np.repeat(np.arange(k1), r)
        return {
            way: ScoreMatrix(transform(scores), labels, higher)
            for way, (transform, higher) in self.written.items()
        }


def ranked(scores: Scores) -> Scores:
    return rankdata(scores, method="dense").reshape(scores.shape).astype(float)


ANY = {
    "s": (lambda s: s, True),
    "1 - s": (lambda s: 1 - s, False),
    "exp(s)": (np.exp, True),
    "sigmoid": (expit, True),
    "rank": (ranked, True),
}
DISTANCES = {
    "distance": (lambda s: -s, False),
    "squared": (lambda s: s**2, False),
    "exp(-d^2)": (lambda s: np.exp(-(s**2)), True),
    **ANY,
}
LAWS = {
    "normal": (lambda s: s, True),
    "exponential": (lambda s: -norm.logsf(s), True),
    # The root keeps what is far out within the range of scores.
    "root of Cauchy": (
        lambda s: np.where(s < 0, -1, 1) / np.sqrt(np.tan(np.pi * norm.sf(np.abs(s)))),
        True,
    ),
    "uniform": (norm.cdf, True),
    "exp(s)": ANY["exp(s)"],
    "rank": ANY["rank"],
}


def near_classes(
    name: str,
    dimension: int,
    noise: Callable[[np.random.Generator, int], np.ndarray],
    squared_norm: Callable[[], Law],
    clusters: int = 1,
) -> Population:
    """Distances of points y + z from classes y ~ N(0, I), in clusters of equal probability."""

    def draw(k1: int, r: int, rng: np.random.Generator) -> Scores:
        cluster = rng.integers(clusters, size=k1)
        y = rng.normal(size=(k1, dimension))
        x = np.repeat(y, r, axis=0) + noise(rng, k1 * r)
        squared = ((x[:, None] - y[None]) ** 2).sum(axis=2)
        squared += APART * (np.repeat(cluster, r)[:, None] != cluster)
        return -np.sqrt(squared)

    return Population(
        name, draw, lambda: law_of_near_classes(dimension, squared_norm(), clusters), DISTANCES
    )


def law_of_near_classes(dimension: int, squared_norm: Law, clusters: int) -> Law:
    """Law of C_x from nodes of |z|^2.

    A random class is nearer than the correct one with probability F(|z|^2) / clusters, F the
    noncentral chi-squared law of noncentrality |y + z|^2, which given |z|^2 is one itself.
    """
    u, wu = squared_norm
    q, wq = quantiles(60)
    centre = ncx2.ppf(q, dimension, u[:, None])
    p = ncx2.cdf(u[:, None], dimension, centre) / clusters
    return np.log(np.maximum(p, 1e-300)).ravel(), (wu[:, None] * wq).ravel()


def gaussian(dimension: int, variance: float, clusters: int = 1) -> Population:
    """Points N(y, variance I)."""
    name = f"Gaussian, d = {dimension}, variance {variance:g}"
    if clusters > 1:
        name += f", {clusters} clusters"

    def squared_norm() -> Law:
        q, w = quantiles()
        return variance * chi2.ppf(q, dimension), w

    scale = np.sqrt(variance)
    return near_classes(
        name,
        dimension,
        lambda rng, n: scale * rng.normal(size=(n, dimension)),
        squared_norm,
        clusters,
    )


def anisotropic(variances: tuple[float, float], dimensions: tuple[int, int]) -> Population:
    """Points whose variance differs between two groups of dimensions."""
    scale = np.sqrt(np.repeat(variances, dimensions))

    def squared_norm() -> Law:
        q, w = quantiles(40)
        first, second = (v * chi2.ppf(q, d) for v, d in zip(variances, dimensions, strict=True))
        return (first[:, None] + second).ravel(), (w[:, None] * w).ravel()

    return near_classes(
        f"anisotropic, variances {variances[0]:g} and {variances[1]:g}",
        sum(dimensions),
        lambda rng, n: scale * rng.normal(size=(n, len(scale))),
        squared_norm,
    )


def heavy_tails(dimension: int, variance: float, freedom: float) -> Population:
    """Points of a multivariate Student law: some lie far from their class."""

    def noise(rng: np.random.Generator, n: int) -> np.ndarray:
        gauss = rng.normal(size=(n, dimension))
        return gauss * np.sqrt(variance * freedom / rng.chisquare(freedom, size=(n, 1)))

    def squared_norm() -> Law:
        q, w = quantiles(60)
        ratio = chi2.ppf(q, dimension)[:, None] / chi2.ppf(q, freedom)
        return (variance * freedom * ratio).ravel(), (w[:, None] * w).ravel()

    return near_classes(
        f"Student, d = {dimension}, {freedom:g} degrees of freedom", dimension, noise, squared_norm
    )


def two_noises(dimension: int, variances: tuple[float, float], share: float) -> Population:
    """Points of which a share is much worse than the others, as smudged prints are."""

    def noise(rng: np.random.Generator, n: int) -> np.ndarray:
        variance = np.where(rng.random((n, 1)) < share, variances[1], variances[0])
        return np.sqrt(variance) * rng.normal(size=(n, dimension))

    def squared_norm() -> Law:
        q, w = quantiles(100)
        both = [v * chi2.ppf(q, dimension) for v in variances]
        return np.concatenate(both), np.concatenate([(1 - share) * w, share * w])

    return near_classes(f"bad points, Gaussian, d = {dimension}", dimension, noise, squared_norm)


def independent(
    name: str,
    log_loss: Callable[[np.ndarray], np.ndarray],
    *,
    spread: float = 0.0,
    bad: float = 0.0,
) -> Population:
    """Independent scores: N(0, 1) of incorrect classes, and P(higher) = exp(log_loss(U)).

    A share of `bad` points scores its correct class as any other one. `spread` is the standard
    deviation of the location, and of the log scale, of a point's scores.
    """

    def draw(k1: int, r: int, rng: np.random.Generator) -> Scores:
        n = k1 * r
        scores = rng.normal(size=(n, k1))
        correct = norm.isf(np.exp(log_loss(rng.random(n))))
        failed = rng.random(n) < bad
        rows = np.arange(n), np.repeat(np.arange(k1), r)
        scores[rows] = np.where(failed, scores[rows], correct)
        scale, location = np.exp(spread * rng.normal(size=(n, 1))), spread * rng.normal(size=(n, 1))
        return scores * scale + location

    def law() -> Law:
        q, w = quantiles(400)
        both = log_loss(q), np.log(q)
        return np.concatenate(both), np.concatenate([(1 - bad) * w, bad * w])

    return Population(name, draw, law, LAWS if spread == 0 else ANY)


def whole_numbers(incorrect: float, correct: float, overdispersion: float) -> Population:
    """Counts as scores, with many ties: Poisson, and a gamma mixture of Poisson laws."""

    def draw(k1: int, r: int, rng: np.random.Generator) -> Scores:
        scores = rng.poisson(incorrect, size=(k1 * r, k1)).astype(float)
        mean = rng.gamma(overdispersion, correct / overdispersion, size=k1 * r)
        scores[np.arange(k1 * r), np.repeat(np.arange(k1), r)] = rng.poisson(mean)
        return scores

    def law() -> Law:
        # A tie is broken at random: C is uniform between P(S < s) and P(S <= s).
        s = np.arange(int(incorrect + correct) * 8)
        q, w = quantiles(100)
        mean = gammainccinv(overdispersion, 1 - q) * correct / overdispersion
        mass = (poisson.pmf(s, mean[:, None]) * w[:, None]).sum(axis=0)
        u, wu = quantiles(40)
        p = poisson.sf(s[:, None], incorrect) + u * poisson.pmf(s[:, None], incorrect)
        return np.log(np.maximum(p, 1e-300)).ravel(), (mass[:, None] * wu).ravel()

    written = {way: ANY[way] for way in ("s", "1 - s", "rank")}
    return Population("whole numbers, with ties", draw, law, written)


def of_a_maximum(n: float) -> Callable[[np.ndarray], np.ndarray]:
    """Log of 1 - C where the correct score is the highest of n others: C = U ** (1 / n)."""
    return lambda u: np.log(-np.expm1(np.log(u) / n))


def shifted(shift: float) -> Callable[[np.ndarray], np.ndarray]:
    """Log of 1 - C where the correct score is N(shift, 1)."""
    return lambda u: norm.logsf(shift + norm.ppf(u))


POPULATIONS = [
    gaussian(1, 1e-4),
    gaussian(2, 0.01),
    gaussian(5, 0.1),
    gaussian(5, 0.2),
    gaussian(10, 0.25),
    gaussian(10, 0.6),
    gaussian(5, 0.1, clusters=4),
    anisotropic((0.02, 0.6), (4, 1)),
    heavy_tails(5, 0.04, 3),
    two_noises(5, (0.01, 1.0), 0.1),
    independent("independent, highest of 300", of_a_maximum(300)),
    independent("independent, highest of 3000", of_a_maximum(3000)),
    independent("independent, flat log hazard", lambda u: -12 * u),
    independent("independent, normal shift", shifted(3)),
    independent("independent, 8 % bad points", shifted(7), bad=0.08),
    independent("each point its scale", shifted(3), spread=0.5),
    whole_numbers(10, 30, 5),
]


def predictions(name: str, method: str, k1: int, r: int, number: int) -> pd.DataFrame:
    """Predictions from each way of writing a draw."""
    population = next(each for each in POPULATIONS if each.name == name)
    rows, k = list[pd.DataFrame](), k1 * np.array(FACTORS)
    truth = population.accuracy(k)
    for way, sample in population.samples(k1, r, number).items():
        if rows and EXTRAPOLATORS[method].needs == "ranks":
            break  # The ranks are the same in every way of writing.
        try:
            predicted = make_extrapolator(method, seed=number).fit(sample).predict(k)
        except (FitError, InputError):
            predicted = np.full(len(k), np.nan)
        columns = {"factor": FACTORS, "truth": truth, "predicted": predicted}
        rows.append(pd.DataFrame({"way": way, **columns}))
    return pd.concat(rows)


def summary(draws: pd.DataFrame) -> pd.DataFrame:
    """Bias and RMSE of the first way of writing, and the largest difference between the ways."""
    by = ["population", "method", "factor"]
    first = draws.groupby("population")["way"].transform("first")
    own = draws[draws["way"] == first].assign(error=lambda of: of["predicted"] - of["truth"])
    groups = own.assign(square=own["error"] ** 2).groupby(by, sort=False)
    ways = draws.groupby([*by, "draw"], sort=False)["predicted"]
    columns = {"truth": groups["truth"].first(), "bias": groups["error"].mean()}
    columns["rmse"] = np.sqrt(groups["square"].mean())
    between = (ways.max() - ways.min()).groupby(by, sort=False).max()
    return pd.DataFrame(columns).assign(**{"between ways": between})


def main() -> None:
    """Draw what is not there yet, and print the table."""
    asked = study.options(__doc__, classes=100, points=5, draws=20, methods=METHODS)
    tasks = [
        (population.name, method, asked.classes, asked.points, number)
        for population in POPULATIONS
        for method in asked.methods
        for number in range(asked.draws)
    ]
    keys = ["population", "method", "k1", "points", "draw"]
    table = summary(study.drawn(DRAWS, keys, tasks, predictions))
    study.show(table, __file__, asked)


if __name__ == "__main__":
    main()
