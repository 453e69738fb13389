"""All methods in all settings: errors, seconds and coverage."""

import re
from pathlib import Path

import pandas as pd

from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.interval_coverage import coverage
from experiments.evaluation.summary import summarise

ERRORS = ["repetitions", "rmse_curve_median", "bias_at_k2", "sd_at_k2", "compared", "ratio_median"]
LEVEL = 0.9
# What `evaluation.subsampling.predict` logs of each repetition: draw, fit and predict.
REPETITION = re.compile(r"repetition \d+: \d+ points, ([0-9.]+) s$", re.MULTILINE)


def methods_table(
    errors: pd.DataFrame,
    intervals: pd.DataFrame | None,
    logs: Path,
    reference: str,
    known: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Join what a run found of each method in each setting, a row each.

    From `repetition_errors`, `interval_draws` with experiment, k1 and method beside, and the logs
    of the jobs that extrapolated. Columns, of the summary: ``repetitions``, ``rmse_curve_median``,
    ``bias_at_k2``, ``sd_at_k2``, ``compared`` and ``ratio_median``; then
    ``seconds``, the median wall time of a repetition (draw, fit and predict), which is the
    machine's and differs from run to run, and is empty where the curves were not made here; and
    where intervals were judged, ``covered_M`` and ``width_M`` of the 90 % intervals at M times k1.
    Seconds and intervals of settings and methods that `known` has, a table of an earlier run, are
    taken from it.
    """
    summary = summarise(errors, reference)
    table = summary[SETTING + ERRORS]
    seconds = [_seconds(logs, *row) for row in table[SETTING].itertuples(index=False)]
    table = table.assign(seconds=seconds)
    if intervals is not None:
        rows = coverage(intervals)
        wide = rows[rows["level"] == LEVEL].pivot(
            index=SETTING, columns="multiple", values=["covered", "width"]
        )
        wide.columns = pd.Index(["_".join(map(str, column)) for column in wide.columns.to_list()])
        table = table.merge(wide.reset_index(), on=SETTING, how="left")
    if known is None:
        return table
    own = [n for n in known.columns.astype(str) if n.startswith(("seconds", "covered_", "width_"))]
    table = table.reindex(columns=list(dict.fromkeys([*table, *own]))).set_index(SETTING)
    table.update(known.set_index(SETTING)[own])
    return table.reset_index()


def _seconds(logs: Path, experiment: str, k1: int, method: str) -> float:
    """Median seconds of a repetition; not a number where no log says it."""
    folder = logs / experiment / f"k1_{k1}" / method
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.log"))]
    found = [float(each) for text in texts for each in REPETITION.findall(text)]
    return float(pd.Series(found, dtype=float).median())
