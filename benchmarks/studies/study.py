"""What the studies share: options, a loop over draws, true accuracies, predictions, and tables."""

import argparse
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.progress import track

from accuracy_curves import Auto, ClassIntervals, Ranks
from accuracy_curves.exceptions import AccuracyWarning
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.intervals.half_fits import fit_halves
from accuracy_curves.observed.measures import Measure
from accuracy_curves.scores.rivals import count_outscored
from accuracy_curves.scores.sample import Sample

Rng = np.random.Generator
# The scores of points, by their classes; higher is better.
Scores = Callable[[np.ndarray, Rng], np.ndarray]


def options(about: str, **defaults: Any) -> argparse.Namespace:
    """Read the command line: `--table` writes the study's table, a type is a place of its own."""
    parser = argparse.ArgumentParser(description=about.split("\n", 1)[0])
    parser.add_argument("--table", action="store_true", help="write the table of the study")
    for name, default in defaults.items():
        if isinstance(default, type):
            parser.add_argument(name, type=default)
        else:
            several = {"nargs": "+"} if isinstance(default, list) else {"type": type(default)}
            parser.add_argument(f"--{name}", default=default, **several)
    warnings.simplefilter("ignore", AccuracyWarning)
    return parser.parse_args()


def drawn(
    path: Path, keys: list[str], tasks: Iterable[tuple[Any, ...]], make: Callable[..., pd.DataFrame]
) -> pd.DataFrame:
    """Append the rows of each task to a file once it is done, by its `keys`; all that are there."""

    def read() -> pd.DataFrame:
        return pd.read_csv(path) if path.exists() else pd.DataFrame(columns=keys)

    def keys_of(table: pd.DataFrame) -> pd.Series:
        return table[keys].fillna("").astype(str).agg("\n".join, axis=1)

    done, wanted = set(keys_of(read())), {"\n".join(map(str, task)): task for task in tasks}
    path.parent.mkdir(parents=True, exist_ok=True)
    left = [task for name, task in wanted.items() if name not in done]
    for task in track(left, path.parent.name, console=Console(stderr=True)):
        rows = make(*task).assign(**dict(zip(keys, task, strict=True)))
        if len(rows):
            columns = [*read()] if path.exists() else [*keys, *rows.drop(columns=keys)]
            rows[columns].to_csv(path, mode="a", header=not path.exists(), index=False)
    found = read()
    return found[keys_of(found).isin([*wanted])]


def ranks_among(
    scores: Scores, labels: np.ndarray, n_classes: int, rng: Rng, block: int = 500
) -> Ranks:
    """Rank points of these labels among all classes, a block of points at a time."""
    blocks = np.split(labels, range(block, len(labels), block))
    parts = [count_outscored(scores(here, rng), here) for here in blocks]
    outscored, tied = np.concatenate(parts, axis=1)
    return Ranks(outscored, tied, labels, n_classes)


def fitted(
    sample: Sample, splits: int, seed: int = 0, method: Extrapolator | None = None
) -> ClassIntervals:
    """Fit `auto`, or another method, to a sample and to halves of it."""
    return ClassIntervals.of(*fit_halves(sample, [method or Auto(seed=seed)], [splits], seed))


def predicted(
    intervals: ClassIntervals, sizes: np.ndarray, measures: Sequence[int | str] = (1,), **more: Any
) -> pd.DataFrame:
    """Predict each measure at numbers of classes: predicted, and the ends of a 90 % interval."""
    rows = []
    for measure in measures:
        top, name = (1, measure) if isinstance(measure, str) else (measure, None)
        found = intervals.find_interval(sizes, Measure.of(top, name))
        ends = {"predicted": found.accuracy, "lower": found.lower, "upper": found.upper}
        rows.append(pd.DataFrame({"measure": measure, **more, **ends}))
    return pd.concat(rows)


def summary(draws: pd.DataFrame, by: Sequence[str], more: Sequence[str] = ()) -> pd.DataFrame:
    """Mean and root mean square error, share of intervals that hold the truth, mean width."""
    error = draws["predicted"] - draws["truth"]
    held = draws["truth"].between(draws["lower"], draws["upper"])
    width = draws["upper"] - draws["lower"]
    of = draws.assign(error=error, rmse=error**2, held=held, width=width).groupby([*by], sort=False)
    table = of[[*more, "error", "rmse", "held", "width"]].mean()
    return table.assign(rmse=np.sqrt(table["rmse"]), draws=of.size())


def side_by_side(
    draws: pd.DataFrame, by: str, how: str, columns: Sequence[str], more: Sequence[str] = ()
) -> pd.DataFrame:
    """Set columns of two ways to predict beside each other; errors are in points."""
    table = summary(draws, [by, how], more)
    wide = pd.DataFrame(table.assign(rmse=100 * table["rmse"])[[*columns]].unstack(how))
    wide.columns = wide.columns.map("_".join)
    return wide.reindex(draws[by].unique())


def show(table: pd.DataFrame, study: str, asked: argparse.Namespace) -> None:
    """Print a table, and write it beside its study if the option says so."""
    print(table.round(3).to_string())
    if asked.table:
        path = Path(study).with_suffix(".csv")
        table.reset_index().to_csv(path, index=False, float_format="%.4g", lineterminator="\n")
