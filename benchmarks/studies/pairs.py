"""Intervals of the difference of two systems: `python benchmarks/studies/pairs.py --table`.

A law says how two systems score the same people and photos. Each draw is a test of 200 people with
two photos each, and gives the 90 % interval of `compare` at 1, 2 and 10 k1. The true difference is
measured on 10,000 people. Every draw is written to results/pairs once it is done, and is not
computed again. `--table` writes pairs.csv, a row a law and multiple of k1: the share of intervals
that hold the true difference, their mean width in points over that of two separate intervals (the
root of the sum of their squares), and the share of draws in which the systems are called different.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves import Auto, DistanceMatrix, average_accuracy
from accuracy_curves.intervals.comparison import compare_fits
from accuracy_curves.utils.seeds import derive_seed
from study import Rng

K1, PHOTOS, ALL, FACTORS = 200, 2, 10_000, np.array([1, 2, 10])
DRAWS = Path("results/pairs")

# Photos of people, by their numbers: the noise of a photo in each of 40 dimensions.
Noise = Callable[[np.ndarray, int, Rng], np.ndarray]


def plain(labels: np.ndarray, n: int, rng: Rng) -> np.ndarray:
    return rng.standard_normal((len(labels), 40), dtype=np.float32)


def bad_photos(labels: np.ndarray, n: int, rng: Rng) -> np.ndarray:
    """3 % of the photos cannot be used, by either system."""
    return plain(labels, n, rng) * np.where(rng.random((len(labels), 1)) < 0.03, 20, 1)


def goats(labels: np.ndarray, n: int, rng: Rng) -> np.ndarray:
    """5 % of the people have noisier photos."""
    return plain(labels, n, rng) * np.where(rng.random((n, 1)) < 0.05, 3, 1)[labels]


def one_half_bad(labels: np.ndarray, n: int, rng: Rng) -> np.ndarray:
    """3 % of the photos cannot be used by a system that has the last 20 dimensions."""
    found = plain(labels, n, rng)
    found[:, 20:] *= np.where(rng.random((len(labels), 1)) < 0.03, 20, 1)
    return found


# The noise, and of each system: its dimensions, times of the noise, and of noise of its own.
System = tuple[slice, float, float]
LAWS: dict[str, tuple[Noise, System, System]] = {
    "equal systems": (plain, (slice(0, 20), 0.5, 0.5), (slice(0, 20), 0.5, 0.5)),
    "shared noise": (plain, (slice(0, 20), 0.7, 0.2), (slice(0, 20), 0.65, 0.2)),
    "other features": (plain, (slice(0, 20), 0.75, 0), (slice(20, 40), 0.7, 0)),
    "3 % bad photos": (bad_photos, (slice(0, 20), 0.55, 0.2), (slice(0, 17), 0.55, 0.2)),
    "curves that cross": (one_half_bad, (slice(0, 8), 0.3, 0), (slice(20, 40), 0.5, 0)),
    "goats": (goats, (slice(0, 20), 0.45, 0.2), (slice(0, 16), 0.45, 0.2)),
}


def tested(name: str, n: int, rng: Rng) -> list[DistanceMatrix]:
    """Test both systems on n people."""
    noise, *systems = LAWS[name]
    people, labels = plain(np.arange(n), n, rng), np.arange(n).repeat(PHOTOS)
    photos = noise(labels, n, rng)
    seen = [
        people[labels] + times * photos + own * plain(labels, n, rng) for _, times, own in systems
    ]
    return [
        DistanceMatrix(each[:, kept], people[:, kept], labels)
        for each, (kept, *_) in zip(seen, systems, strict=True)
    ]


def truth(name: str) -> pd.DataFrame:
    """Accuracies of both systems at the multiples, and their difference."""
    rng = np.random.default_rng(derive_seed("pairs", name, "truth"))
    a, b = (average_accuracy(each, FACTORS * K1) for each in tested(name, ALL, rng))
    difference = 0.0 if name == "equal systems" else b - a
    columns = {"accuracy_a": a, "accuracy_b": b, "truth": difference}
    return pd.DataFrame({"factor": FACTORS, **columns})


def draw(name: str, number: int, splits: int) -> pd.DataFrame:
    """Draw a test, and give the intervals of the difference and of both accuracies."""
    rng = np.random.default_rng(derive_seed("pairs", name, number))
    fits = [study.fitted(each.stored(), splits, number, Auto()) for each in tested(name, K1, rng)]
    found = compare_fits(*fits, FACTORS * K1).rename(columns={"difference": "predicted"})
    each = [fit.find_interval(FACTORS * K1) for fit in fits]
    separate = np.hypot(*(one.upper - one.lower for one in each))
    table = found[["predicted", "lower", "upper"]].assign(factor=FACTORS)
    return table.assign(
        width_ratio=(found["upper"] - found["lower"]) / separate,
        called_different=(found["lower"] > 0) | (found["upper"] < 0),
    )


def main() -> None:
    """Draw what is not there yet, and print the table."""
    options = study.options(__doc__, draws=30, splits=30)
    truths = study.drawn(DRAWS / "truth.csv", ["law"], [(name,) for name in LAWS], truth)
    tasks = [(name, n, options.splits) for n in range(options.draws) for name in LAWS]
    draws = study.drawn(DRAWS / "draws.csv", ["law", "draw", "splits"], tasks, draw)
    more = ["accuracy_a", "accuracy_b", "width_ratio", "called_different"]
    known = ["law", "factor"]
    table = study.summary(draws.merge(truths, on=known), known, more)
    table = table.assign(width=100 * table["width"]).rename(columns={"held": "covered"})
    shown = ["draws", "accuracy_a", "accuracy_b", "covered", "width", "width_ratio"]
    study.show(table[[*shown, "called_different"]], __file__, options)


if __name__ == "__main__":
    main()
