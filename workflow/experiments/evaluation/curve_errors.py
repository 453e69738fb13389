"""Errors of predicted accuracy curves: a row a repetition."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.exceptions import InputError

SETTING = ["experiment", "k1", "method"]
CURVE = [*SETTING, "repetition"]


def repetition_errors(predicted: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """Compare every predicted curve with the true accuracy curve of its experiment.

    `rmse_curve` is the error of ICLR 2021, Section 5: the root of the mean, over all k = 2..k2, of
    the squared difference between predicted and true accuracy. The formula printed there takes the
    average accuracy of the k1 sampled classes for the truth, which does not exist beyond k1; the
    figures of the paper compare with that of all k2 classes, and so does this.

    `predicted` has the columns experiment, k1, repetition, method, k, accuracy, `true` experiment,
    k, accuracy, with every k = 2..k2 once; larger k of `predicted` have no truth and are left out.
    Returns a row a curve, sorted by experiment, k1, method and repetition, with

    - ``rmse_curve``: root mean square of predicted - true over k = 2..k2;
    - ``error_at_k2``: predicted - true at k = k2;
    - ``largest_rise``: the largest increase of the predicted accuracy from one k to the next, which
      no true curve has; 0 if it never increases;
    - ``n``: how many k that is, k2 - 1.
    """
    require_columns(predicted, [*CURVE, "k", "accuracy"], "predicted curves")
    require_columns(true, ["experiment", "k", "accuracy"], "true curves")
    _require_sound(predicted, "predicted")
    _require_sound(true, "true")
    truth = {str(name): _whole_curve(str(name), rows) for name, rows in true.groupby("experiment")}
    found = []
    for experiment, rows in predicted.groupby("experiment"):
        if str(experiment) not in truth:
            raise InputError(
                f"experiment {experiment!r} has predicted curves but no true curve: "
                f"there are true curves of {', '.join(truth) or 'none'}"
            )
        found.append(_errors_of_experiment(rows, truth[str(experiment)]))
    return pd.concat(found, ignore_index=True)


def require_columns(table: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    """Raise InputError unless a table, whose rows are `what`, has the columns it needs."""
    missing = [column for column in columns if column not in table.columns]
    if missing:
        raise InputError(
            f"the table of {what} has no column {', '.join(missing)}: it has "
            f"{', '.join(map(str, table.columns)) or 'none'}"
        )


def _errors_of_experiment(rows: pd.DataFrame, truth: npt.NDArray[np.float64]) -> pd.DataFrame:
    """Errors of one experiment's curves, whose true accuracies at k = 2..k2 are given."""
    k2 = len(truth) + 1
    # Sorted, so that the sums do not depend on the order of the rows.
    rows = rows.sort_values("k", kind="stable")
    twice = rows.duplicated([*CURVE, "k"])
    if twice.any():
        where = which_curve(rows[twice].iloc[0], "k")
        raise InputError(f"the predicted accuracy is given twice for {where}")
    k = rows["k"].to_numpy(np.int64)
    difference = rows["accuracy"].to_numpy(np.float64) - truth[np.minimum(k, k2) - 2]
    difference[k > k2] = np.nan  # left out by mean, last and count
    rows = rows.assign(difference=difference, square=difference**2)
    steps = rows["accuracy"].where(k <= k2).groupby([rows[name] for name in CURVE]).diff()
    result = (
        rows.assign(rise=steps.clip(lower=0))
        .groupby(CURVE)
        .agg(
            rmse_curve=("square", "mean"),
            error_at_k2=("difference", "last"),
            largest_rise=("rise", "max"),
            n=("square", "count"),
        )
        .reset_index()
    )
    result["rmse_curve"] = np.sqrt(result["rmse_curve"])
    short = result[result["n"] != k2 - 1]
    if len(short):
        raise InputError(
            f"{k2 - 1 - short['n'].iloc[0]} of the k = 2..{k2} are missing from the predicted "
            f"curve of {which_curve(short.iloc[0])}: every one is needed"
        )
    return result


def _whole_curve(experiment: str, rows: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return the true accuracies at k = 2..k2, having checked that each k is there once."""
    rows = rows.sort_values("k")
    if list(rows["k"]) != list(range(2, len(rows) + 2)):
        raise InputError(
            f"the true curve of experiment {experiment!r} must have every k from 2 to k2 once, "
            f"it has {len(rows)} values from {rows['k'].iloc[0]} to {rows['k'].iloc[-1]}"
        )
    return rows["accuracy"].to_numpy(np.float64)


def _require_sound(table: pd.DataFrame, what: str) -> None:
    """Refuse an empty table, a k that is no number of classes, a non-finite accuracy."""
    if table.empty:
        raise InputError(f"the table of {what} curves has no rows: there is nothing to evaluate")
    if not pd.api.types.is_integer_dtype(table["k"]) or (table["k"] < 2).any():
        raise InputError(f"the k of the {what} curves must be whole numbers from 2")
    wrong = ~np.isfinite(table["accuracy"].to_numpy(np.float64))
    if wrong.any():
        row = table[wrong].iloc[0]
        raise InputError(
            f"the {what} accuracy is {row['accuracy']} where {which_curve(row, 'k')}: "
            "it must be finite"
        )


def which_curve(row: "pd.Series[Any]", *more: str) -> str:
    """Say which curve a row is of, and `more` columns, as "experiment = lfw, k1 = 200"."""
    return ", ".join(f"{name} = {row[name]}" for name in (*CURVE, *more) if name in row)
