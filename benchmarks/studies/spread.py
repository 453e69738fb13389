"""What moves CleaneX's curve besides the draw of classes: `python benchmarks/studies/spread.py`.

A repetition of settings of the preset `paper` is fitted once more with a change: from another
start of the network ("start"); with its points in the reverse order, which changes only how sums
are rounded ("rounding"); with the whole input instead of its rank of 64 ("input"). The curve is
compared with the published one: `moved` is the root mean square over k of their difference. Half
of the mean squared difference of two errors is the variance that comes from the change. The table
has its root, and its share of the variance over the published repetitions.

A row of the CSV file is a curve, which takes minutes; those that are there are not fitted again.
Repetition 48 has another start only: `--repetitions 48 --changes start`.
"""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import study
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets import make_dataset
from experiments.evaluation.curve_errors import repetition_errors
from experiments.evaluation.result_files import read_curves
from experiments.evaluation.subsampling import Draws, predict, true_curve
from experiments.published import Published, method_of

METHOD, K1 = "cleanex", 500
CHANGES = ("start", "rounding", "input")
MEASURES = ("rmse_curve", "error_at_k2")
KEY = ["experiment", "repetition", "change"]
TABLE = Path(__file__).with_suffix(".csv")


class OtherStart(Draws):
    """The repetitions' own classes, and other weights to start from."""

    def seed(self, repetition: int, purpose: str) -> int:
        """Derive a seed; that of the fit is another one."""
        return super().seed(repetition, "another fit" if purpose == "fit" else purpose)


def fit(published: Published, experiment: str, repetition: int, change: str) -> pd.DataFrame:
    """Fit a repetition with a change: how far its curve moved, and its errors."""
    config = published.config
    each, parts = config["experiments"][experiment], (config["seed"], experiment)
    dataset: Any = make_dataset(data_dir=".", **each["dataset"])
    matrix = dataset.score_matrix(derive_seed(*parts, "data set"))
    if change == "rounding":
        backwards = matrix.scores[::-1], matrix.labels[::-1]
        matrix = ScoreMatrix(*backwards, matrix.higher_is_better)
    draws = (OtherStart if change == "start" else Draws)(matrix, K1, [repetition], parts)
    name, options = method_of(config["methods"], METHOD)
    if change == "input":
        options["input_rank"] = None
    curve, _ = predict(draws, each["k2"], name, options)
    known = read_curves(published.files(f"predicted/{experiment}/k1_{K1}/{METHOD}/*.parquet"))
    before = known.loc[known["repetition"] == repetition, "accuracy"].to_numpy()
    moved = np.sqrt(np.mean((curve["accuracy"] - before) ** 2))
    truth = true_curve(matrix, each["k2"], derive_seed(*parts, "ties"))
    truth = truth.assign(experiment=experiment)
    found = curve.assign(experiment=experiment, k1=K1, method=METHOD)
    errors = repetition_errors(found, truth)[[*MEASURES]].iloc[[0]]
    return errors.assign(moved=moved)[["moved", *MEASURES]].round(9)


def summary(changed: pd.DataFrame, errors: pd.DataFrame) -> pd.DataFrame:
    """How far curves move, and the share of the variance over repetitions."""
    both = changed.merge(errors, on=["experiment", "repetition"], suffixes=("", "_before"))
    spread = errors[errors["experiment"].isin(both["experiment"])].groupby("experiment")
    of = both.groupby("change", sort=False)
    table = of["moved"].agg(["size", "median", "max"])
    for name in MEASURES:
        variance = of.apply(
            lambda rows, name=name: np.mean((rows[name] - rows[f"{name}_before"]) ** 2) / 2
        )
        table[name] = np.sqrt(variance)
        table[f"{name}, share"] = variance / spread[name].var().mean()
    return table


def main() -> None:
    """Fit what is missing, and print the table."""
    published = Published("paper")
    names = published.config["figures"]["curves"]["figure5"]["experiments"]
    asked = study.options(
        __doc__, repetitions=["49"], experiments=names, changes=[*CHANGES], out=TABLE
    )
    repetitions = map(int, asked.repetitions)
    tasks = [(e, r, c) for r in repetitions for e in asked.experiments for c in asked.changes]
    study.drawn(asked.out, KEY, tasks, partial(fit, published))
    errors = pd.read_csv(published.folder / "errors.csv")
    errors = errors[(errors["k1"] == K1) & (errors["method"] == METHOD)]
    print(summary(pd.read_csv(asked.out), errors).round(4).to_string())


if __name__ == "__main__":
    main()
