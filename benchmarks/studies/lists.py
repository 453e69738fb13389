"""Candidate lists against the whole matrix: `python benchmarks/studies/lists.py --draws 24`.

On laws of `laws.py`, of which 40,000 classes give the accuracy. Each draw is a matrix of 800
classes with two probes each, and the lists of 20, 100 and 400 that are cut from it. `auto` predicts
from each the accuracy at 2, 10 and 50 times the classes, with 90 % intervals.

Every draw is written to results/lists once it is done, and is not computed again. The table
(`--table` writes benchmarks/studies/lists.csv) has a row a law, length (0 is the matrix) and
multiple: the share of intervals that hold the accuracy, the root mean square difference from what
the matrix predicts, and the mean width of the intervals over that of the matrix's.
"""

from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves import ScoreMatrix, average_accuracy
from accuracy_curves.utils.seeds import derive_seed
from laws import LAWS

CHOSEN = [
    *("Gaussian, d = 20", "cosines, probes of different quality", "hubs"),
    *("goats: 5 % of the classes noisier", "cosines in whole numbers"),
    "heavy tails of the classes",
]
K1, POINTS, ALL, BLOCK = 800, 2, 40_000, 250
FACTORS, LENGTHS = np.array([2, 10, 50]), (20, 100, 400)
DRAWS = Path("results/lists")


def truth(name: str) -> pd.DataFrame:
    """Accuracy at the multiples, from a point of each of all classes."""
    rng = np.random.default_rng(derive_seed("lists", name, "truth"))
    ranks = study.ranks_among(LAWS[name](ALL, rng), np.arange(ALL), ALL, rng, BLOCK)
    return pd.DataFrame({"factor": FACTORS, "truth": average_accuracy(ranks, FACTORS * K1)})


def draw(name: str, number: int, splits: int) -> pd.DataFrame:
    """Predict from a matrix, whose length is 0, and from its lists."""
    rng = np.random.default_rng(derive_seed("lists", name, number))
    labels = np.repeat(np.arange(K1), POINTS)
    matrix = ScoreMatrix(LAWS[name](K1, rng)(labels, rng), labels)
    samples = {length: matrix.candidates(length) if length else matrix for length in (0, *LENGTHS)}
    return pd.concat(
        study.predicted(
            study.fitted(sample, splits, number), FACTORS * K1, length=length, factor=FACTORS
        )
        for length, sample in samples.items()
    )


def summary(draws: pd.DataFrame) -> pd.DataFrame:
    """A row a law, length and factor."""
    whole = draws[draws["length"] == 0]
    both = draws.merge(whole, on=["law", "draw", "factor"], suffixes=("", "_of_matrix"))
    keys, widths = ["law", "length", "factor"], both["upper_of_matrix"] - both["lower_of_matrix"]
    both["squared"] = np.square(both["predicted"] - both["predicted_of_matrix"])
    found = study.summary(
        both.assign(width_of_matrix=widths), keys, ["truth", "squared", "width_of_matrix"]
    )
    found["difference"] = np.sqrt(found["squared"])
    found["width_ratio"] = found["width"] / found["width_of_matrix"]
    found = found.rename(columns={"held": "covered"})
    return found[["covered", "truth", "draws", "difference", "width_ratio"]]


def main() -> None:
    """Draw what is not there yet, and print the table."""
    options = study.options(__doc__, draws=4, splits=15)
    truths = study.drawn(DRAWS / "truth.csv", ["law"], [(name,) for name in CHOSEN], truth)
    tasks = [(name, n, options.splits) for n in range(options.draws) for name in CHOSEN]
    draws = study.drawn(DRAWS / "draws.csv", ["law", "draw", "splits"], tasks, draw)
    table = summary(draws.merge(truths, on=["law", "factor"]))
    study.show(table, __file__, options)


if __name__ == "__main__":
    main()
