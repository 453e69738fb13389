"""All methods in all settings: errors, seconds and coverage."""

import numpy as np
import pandas as pd

from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.interval_coverage import coverage
from experiments.evaluation.summary import summarise

ERRORS = ["repetitions", "rmse_curve_median", "bias_at_k2", "sd_at_k2", "compared", "ratio_median"]
LEVEL = 0.9


def methods_table(
    errors: pd.DataFrame,
    intervals: pd.DataFrame | None,
    seconds: pd.DataFrame | None,
    reference: str,
    known: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Join what a run found of each method in each setting, a row each.

    From `repetition_errors`, and from `interval_draws` and the seconds of `predict`, each with
    experiment, k1 and method. Columns, of the summary: ``repetitions``, ``rmse_curve_median``,
    ``bias_at_k2``, ``sd_at_k2``, ``compared`` and ``ratio_median``; then
    ``seconds``, the median processor time of a repetition (draw, fit and predict), which is the
    machine's and differs from run to run, and is empty where the curves were not made here; and
    where intervals were judged, ``covered_M`` and ``width_M`` of the 90 % intervals at M times k1.
    Seconds and intervals of settings and methods that `known` has, a table of an earlier run, are
    taken from it.
    """
    summary = summarise(errors, reference)
    table = summary[SETTING + ERRORS].assign(seconds=np.nan)
    if seconds is not None:
        median = seconds.groupby(SETTING)["seconds"].median()
        table["seconds"] = median.reindex(pd.MultiIndex.from_frame(table[SETTING])).to_numpy()
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
