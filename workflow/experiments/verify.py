"""Recomputed errors against the published ones: `python -m experiments.verify RUN [--record]`."""

import json
import sys
from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from experiments.datasets import DATASETS
from experiments.datasets.trained import TrainedDataset
from experiments.evaluation.curve_errors import CURVE
from experiments.provenance import commit, host
from experiments.published import RECORD, Published, method_of
from experiments.stored import table_provenance

MEASURES = ["rmse_curve", "error_at_k2"]
# Largest difference of an error, in accuracy, that another type of CPU explains: where nothing is
# trained, two scores that change their order; where something is, its last digits amplified. With
# a 2008 CPU's instructions emulated, the largest were below 1e-8 and 0.006.
TOLERANCE = 1e-4
TOLERANCE_TRAINED = 0.02


def compare(
    found: pd.DataFrame, published: pd.DataFrame, config: Mapping[str, Any]
) -> pd.DataFrame:
    """Compare errors of the same repetitions, method by method.

    Both have columns experiment, k1, method, repetition, rmse_curve, error_at_k2, a row a curve;
    those that one of them lacks are left out. The preset says what was trained. Returns a row a
    method and tolerance: method, curves, identical (how many curves have the same digits),
    difference (the largest absolute one, in accuracy).
    """
    both = found.merge(published, on=CURVE, suffixes=("", "_published"))
    apart = both[MEASURES] - both[[f"{name}_published" for name in MEASURES]].to_numpy()
    # A number that is missing is as far away as can be.
    both["difference"] = apart.abs().fillna(np.inf).max(axis=1)
    both["tolerance"] = [
        TOLERANCE_TRAINED if _trained(experiment, method, config) else TOLERANCE
        for experiment, method in zip(both["experiment"], both["method"], strict=True)
    ]
    both["identical"] = both["difference"] == 0
    return both.groupby(["method", "tolerance"], as_index=False).agg(
        curves=("difference", "size"),
        identical=("identical", "sum"),
        difference=("difference", "max"),
    )


def _trained(experiment: str, method: str, config: Mapping[str, Any]) -> bool:
    """Whether the method, or the data set's classifier, is trained step by step."""
    dataset = DATASETS[config["experiments"][experiment]["dataset"]["kind"]]
    name, given = method_of(config["methods"], method)
    # An option that the class had once, and has no longer, trains nothing.
    known = signature(EXTRAPOLATORS[name]).parameters
    options = {option: value for option, value in given.items() if option in known}
    stepwise = make_extrapolator(name, **options).stepwise
    return stepwise or issubclass(dataset, TrainedDataset)


def _rounds(machine: dict[str, str]) -> str:
    """Say what decides how a machine rounds."""
    return "; ".join(machine[key] for key in ("cpu", "vector_instructions", "blas"))


def main(run: Path, record: bool = False) -> None:
    """Compare the errors in RUN (a folder results/PRESET) with those that are published.

    The published record keeps the differences, where that is wanted.
    """
    try:
        published = Published(run.resolve().name)
        errors = pd.read_csv(published.folder / "errors.csv")
        found = pd.read_csv(run / "errors.csv")
        table = compare(found, errors, published.config)
    except (OSError, AccuracyCurvesError) as error:
        raise SystemExit(f"Error: {error}") from None
    before = published.record
    print(f"published:  {before['drawn_by']['commit']} on {_rounds(before['host'])}")
    print(f"recomputed: {commit()['commit']} on {_rounds(host())}\n")
    print(table.to_string(index=False, float_format="{:.3g}".format))
    if new := len(found) - table["curves"].sum():
        print(f"\nnot published, and not compared: {new} curves")
    beyond = table[table["difference"] > table["tolerance"]]
    if len(beyond):
        raise SystemExit(
            f"Error: beyond the tolerance: {', '.join(dict.fromkeys(beyond['method']))}"
        )
    print(f"\n{table['curves'].sum()} curves, all within the tolerances")
    if record:
        stamps = {table_provenance(path) for path in run.glob("predicted/**/*.parquet")}
        made = {json.loads(stamp)["commit"] for stamp in stamps}
        differing = table[table["difference"] > 0].drop(columns="tolerance").to_dict("records")
        before["verified"] = {"commits": sorted(made), "host": host(), "differing": differing}
        text = json.dumps(before, indent=2) + "\n"
        (published.folder / RECORD).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--record" in sys.argv)
