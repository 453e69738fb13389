"""How far each method's intervals hold: `python benchmarks/studies/reach.py`.

On the populations of `populations.py`, whose expected accuracy is known, 90 % intervals at 1, 2, 4
and 10 k1 classes either hold it or not. A method's `reach` may be the largest of these factors up
to which the coverage, pooled over the populations, is at most 5 points below nominal; 0 where not
even that at k1 is. Printed with it is the coverage of the worst population.

Each method and population is written to reach.csv once it is done; what is there already is not
computed again.
"""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

import study
from accuracy_curves.exceptions import FitError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from populations import POPULATIONS

FACTORS = (1, 2, 4, 10)
LEVEL, TOLERANCE = 0.9, 0.05
TABLE = Path(__file__).with_suffix(".csv")
# Without R, and as many splits as there is time for.
SPLITS = 15


def coverage(method: str, name: str, k1: int, r: int, draws: int) -> pd.DataFrame:
    """How many draws were fitted, and the share of their intervals that hold."""
    population = next(each for each in POPULATIONS if each.name == name)
    k, rows = k1 * np.array(FACTORS), []
    truth, columns = population.accuracy(k), [f"{factor} k1" for factor in FACTORS]
    for seed in range(draws):
        sample = next(iter(population.samples(k1, r, seed).values()))
        model = make_extrapolator(method, seed=seed)
        try:
            fitted = study.fitted(sample, min(SPLITS, model.splits), seed, model)
        except FitError:
            continue
        found = fitted.interval(k, level=LEVEL)
        rows.append((found.lower <= truth) & (truth <= found.upper))
    shares = pd.DataFrame(rows, columns=columns, dtype=float).mean()
    return pd.DataFrame([{"draws": len(rows), **shares}]).round(4)


def reaches(table: pd.DataFrame) -> dict[str, int]:
    """Find the reach that each method's coverage, pooled over the populations, allows."""
    found = {}
    for method, rows in table.groupby("method", sort=False):
        of = rows[rows["draws"] > 0]
        pooled = [np.average(of[f"{each} k1"], weights=of["draws"]) for each in FACTORS]
        holds = np.cumprod([each >= LEVEL - TOLERANCE - 1e-9 for each in pooled]).astype(bool)
        found[str(method)] = int(max(np.array(FACTORS)[holds], default=0))
    return found


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Coverage of each method, pooled and of its worst population, and its reach."""
    of, columns = table[table["draws"] > 0], [f"{each} k1" for each in FACTORS]
    pooled = of[columns].mul(of["draws"], axis=0).groupby(of["method"]).sum()
    pooled = pooled.div(of.groupby("method")["draws"].sum(), axis=0)
    worst = of.groupby("method")[columns].min().add_suffix(", worst")
    declared = {name: each.reach for name, each in EXTRAPOLATORS.items()}
    return pooled.join(worst).assign(reach=pd.Series(reaches(table)), declared=pd.Series(declared))


def main() -> None:
    """Compute what is missing, and print the table."""
    quick = [name for name, method in EXTRAPOLATORS.items() if not method.slow]
    asked = study.options(__doc__, classes=60, points=4, draws=20, methods=quick, out=TABLE)
    tasks = [(method, population.name) for method in asked.methods for population in POPULATIONS]
    size = {"k1": asked.classes, "r": asked.points, "draws": asked.draws}
    study.drawn(asked.out, ["method", "population"], tasks, partial(coverage, **size))
    print(summary(pd.read_csv(asked.out)).round(2).to_string())


if __name__ == "__main__":
    main()
