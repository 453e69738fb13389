"""Errors of predicted accuracy curves: a row a repetition, summaries, ratios to a method."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.errors import InputError

SETTING = ["experiment", "k1", "method"]
CURVE = [*SETTING, "repetition"]


def repetition_errors(predicted: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """Compare every predicted curve with the true accuracy curve of its experiment.

    `rmse_curve` is the error of ICLR 2021, Section 5: the root of the mean, over all
    k = 2..k2, of the squared difference between predicted and true accuracy. The formula printed
    there takes the average accuracy of the k1 sampled classes for the truth, which does not exist
    beyond k1; the figures of the paper compare with that of all k2 classes, and so does this.

    Parameters
    ----------
    predicted : DataFrame
        Columns experiment, k1, repetition, method, k, accuracy: for each curve every k = 2..k2 at
        least. Larger k have no truth and are left out.
    true : DataFrame
        Columns experiment, k, accuracy: for each experiment every k = 2..k2.

    Returns
    -------
    DataFrame
        A row a curve, sorted by experiment, k1, method and repetition, with

        - ``rmse_curve``: root mean square of predicted - true over k = 2..k2;
        - ``error_at_k2``: predicted - true at k = k2;
        - ``largest_rise``: the largest increase of the predicted accuracy from one k to the next,
          which no true curve has; 0 if it never increases;
        - ``n``: how many k that is, k2 - 1.

    Raises
    ------
    InputError
        If a column, an experiment or a k is missing, given twice, or an accuracy is not finite.
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


def summarise(errors: pd.DataFrame, reference: str | None = None) -> pd.DataFrame:
    """Summarise the errors over the repetitions of each experiment, k1 and method.

    Parameters
    ----------
    errors : DataFrame
        What `repetition_errors` returns.
    reference : str, optional
        The method (configuration key) to compare the others with.

    Returns
    -------
    DataFrame
        A row for each experiment, k1 and method, with

        - ``repetitions``: how many;
        - ``rmse_curve_median``, ``_mean``, ``_q1``, ``_q3``: of `rmse_curve`, quartiles with
          linear interpolation;
        - ``rmse_at_k2``: root mean square over the repetitions of predicted - true at k2 (the
          RMSE of Zheng et al. 2018);
        - ``bias_at_k2`` and ``sd_at_k2``: mean and standard deviation of the same errors, the
          latter with divisor n, so that rmse_at_k2^2 = bias_at_k2^2 + sd_at_k2^2.

        With a reference, also, over the repetitions that the reference has as well (empty where
        the reference's error is zero)

        - ``compared``: how many these are;
        - ``ratio_median``: median over the repetitions of the ratios of `ratios_to`;
        - ``rmse_curve_mean_ratio`` and ``rmse_at_k2_ratio``: those values over the reference's.

    Raises
    ------
    InputError
        If a column is missing, or the reference has no repetition of a setting and method.
    """
    require_columns(errors, [*CURVE, "rmse_curve", "error_at_k2"], "errors")
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
    if reference is not None:
        both = _beside_reference(errors, reference, ["rmse_curve", "error_at_k2"])
        same = both.assign(
            own=both["error_at_k2"] ** 2, other=both["error_at_k2_reference"] ** 2
        ).groupby(SETTING)
        summary["compared"] = same.size()
        summary["ratio_median"] = same["ratio"].median()
        summary["rmse_curve_mean_ratio"] = _quotient(
            same["rmse_curve"].mean(), same["rmse_curve_reference"].mean()
        )
        summary["rmse_at_k2_ratio"] = np.sqrt(_quotient(same["own"].mean(), same["other"].mean()))
    return summary.reset_index()


def ratios_to(errors: pd.DataFrame, reference: str = "cleanex") -> pd.DataFrame:
    """Divide each method's `rmse_curve` by the reference's in the same repetition.

    Parameters
    ----------
    errors : DataFrame
        What `repetition_errors` returns.
    reference : str
        The method (configuration key) to divide by.

    Returns
    -------
    DataFrame
        Columns experiment, k1, method, repetition, ratio, for every other method, in the
        repetitions that the reference has as well; a ratio above 1 means that the reference
        predicted better (ICLR 2021, Figure 3 E). Where the reference's error is zero the ratio is
        NaN.

    Raises
    ------
    InputError
        If the reference has no repetition of a setting and method.
    """
    require_columns(errors, [*CURVE, "rmse_curve"], "errors")
    ratios = _beside_reference(errors, reference, ["rmse_curve"])
    others = ratios["method"] != reference
    return ratios.loc[others, [*CURVE, "ratio"]].reset_index(drop=True)


def require_columns(table: pd.DataFrame, columns: Sequence[str], what: str) -> None:
    """Check that a table has the columns it needs.

    Parameters
    ----------
    table : DataFrame
    columns : sequence of str
    what : str
        What the rows are, for the message of the `InputError` where a column is missing.
    """
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
        where = _where(rows[twice].iloc[0], "k")
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
            f"curve of {_where(short.iloc[0])}: every one is needed"
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


def _beside_reference(errors: pd.DataFrame, reference: str, columns: Sequence[str]) -> pd.DataFrame:
    """Set each error beside the reference's of the same draw, where it has one, and divide."""
    draw = ["experiment", "k1", "repetition"]
    base = errors.loc[errors["method"] == reference, [*draw, *columns]]
    if base.empty:
        raise InputError(
            f"there are no errors of the reference method {reference!r}, only of "
            f"{', '.join(sorted(errors['method'].unique())) or 'none'}"
        )
    joined = errors.merge(base, on=draw, suffixes=("", "_reference"))
    alone = errors[~errors.set_index(SETTING).index.isin(joined.set_index(SETTING).index)]
    if len(alone):
        raise InputError(
            f"the reference method {reference!r} has no error to compare with that of "
            f"{_where(alone.iloc[0])}"
        )
    ratio = _quotient(joined["rmse_curve"], joined["rmse_curve_reference"])
    return joined.assign(ratio=ratio)


def _quotient(value: "pd.Series[Any]", divisor: "pd.Series[Any]") -> "pd.Series[Any]":
    """Divide, NaN where the divisor is zero."""
    return value / divisor.where(divisor != 0)


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
            f"the {what} accuracy is {row['accuracy']} where {_where(row, 'k')}: it must be finite"
        )


def _where(row: "pd.Series[Any]", *more: str) -> str:
    """Say which curve a row is of."""
    return ", ".join(f"{name} = {row[name]}" for name in (*CURVE, *more) if name in row)
