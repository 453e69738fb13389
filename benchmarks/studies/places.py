"""How far intervals hold beyond the first place: `python benchmarks/studies/places.py --table`.

On the laws of `laws.py`, tests of 200 classes with two probes each predict the accuracy in the
first 1, 5 and 10 places at 2, 10, 50 and 100 k1, with 90 % intervals. A point is lost where t drawn
classes beat its own, so that t = 10 at 100 k1 asks for a tail as far as t = 1 at 10 k1. The truth
is measured by 2,000 probes among 20,000 classes.

Every draw is written to results/places once it is done, and is not computed again. The table has,
for each t and multiple of k1, the share of intervals of all laws that hold the truth, that of the
worst law, and the mean width in points.
"""

from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves import Auto, ScoreMatrix, average_accuracy
from accuracy_curves.utils.seeds import derive_seed
from laws import LAWS, UNEVEN

K1, FACTORS, TOPS = 200, np.array([2, 10, 50, 100]), (1, 5, 10)
ALL, PROBES, DRAWS = 20_000, 2_000, Path("results/places")


def truth(name: str) -> pd.DataFrame:
    """Accuracy in the first places, from all classes."""
    rng = np.random.default_rng(derive_seed("places", name, "truth"))
    scores, labels = LAWS[name](ALL, rng), rng.permutation(ALL)[:PROBES]
    ranks = study.ranks_among(scores, labels, ALL, rng)
    found = [average_accuracy(ranks, FACTORS * K1, top=top) for top in TOPS]
    return pd.DataFrame(
        {"top": np.repeat(TOPS, len(FACTORS)), "factor": np.tile(FACTORS, len(TOPS))}
    ).assign(truth=np.concatenate(found))


def draw(name: str, number: int, splits: int) -> pd.DataFrame:
    """Draw a test, and predict."""
    rng = np.random.default_rng(derive_seed("places", name, number))
    labels = np.repeat(np.arange(K1), rng.choice(UNEVEN.get(name, (2,)), K1))
    sample = ScoreMatrix(LAWS[name](K1, rng)(labels, rng), labels)
    intervals = study.fitted(sample, splits, number, Auto())
    return study.predicted(intervals, FACTORS * K1, TOPS, factor=FACTORS)


def main() -> None:
    """Draw what is not there yet, and print the table."""
    options = study.options(__doc__, draws=10, splits=10)
    truths = study.drawn(DRAWS / "truth.csv", ["law"], [(name,) for name in LAWS], truth)
    tasks = [(name, n, options.splits) for name in LAWS for n in range(options.draws)]
    draws = study.drawn(DRAWS / "draws.csv", ["law", "draw", "splits"], tasks, draw)
    draws = draws.rename(columns={"measure": "top"}).merge(truths, on=["law", "top", "factor"])
    # The truth is known to half a probe: a share of 1 is one near 1.
    draws["truth"] = draws["truth"].clip(0.5 / PROBES, 1 - 0.5 / PROBES)
    of_law = study.summary(draws, ["top", "factor", "law"])["held"].groupby(["top", "factor"])
    table = study.summary(draws, ["top", "factor"])[["held", "width", "draws"]]
    table = table.assign(width=100 * table["width"], worst=of_law.min())
    study.show(table[["held", "width", "worst", "draws"]], __file__, options)


if __name__ == "__main__":
    main()
