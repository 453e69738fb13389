"""How far each method's intervals hold: `python benchmarks/studies/reach.py`.

On the populations of `populations.py`, whose expected accuracy is known, 90 % intervals at 1, 2, 4
and 10 k1 classes either hold it or not. A method's `reach` may be the largest of these factors up
to which the coverage, pooled over the populations, is at most 5 points below nominal; 0 where not
even that at k1 is. Printed with it are the coverage of the worst population, and how often the
interval came with a warning that the method's curve misses what was observed ("misfit").

Each method and population is written to a CSV file once it is done; what stands there already is
not computed again.
"""

import argparse
import csv
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table

from accuracy_curves.exceptions import AccuracyWarning, FitError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.intervals.class_intervals import ClassIntervals
from accuracy_curves.intervals.half_fits import fit_halves
from populations import POPULATIONS, Population

FACTORS = (1, 2, 4, 10)
LEVEL, TOLERANCE = 0.9, 0.05
COLUMNS = ("method", "population", "draws", *(f"{factor} k1" for factor in FACTORS), "misfit")
TABLE = Path(__file__).with_suffix(".csv")
# Without R, and as many splits as there is time for.
SPLITS = 15


def coverage(population: Population, method: str, k1: int, r: int, draws: int) -> list[float]:
    """How many draws were fitted, the share of their intervals that hold, and of misfits."""
    k = k1 * np.array(FACTORS)
    truth, inside, misfits = population.accuracy(k), [], []
    for seed in range(draws):
        sample = next(iter(population.samples(k1, r, seed).values()))
        model = make_extrapolator(method, seed=seed)
        try:
            (halves,) = fit_halves(sample, [model], [min(SPLITS, model.splits)], seed)
            fitted = ClassIntervals.of(halves)
        except FitError:
            continue
        found = fitted.interval(k, level=LEVEL)
        inside.append((found.lower <= truth) & (truth <= found.upper))
        misfits.append(bool(fitted.cautions()))
    if not inside:
        return [0, *[np.nan] * (len(FACTORS) + 1)]
    return [len(inside), *np.mean(inside, axis=0).round(4), round(float(np.mean(misfits)), 4)]


def reaches(table: pd.DataFrame) -> dict[str, int]:
    """Find the reach that each method's coverage, pooled over the populations, allows."""
    found = {}
    for method, rows in table.groupby("method", sort=False):
        of = rows[rows["draws"] > 0]
        pooled = [np.average(of[f"{each} k1"], weights=of["draws"]) for each in FACTORS]
        holds = np.cumprod([each >= LEVEL - TOLERANCE - 1e-9 for each in pooled]).astype(bool)
        found[str(method)] = int(max(np.array(FACTORS)[holds], default=0))
    return found


def as_table(table: pd.DataFrame) -> Table:
    """Pooled and worst coverage of each method."""
    shown = Table(title="coverage of 90 % intervals, %: pooled / worst population")
    heads = ("method", *(f"{each} k1" for each in FACTORS), "misfit", "reach", "declared")
    for column in heads:
        shown.add_column(column, justify="left" if column == "method" else "right")
    found = reaches(table)
    for method, rows in table.groupby("method", sort=False):
        of = rows[rows["draws"] > 0]
        shares = of[[*(f"{each} k1" for each in FACTORS), "misfit"]].to_numpy(np.float64)
        pooled = 100 * np.average(shares, axis=0, weights=of["draws"])
        worst = 100 * shares[:, :-1].min(axis=0)
        cells = [f"{each:.0f} / {low:.0f}" for each, low in zip(pooled, worst, strict=False)]
        declared = EXTRAPOLATORS[str(method)].reach
        shown.add_row(
            str(method), *cells, f"{pooled[-1]:.0f}", str(found[str(method)]), str(declared)
        )
    return shown


def main() -> None:
    """Compute what is missing, and print the table."""
    quick = [name for name, method in EXTRAPOLATORS.items() if not method.slow]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=60, help="k1")
    parser.add_argument("--points", type=int, default=4, help="points a class")
    parser.add_argument("--draws", type=int, default=20, help="tests drawn a population")
    parser.add_argument("--methods", nargs="+", default=quick, choices=sorted(EXTRAPOLATORS))
    parser.add_argument("--out", type=Path, default=TABLE, help="the CSV file")
    options = parser.parse_args()
    warnings.simplefilter("ignore", AccuracyWarning)
    if not options.out.exists():
        options.out.write_text(",".join(COLUMNS) + "\n")
    done = pd.read_csv(options.out)
    done = set(zip(done["method"], done["population"], strict=True))
    given = options.classes, options.points, options.draws
    for method in options.methods:
        for population in POPULATIONS:
            if (method, population.name) not in done:
                row = [method, population.name, *coverage(population, method, *given)]
                with options.out.open("a", newline="") as file:
                    csv.writer(file, lineterminator="\n").writerow(row)
    Console(width=140).print(as_table(pd.read_csv(options.out)))


if __name__ == "__main__":
    main()
