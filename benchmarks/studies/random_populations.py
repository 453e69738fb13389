"""Intervals on random populations: `python benchmarks/studies/random_populations.py --out FILE`.

Every population differs: points near their class, on distances or cosines, in 1 to 40 dimensions,
with classes in clusters or heavy tails, directions of unequal spread, classes and points of unequal
noise, and bad points; or independent scores, with classes that all points find near. Some are whole
numbers with ties. None is a data set of this repository. The constants of the variance
(`intervals.half_fits`) were found on those from number 10,000 on (`--first`). A test has 10
to 500 classes, with 1 to 20 points each. The accuracy at 2, 4 and 10 k1 is measured on classes that
the test did not have.

Printed are the errors, and the share of intervals that hold the accuracy, by kind of scores. The
benchmark has a table of the draws, random_populations.csv.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

import study
from accuracy_curves.exceptions import FitError, InputError
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.seeds import derive_seed

FACTORS = np.array([2, 4, 10])
LEVELS, PATH = (0.8, 0.9, 0.95), Path("results/random_populations/draws.csv")
LEAST_CLASSES, MOST_CLASSES, MOST_POINTS = 10, 500, 1500
# Of the large samples that give the accuracy: one would be a tenth of the interval's variance.
SAMPLES, LEAST_ALL, POINTS = 4, 1200, 3000
# Others say nothing of how the accuracy falls.
LEAST_ACCURACY, MOST_ACCURACY = 0.1, 0.998

# (number of classes, each point's class, rng) -> scores, higher is better.
Draw = Callable[[int, np.ndarray, np.random.Generator], np.ndarray]


def near_classes(rng: np.random.Generator, *, cosine: bool) -> Draw:
    """Choose a law of classes and of points around them; scores are distances or cosines."""
    dimension = int(log_uniform(rng, 1, 40))
    spread = np.ones(dimension)
    if rng.random() < 0.5:
        spread = np.exp(-rng.uniform(0, 1.5) * np.arange(dimension) / max(dimension / 6, 1))
    freedom = rng.choice([np.inf, 3, 5])
    clusters = 1 if rng.random() < 0.7 else int(rng.integers(2, 60))
    centres = rng.normal(size=(clusters, dimension)) * rng.uniform(1, 6) * (clusters > 1)
    noise = log_uniform(rng, 0.03, 1.2)
    of_points, of_classes = sometimes(rng, 0.6, 0.6), sometimes(rng, 0.5, 0.8)
    bad, worse = rng.choice([0, 0, 0, 0.02, 0.05, 0.1, 0.15]), rng.uniform(2, 8)

    def draw(n_classes: int, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        n = len(labels)
        scale = 1.0 if np.isinf(freedom) else np.sqrt(freedom / rng.chisquare(freedom, n_classes))
        of_class = rng.normal(size=(n_classes, dimension)) * np.reshape(scale, (-1, 1))
        y = (centres[rng.integers(clusters, size=n_classes)] + of_class) * spread
        scale = noise * np.exp(of_classes * rng.normal(size=n_classes))[labels]
        scale = (
            scale * np.exp(of_points * rng.normal(size=n)) * np.where(rng.random(n) < bad, worse, 1)
        )
        x = y[labels] + scale[:, None] * rng.normal(size=(n, dimension)) * spread
        if cosine:
            x, y = (each / np.linalg.norm(each, axis=1, keepdims=True) for each in (x, y))
            return x @ y.T
        return 2 * x @ y.T - np.square(x).sum(axis=1)[:, None] - np.square(y).sum(axis=1)

    return draw


def independent(rng: np.random.Generator) -> Draw:
    """Choose a law of correct scores; the others are normal, some classes nearer to all points."""
    mean, of_points, of_classes = rng.uniform(1.5, 5), rng.uniform(0.1, 2), sometimes(rng, 0.5, 0.8)
    nearer, bad = sometimes(rng, 0.4, 0.7), rng.choice([0, 0, 0, 0.02, 0.05, 0.1, 0.15])

    def draw(n_classes: int, labels: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        n = len(labels)
        scores = rng.normal(size=(n, n_classes)) + nearer * rng.normal(size=n_classes)
        correct = (
            mean + of_points * rng.normal(size=n) + of_classes * rng.normal(size=n_classes)[labels]
        )
        scores[np.arange(n), labels] = np.where(rng.random(n) < bad, rng.normal(size=n), correct)
        return scores

    return draw


def log_uniform(rng: np.random.Generator, least: float, most: float) -> float:
    return float(np.exp(rng.uniform(np.log(least), np.log(most))))


def sometimes(rng: np.random.Generator, share: float, most: float) -> float:
    """Uniform up to the most in a share of the populations, 0 in the others."""
    return rng.uniform(0, most) if rng.random() < share else 0.0


def population(rng: np.random.Generator) -> tuple[str, Draw]:
    """Choose a kind of scores and a population; 15 % have whole numbers with ties."""
    kind = str(rng.choice(["distances", "distances", "distances", "cosines", "independent"]))
    draw = (
        independent(rng) if kind == "independent" else near_classes(rng, cosine=kind == "cosines")
    )
    if rng.random() >= 0.15:
        return kind, draw
    levels = int(rng.integers(20, 400))
    # One scale for the test and for the samples that give the truth: one population.
    labels = np.arange(LEAST_ALL)
    low, high = np.quantile(draw(LEAST_ALL, labels, rng), [0.001, 0.999])

    def in_whole_numbers(
        n_classes: int, labels: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        scores = draw(n_classes, labels, rng)
        return np.round((scores - low) / (high - low + 1e-12) * levels)

    return f"{kind}, whole numbers", in_whole_numbers


class Test(NamedTuple):
    """A test of k1 classes, and the accuracy at k1 and at `FACTORS` times k1 that is true."""

    kind: str
    sample: ScoreMatrix
    truth: np.ndarray


def drawn(number: int) -> Test | None:
    """Draw a population and a test; None if it says nothing of how the accuracy falls."""
    rng = np.random.default_rng(derive_seed("random populations", number))
    kind, draw = population(rng)
    k1 = int(log_uniform(rng, LEAST_CLASSES, MOST_CLASSES))
    points = int(np.clip(log_uniform(rng, 1, 20), 1, max(1, MOST_POINTS // k1)))
    k = FACTORS * k1
    truth = np.zeros(1 + len(k))
    for _ in range(SAMPLES):
        n_classes = max(k1 + k[-1], LEAST_ALL)
        labels = np.sort(rng.integers(n_classes, size=POINTS))
        many = ScoreMatrix(draw(n_classes, labels, rng), labels)
        truth += average_accuracy(many, [k1, *k]) / SAMPLES
    if not LEAST_ACCURACY < truth[0] < MOST_ACCURACY:
        return None
    labels = np.repeat(np.arange(k1), points)
    return Test(kind, ScoreMatrix(draw(k1, labels, rng), labels), truth)


def judged(number: int, method: str) -> pd.DataFrame:
    """Say what the intervals of a test hold; nothing if it says nothing."""
    try:
        test = drawn(number)
        if test is None:
            return pd.DataFrame()
        found = ClassIntervals(test.sample, method, seed=number)
    except (FitError, InputError):
        return pd.DataFrame()
    k1, rows = test.sample.n_classes, []
    of = {"scores": test.kind, "k1": k1, "points_per_class": test.sample.n_points // k1}
    for level in LEVELS:
        at = found.interval(FACTORS * k1, level=level)
        columns = {"factor": FACTORS, "level": level, "truth": test.truth[1:]}
        ends = {"predicted": at.accuracy, "lower": at.lower, "upper": at.upper}
        rows.append(pd.DataFrame({**of, **columns, **ends}))
    return pd.concat(rows)


def main() -> None:
    """Draw what is not there yet, and print the table."""
    asked = study.options(__doc__, populations=180, first=0, method="auto", out=PATH)
    tasks = [(number,) for number in range(asked.first, asked.first + asked.populations)]
    found = study.drawn(asked.out, ["population"], tasks, partial(judged, method=asked.method))
    print(f"{found['population'].nunique()} populations")
    print(study.summary(found, ["scores", "factor", "level"]).round(3).to_string())


if __name__ == "__main__":
    main()
