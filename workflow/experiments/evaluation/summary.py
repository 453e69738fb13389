"""Errors summarised over repetitions, and compared with those of a reference method; seconds."""

from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import CURVE, SETTING, SPREAD


def summarise(errors: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Summarise the errors over the repetitions of each experiment, k1 and method.

    `errors` is what `repetition_errors` returns. The columns are

    - ``repetitions``: how many;
    - ``rmse_curve_median``, ``_mean``, ``_q1``, ``_q3``: of `rmse_curve`, quartiles with linear
      interpolation;
    - ``rmse_at_k2``: root mean square over the repetitions of predicted - true at k2 (the RMSE of
      Zheng et al. 2018);
    - ``bias_at_k2`` and ``sd_at_k2``: mean and standard deviation of the same errors, the latter
      with divisor n, so that rmse_at_k2^2 = bias_at_k2^2 + sd_at_k2^2;
    - over the repetitions that the reference has as well (empty where its error is zero, and in
      settings in which it was not run), ``compared``: how many these are, and
      ``rmse_curve_mean_ratio``: the mean over the reference's.
    """
    groups = errors.groupby(SETTING)
    curve, last = groups["rmse_curve"], groups["error_at_k2"]
    squares = errors.assign(square=errors["error_at_k2"] ** 2).groupby(SETTING)["square"]
    summary = pd.DataFrame(
        {
            "repetitions": curve.size(),
            "rmse_curve_median": curve.median(),
            "rmse_curve_mean": curve.mean(),
            "rmse_curve_q1": curve.quantile(0.25),
            "rmse_curve_q3": curve.quantile(0.75),
            "rmse_at_k2": np.sqrt(squares.mean()),
            "bias_at_k2": last.mean(),
            "sd_at_k2": last.std(ddof=0),
        }
    )
    same = _beside_reference(errors, reference).groupby(SETTING)
    summary["compared"] = same.size().reindex(summary.index, fill_value=0)
    summary["rmse_curve_mean_ratio"] = _quotient(same["rmse_curve"].mean(), same["base"].mean())
    return summary.reset_index()


def add_spread(
    summary: pd.DataFrame, spread: pd.DataFrame, known: pd.DataFrame | None
) -> pd.DataFrame:
    """Add ``bias_curve`` and ``sd_curve`` of `spread_over_curve` to a summary.

    Where it does not have all curves of a row they come from `known`, an earlier run's summary of
    as many repetitions; empty where that lacks them too.
    """
    rows = spread if known is None else pd.concat([spread, known], ignore_index=True)
    rows = rows.reindex(columns=SPREAD).dropna().drop_duplicates(keys := SPREAD[:4])
    rows = rows.astype(summary.dtypes[keys])
    return summary.merge(rows, how="left", on=keys)


def ratios_to(errors: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Divide each other method's `rmse_curve` by the reference's in the same repetition.

    Returns columns experiment, k1, method, repetition, ratio, in the repetitions that the reference
    has as well; a ratio above 1 means that the reference predicted better (ICLR 2021, Figure 3 E).
    Where the reference's error is zero the ratio is NaN.
    """
    both = _beside_reference(errors, reference)
    both["ratio"] = _quotient(both["rmse_curve"], both["base"])
    return both.loc[both["method"] != reference, [*CURVE, "ratio"]].reset_index(drop=True)


def _beside_reference(errors: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Set the reference's `rmse_curve` beside that of the same draw, as ``base``, where it is."""
    draw = ["experiment", "k1", "repetition"]
    base = errors.loc[errors["method"] == reference, [*draw, "rmse_curve"]]
    if base.empty:
        raise InputError(
            f"there are no errors of the reference method {reference!r}, only of "
            f"{', '.join(sorted(errors['method'].unique())) or 'none'}"
        )
    return errors.merge(base.rename(columns={"rmse_curve": "base"}), on=draw)


def _quotient(value: "pd.Series[Any]", divisor: "pd.Series[Any]") -> "pd.Series[Any]":
    """Divide, NaN where the divisor is zero."""
    return value / divisor.where(divisor != 0)


def methods_table(
    errors: pd.DataFrame, seconds: pd.DataFrame | None, known: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Tabulate how long each method takes in each setting that has errors, a row each.

    Columns are ``repetitions`` and ``seconds``, the median processor time of a repetition (draw,
    fit and predict). It is the machine's and differs from run to run. `seconds` are those of
    `predict` with experiment, k1 and method, `known` a table of an earlier run, of settings and
    methods whose curves were not made here. Of others the time is empty.
    """
    took = [each for each in (seconds, known) if each is not None]
    medians = [each.groupby(SETTING)["seconds"].median() for each in took]
    table = errors.groupby(SETTING).agg(repetitions=("repetition", "size"))
    return table.assign(seconds=pd.concat(medians) if medians else np.nan).reset_index()
