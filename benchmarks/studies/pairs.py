"""Intervals of the difference of two systems: `python benchmarks/studies/pairs.py --table`.

A law says how two systems score the same people and photos. Each draw is a test of 200 people with
two photos each, and gives the 90 % interval of `compare` at 1, 2 and 10 k1. The true difference is
measured on 10,000 people. Every draw is written to results/pairs once it is done, and is not
computed again. `--table` writes pairs.csv, a row a law and multiple of k1: the share of intervals
that hold the true difference, their mean width in points over that of two separate intervals (the
root of the sum of their squares), and the share of draws in which the systems are called different.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track

from accuracy_curves import Auto, ClassIntervals, DistanceMatrix, average_accuracy
from accuracy_curves.intervals.comparison import compare_fits
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.utils.seeds import derive_seed

K1, PHOTOS, ALL, FACTORS = 200, 2, 10_000, np.array([1, 2, 10])
TABLE, DRAWS = Path(__file__).with_suffix(".csv"), Path("results/pairs/draws.csv")

Rng = np.random.Generator
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


def truth(name: str) -> np.ndarray:
    """Accuracies of both systems, (2, n)."""
    rng = np.random.default_rng(derive_seed("pairs", name, "truth"))
    return np.array([average_accuracy(each, FACTORS * K1) for each in tested(name, ALL, rng)])


def judged(name: str, number: int, splits: int) -> pd.DataFrame:
    """Draw a test, and give the intervals of the difference and of both accuracies."""
    rng = np.random.default_rng(derive_seed("pairs", name, number))
    a, b = (
        ClassIntervals.of(*fit_halves(each.stored(), [Auto()], [splits], number))
        for each in tested(name, K1, rng)
    )
    found = compare_fits(a, b, FACTORS * K1)
    each = [fit.find_interval(FACTORS * K1) for fit in (a, b)]
    separate = np.hypot(*(one.upper - one.lower for one in each))
    table = found[["difference", "lower", "upper"]]
    return table.assign(law=name, draw=number, splits=splits, factor=FACTORS, separate=separate)


def main() -> None:
    """Draw what is not there yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=30, help="how many of each law")
    parser.add_argument("--splits", type=int, default=30, help="splits into halves")
    parser.add_argument("--table", action="store_true", help="write pairs.csv")
    options = parser.parse_args()
    DRAWS.parent.mkdir(parents=True, exist_ok=True)
    wanted = [(number, name) for number in range(options.draws) for name in LAWS]
    for number, name in track(wanted, "draws", console=Console(stderr=True)):
        draws = pd.read_csv(DRAWS) if DRAWS.exists() else pd.DataFrame(columns=["law", "draw"])
        if not ((draws["law"] == name) & (draws["draw"] == number)).any():
            row = judged(name, number, options.splits)
            row.to_csv(DRAWS, mode="a", header=not DRAWS.exists(), index=False)
    draws, rows = pd.read_csv(DRAWS), []
    for name in LAWS:
        for factor, (a, b) in zip(FACTORS, truth(name).T, strict=True):
            of = draws[(draws["law"] == name) & (draws["factor"] == factor)]
            true = 0.0 if name == "equal systems" else b - a
            rows.append({
                "law": name,
                "factor": factor,
                "draws": len(of),
                "accuracy_a": a,
                "accuracy_b": b,
                "covered": ((of["lower"] <= true) & (true <= of["upper"])).mean(),
                "width": 100 * (of["upper"] - of["lower"]).mean(),
                "width_ratio": ((of["upper"] - of["lower"]) / of["separate"]).mean(),
                "called_different": ((of["lower"] > 0) | (of["upper"] < 0)).mean(),
            })  # fmt: skip
    table = pd.DataFrame(rows)
    print(table.round(3).to_string())
    print(table.groupby("factor")[["covered", "width_ratio"]].mean().round(3).to_string())
    if options.table:
        table.to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    main()
