"""How far intervals of open-set methods hold: `python benchmarks/studies/identification.py`.

On populations whose rates are known in closed form, by how many times the gallery is larger: 90 %
intervals of FPIR at true thresholds, and how often the FPIR is at most the target at a threshold
that is set for it (`kept`), and at the stricter end of its interval (`kept_end`). PYTHONPATH is
`workflow`, as for the pipeline.
"""

from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import beta, expon, gamma, gumbel_r, logistic, ncx2, norm, t, uniform

import study
from accuracy_curves import Identification, Searches
from accuracy_curves.utils.seeds import derive_seed

DRAWS = Path("results/identification_reach/draws.csv")
METHODS = ["binomial", "binomial_mixture", "pooled_tail", "gaussian_tail", "empirical_bayes"]
METHODS += ["ordinal_tail", "pareto_tail"]
RATES = np.array([0.3, 0.1, 0.03, 0.01])
# Gallery sizes over k1.
TIMES = (2, 10, 100, 1000, 10_000)


class Population(NamedTuple):
    """Searches of an infinite population: scores of k1 identities, and P(S_xy >= T) of many x."""

    scores: Callable[[int, np.random.Generator], np.ndarray]
    beyond: Callable[[float], np.ndarray]
    higher_is_better: bool = True
    low: float = -20.0
    high: float = 60.0


def distances(d: int, variance: float = 0.1, searches: int = 1500) -> Population:
    """Distances from normal searches to normal identities: noncentral chi-squared."""

    def scores(k1: int, rng: np.random.Generator) -> np.ndarray:
        centres = rng.normal(size=(k1, d))
        x = centres + np.sqrt(variance) * rng.normal(size=centres.shape)
        return np.linalg.norm(x[:, None] - centres, axis=2)

    x = np.random.default_rng(0).normal(size=(searches, d)) * np.sqrt(1 + variance)
    squares = np.square(x).sum(axis=1)
    # Thresholds are on the scale of `Searches.oriented`: of a distance its negative.
    beyond = lambda at: ncx2.cdf(np.square(at), d, squares)  # noqa: E731
    return Population(scores, beyond, False, low=-60.0, high=0.0)


def shifted(law: Any, location: float, spread: float = 0.15, searches: int = 4000) -> Population:
    """Scores a_x + s_x e_xy: a normal location and a lognormal scale of each search."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return location * rng.normal(size=n), np.exp(spread * rng.normal(size=n))

    def scores(k1: int, rng: np.random.Generator) -> np.ndarray:
        a, s = draw(k1, rng)
        return a[:, None] + s[:, None] * law.rvs(size=(k1, k1), random_state=rng)

    a, s = draw(searches, np.random.default_rng(0))
    return Population(scores, lambda at: law.sf((at - a) / s))


def cosines(d: int) -> Population:
    """Cosines of uniform directions: searches do not differ, and scores end at 1."""

    def scores(k1: int, rng: np.random.Generator) -> np.ndarray:
        one, other = rng.normal(size=(2, k1, d))
        lengths = np.linalg.norm(one, axis=1)[:, None] * np.linalg.norm(other, axis=1)
        return one @ other.T / lengths

    half = (d - 1) / 2
    beyond = lambda at: np.array([beta.sf((at + 1) / 2, half, half)])  # noqa: E731
    return Population(scores, beyond, low=-1, high=1)


POPULATIONS = {
    "distances, d = 5": distances(5),
    "distances, d = 16": distances(16),
    "distances, d = 64": distances(64),
    "normal": shifted(norm(scale=np.sqrt(1.2)), 0.55),
    "gamma": shifted(gamma(2.0), 1.0),
    "Student's t, 8": shifted(t(8), 0.55),
    "cosines, d = 16": cosines(16),
    "normal, all alike": shifted(norm(), 0.0, 0.0),
    "normal, scales": shifted(norm(), 0.0, 0.3),
    "normal, locations": shifted(norm(), 0.55, 0.0),
    **{
        name: shifted(law, 0.55 * law.std())
        for name, law in {
            "logistic": logistic(),
            "exponential": expon(),
            "uniform": uniform(),
            "beta(2, 4)": beta(2, 4),
            "Student's t, 3": t(3),
            "Gumbel": gumbel_r(),
        }.items()
    },
}


def true_threshold(population: Population, k: int, fpir: float) -> float:
    """Threshold at which FPIR of the population in a gallery of k is a given one."""
    low, high = population.low, population.high
    for _ in range(60):
        middle = (low + high) / 2
        none = np.exp(k * np.log1p(-np.minimum(population.beyond(middle), 1 - 1e-15)))
        low, high = (middle, high) if 1 - none.mean() > fpir else (low, middle)
    return high


def draw(name: str, method: str, k1: int, splits: int, number: int) -> pd.DataFrame:
    """Whether intervals at true thresholds hold each rate, how wide they are, and what is kept."""
    population = POPULATIONS[name]
    sizes, rates = np.repeat(TIMES, len(RATES)) * k1, np.tile(RATES, len(TIMES))
    at = [true_threshold(population, *each) for each in zip(sizes, rates, strict=True)]
    drawn = population.scores(k1, np.random.default_rng(derive_seed(0, name, k1, number)))
    searches = Searches(drawn, np.arange(k1), population.higher_is_better)
    fitted = Identification(searches, method, splits=splits)
    rate = fitted.fpir_interval(sizes, searches.as_given(np.array(at)))
    held = (rate.lower <= rates) & (rates <= rate.upper)
    cuts = fitted.threshold_interval(sizes, rates)
    ends = [searches.oriented(each) >= at for each in (cuts.value, cuts.lower, cuts.upper)]
    kept = {"kept": ends[0], "kept_end": ends[1] | ends[2]}
    width = rate.upper - rate.lower
    return pd.DataFrame({"times": sizes // k1, "held": held, "width": width, **kept})


def main() -> None:
    """Draw what is not there yet, and print coverage and median width."""
    asked = study.options(__doc__, draws=20, splits=30, methods=METHODS)
    tasks = product(POPULATIONS, asked.methods, (50, 200), [asked.splits], range(asked.draws))
    keys = ["population", "method", "k1", "splits", "draw"]
    draws = study.drawn(DRAWS, keys, tasks, draw)
    by = ["k1", "method", "times"]
    of = draws.groupby([*by, "population"])["held"].mean().groupby(by)
    width = draws.groupby(by)["width"].median()
    table = pd.DataFrame(
        {"covered": of.mean(), "worst": of.min(), "population": of.idxmin().str[-1]}
    )
    kept = draws.groupby(by)[["kept", "kept_end"]].mean()
    print(table.assign(width=width).join(kept).round(3).to_string())


if __name__ == "__main__":
    main()
