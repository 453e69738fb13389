"""Accuracies at k1 and k2: observed, true, predicted, and what a paper printed beside them."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from accuracy_curves.evaluation.curve_errors import require_columns
from accuracy_curves.exceptions import InputError

PRINTED = ("accuracy_k1", "accuracy_k2", "predicted_k2")


def accuracy_table(
    true: pd.DataFrame,
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    settings: Sequence[tuple[str, int]],
    methods: Sequence[str],
    printed: Mapping[str, Mapping[str, float]] | None = None,
) -> pd.DataFrame:
    """Tabulate accuracies at k1 and k2 (Zheng 2017, Table 1, with a spread).

    Parameters
    ----------
    true : DataFrame
        Columns experiment, k, accuracy; k2 is the largest k.
    observed, predicted : DataFrame
        Columns experiment, k1, repetition, k, accuracy, and method in `predicted`.
    settings : sequence of (experiment, k1)
        Which, in the order of the table.
    methods : sequence of str
        Which, in the order of the table.
    printed : mapping, optional
        For an experiment: `k1` and what a paper printed of `accuracy_k1`, `accuracy_k2` and
        `predicted_k2`.

    Returns
    -------
    DataFrame
        A row for each setting and method, with

        - ``experiment``, ``k1``, ``k2``, ``method``, ``repetitions``;
        - ``accuracy_k1_mean``, ``accuracy_k1_sd``: of the accuracies at k1 over the repetitions;
        - ``accuracy_k2``: the true accuracy at k2;
        - ``predicted_k2_mean``, ``predicted_k2_sd``: of the predictions at k2.

        Standard deviations have the divisor n - 1 and are empty for one repetition. With
        `printed`, also ``printed_accuracy_k1``, ``printed_accuracy_k2`` and
        ``printed_predicted_k2``, empty where nothing is printed.

    Raises
    ------
    InputError
        If a column is missing, or the curves of a setting and method are.
    """
    require_columns(true, ["experiment", "k", "accuracy"], "true curves")
    columns = ["experiment", "k1", "repetition", "k", "accuracy"]
    require_columns(observed, columns, "observed curves")
    require_columns(predicted, [*columns, "method"], "predicted curves")
    rows = []
    for experiment, k1 in settings:
        truth = true[true["experiment"] == experiment]
        seen = _of_setting(observed, experiment, k1)
        if truth.empty or seen.empty:
            raise InputError(f"there is no true or no observed curve of {experiment}, k1 = {k1}")
        k2 = int(truth["k"].max())
        at_k1 = seen.loc[seen["k"] == k1, "accuracy"]
        for method in methods:
            curves = _of_setting(predicted, experiment, k1)
            at_k2 = curves.loc[(curves["method"] == method) & (curves["k"] == k2), "accuracy"]
            if at_k2.empty:
                raise InputError(
                    f"{method} has no curve to k = {k2} of {experiment}, k1 = {k1}: predict it"
                )
            row: dict[str, object] = {
                "experiment": experiment,
                "k1": k1,
                "k2": k2,
                "method": method,
                "repetitions": len(at_k2),
                "accuracy_k1_mean": at_k1.mean(),
                "accuracy_k1_sd": at_k1.std(),
                "accuracy_k2": truth.loc[truth["k"] == k2, "accuracy"].iloc[0],
                "predicted_k2_mean": at_k2.mean(),
                "predicted_k2_sd": at_k2.std(),
            }
            if printed:
                said = printed.get(experiment, {})
                here = said if said.get("k1") == k1 else {}
                row |= {f"printed_{key}": here.get(key, np.nan) for key in PRINTED}
            rows.append(row)
    return pd.DataFrame(rows)


def _of_setting(curves: pd.DataFrame, experiment: str, k1: int) -> pd.DataFrame:
    return curves[(curves["experiment"] == experiment) & (curves["k1"] == k1)]
