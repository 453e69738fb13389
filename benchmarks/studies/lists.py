"""Candidate lists against the whole matrix: `python benchmarks/studies/lists.py --draws 24`.

On laws of `laws.py`, of which 40,000 classes tell the accuracy. Each draw is a matrix of 800
classes with two probes each, and the lists of 20, 100 and 400 that are cut from it. `auto` predicts
from each the accuracy at 2, 10 and 50 times the classes, with 90 % intervals.

Every draw is written to results/lists once it is done, and is not computed again. The table
(`--table` writes benchmarks/studies/lists.csv) has a row a law, length (0 is the matrix) and
multiple: the share of intervals that hold the accuracy, the root mean square difference from what
the matrix predicts, and the mean width of the intervals over that of the matrix's.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track

from accuracy_curves import ClassIntervals, Ranks, ScoreMatrix, average_accuracy
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.scores.rivals import count_outscored
from accuracy_curves.utils.seeds import derive_seed
from laws import LAWS

CHOSEN = [
    *("Gaussian, d = 20", "cosines, probes of different quality", "hubs"),
    *("goats: 5 % of the classes noisier", "cosines in whole numbers"),
    "heavy tails of the classes",
]
K1, POINTS, ALL, BLOCK = 800, 2, 40_000, 250
FACTORS, LENGTHS, LEVEL = np.array([2, 10, 50]), (20, 100, 400), 0.9
TABLE = Path(__file__).with_suffix(".csv")
DRAWS = Path("results/lists")


def truth(name: str) -> np.ndarray:
    """Accuracy at the multiples, from a point of each of all classes."""
    rng = np.random.default_rng(derive_seed("lists", name, "truth"))
    scores, labels = LAWS[name](ALL, rng), np.arange(ALL)
    parts = []
    for start in range(0, ALL, BLOCK):
        here = labels[start : start + BLOCK]
        parts.append(count_outscored(scores(here, rng), here))
    outscored, tied = np.concatenate(parts, axis=1)
    return average_accuracy(Ranks(outscored, tied, labels, ALL), FACTORS * K1)


def draw(name: str, number: int, splits: int) -> pd.DataFrame:
    """Predict from a matrix, whose length is 0, and from its lists."""
    rng = np.random.default_rng(derive_seed("lists", name, number))
    labels = np.repeat(np.arange(K1), POINTS)
    matrix = ScoreMatrix(LAWS[name](K1, rng)(labels, rng), labels)
    rows = []
    for length in (0, *LENGTHS):
        sample = matrix.candidates(length) if length else matrix
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", AccuracyWarning)
            found = ClassIntervals(sample, splits=splits, seed=number).interval(
                FACTORS * K1, level=LEVEL
            )
        columns = {"factor": FACTORS, "accuracy": found.accuracy}
        ends = {"lower": found.lower, "upper": found.upper}
        rows.append(pd.DataFrame({"length": length, **columns, **ends}))
    return pd.concat(rows).assign(law=name, draw=number)


def summary(draws: pd.DataFrame, truths: pd.DataFrame) -> pd.DataFrame:
    """A row a law, length and factor."""
    both = draws.merge(truths, on=["law", "factor"])
    whole = draws[draws["length"] == 0].drop(columns="length")
    both = both.merge(whole, on=["law", "draw", "factor"], suffixes=("", "_of_matrix"))
    both["covered"] = both["truth"].between(both["lower"], both["upper"])
    both["squared"] = np.square(both["accuracy"] - both["accuracy_of_matrix"])
    both["width"] = both["upper"] - both["lower"]
    both["width_of_matrix"] = both["upper_of_matrix"] - both["lower_of_matrix"]
    of = both.groupby(["law", "length", "factor"], sort=False)
    table = of[["covered", "truth"]].mean()
    table["draws"] = of.size()
    table["difference"] = np.sqrt(of["squared"].mean())
    table["width_ratio"] = of["width"].mean() / of["width_of_matrix"].mean()
    return table.reset_index()


def main() -> None:
    """Draw what is not there yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=4, help="how many of each law")
    parser.add_argument("--splits", type=int, default=15, help="splits into halves")
    parser.add_argument("--table", action="store_true", help="write lists.csv")
    options = parser.parse_args()
    DRAWS.mkdir(parents=True, exist_ok=True)
    parts, truths = [], []
    jobs = [(number, name) for number in range(options.draws) for name in CHOSEN]
    for name in track(CHOSEN, "truths", console=Console(stderr=True)):
        path = DRAWS / f"{CHOSEN.index(name)}_truth.csv"
        if not path.exists():
            pd.DataFrame({"factor": FACTORS, "truth": truth(name)}).to_csv(path, index=False)
        truths.append(pd.read_csv(path).assign(law=name))
    for number, name in track(jobs, "draws", console=Console(stderr=True)):
        path = DRAWS / f"{CHOSEN.index(name)}_{number}_{options.splits}.csv"
        if not path.exists():
            draw(name, number, options.splits).to_csv(path, index=False)
        parts.append(pd.read_csv(path))
    table = summary(pd.concat(parts), pd.concat(truths))
    of = table.groupby(["length", "factor"])
    print(of[["covered", "difference", "width_ratio"]].mean().round(4).to_string())
    if options.table:
        table.to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    main()
