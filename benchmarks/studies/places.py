"""How far intervals hold beyond the first place: `python benchmarks/studies/places.py --table`.

On the laws of `laws.py`, tests of 200 classes with two probes each predict the accuracy in the
first 1, 5 and 10 places at 2, 10, 50 and 100 k1, with 90 % intervals. A point is lost where t drawn
classes beat its own, so that t = 10 at 100 k1 asks for a tail as far as t = 1 at 10 k1. The truth
is measured by 2,000 probes among 20,000 classes.

Every draw is written to results/places once it is done, and is not computed again. The table has,
for each t and multiple of k1, the share of intervals of all laws that hold the truth, that of the
worst law, and the mean width in points.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track

from accuracy_curves import Auto, ClassIntervals, Ranks, ScoreMatrix, average_accuracy
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.scores.rivals import count_outscored
from accuracy_curves.utils.seeds import derive_seed
from laws import LAWS, UNEVEN

K1, FACTORS, TOPS = 200, np.array([2, 10, 50, 100]), (1, 5, 10)
ALL, PROBES, BLOCK = 20_000, 2_000, 500
FOLDER, TABLE = Path("results/places"), Path(__file__).with_suffix(".csv")


def truth(name: str) -> pd.DataFrame:
    """Accuracy in the first places, from all classes."""
    rng = np.random.default_rng(derive_seed("places", name, "truth"))
    scores, labels = LAWS[name](ALL, rng), rng.permutation(ALL)[:PROBES]
    parts = []
    for here in np.split(labels, PROBES // BLOCK):
        parts.append(count_outscored(scores(here, rng), here))
    outscored, tied = np.concatenate(parts, axis=1)
    ranks = Ranks(outscored, tied, labels, ALL)
    found = [average_accuracy(ranks, FACTORS * K1, top=top) for top in TOPS]
    return pd.DataFrame(
        {"top": np.repeat(TOPS, len(FACTORS)), "factor": np.tile(FACTORS, len(TOPS))}
    ).assign(truth=np.concatenate(found))


def draw(name: str, number: int, splits: int) -> pd.DataFrame:
    """Draw a test, and predict."""
    rng = np.random.default_rng(derive_seed("places", name, number))
    labels = np.repeat(np.arange(K1), rng.choice(UNEVEN.get(name, (2,)), K1))
    sample = ScoreMatrix(LAWS[name](K1, rng)(labels, rng), labels)
    rows = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AccuracyWarning)
        intervals = ClassIntervals.of(*fit_halves(sample, [Auto()], [splits], number))
        for top in TOPS:
            found = intervals.find_interval(FACTORS * K1, top)
            ends = {"lower": found.lower, "upper": found.upper}
            rows.append(pd.DataFrame({"top": top, "factor": FACTORS, **ends}))
    return pd.concat(rows)


def main() -> None:
    """Draw what is not there yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=10, help="how many of each law")
    parser.add_argument("--splits", type=int, default=10, help="splits into halves")
    parser.add_argument("--table", action="store_true", help="write places.csv")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    parts = []
    for place, name in enumerate(track(LAWS, "laws", console=Console(stderr=True))):
        path = FOLDER / f"{place}_truth.csv"
        if not path.exists():
            truth(name).to_csv(path, index=False)
        known = pd.read_csv(path)
        for number in range(options.draws):
            path = FOLDER / f"{place}_{number}_{options.splits}.csv"
            if not path.exists():
                draw(name, number, options.splits).to_csv(path, index=False)
            parts.append(pd.read_csv(path).merge(known).assign(law=name))
    draws = pd.concat(parts)
    # The truth is known to half a probe: a share of 1 is one near 1.
    known = draws["truth"].clip(0.5 / PROBES, 1 - 0.5 / PROBES)
    draws["held"] = (draws["lower"] <= known) & (known <= draws["upper"])
    draws["width"] = 100 * (draws["upper"] - draws["lower"])
    of_law = draws.groupby(["top", "factor", "law"])["held"].mean().groupby(["top", "factor"])
    table = draws.groupby(["top", "factor"])[["held", "width"]].mean()
    table = table.assign(worst=of_law.min(), draws=draws.groupby(["top", "factor"]).size())
    print(table.round(3).to_string())
    if options.table:
        table.reset_index().to_csv(TABLE, index=False, float_format="%.4g", lineterminator="\n")


if __name__ == "__main__":
    main()
