"""Errors of predicted accuracies at chosen numbers of classes (Zheng et al. 2017, Table 1)."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import CURVE, SETTING


def errors_at_k(
    predicted: pd.DataFrame, true: pd.DataFrame, classes: Sequence[int]
) -> pd.DataFrame:
    """Summarise over the repetitions the errors at each of a few numbers of classes.

    `predicted` has the columns experiment, k1, repetition, method, k, accuracy, `true` experiment,
    k, accuracy; other k than `classes` are left out. Returns a row for each experiment, k1, method
    and k, sorted by them, with

    - ``repetitions``: how many, n;
    - ``true_accuracy``: at k;
    - ``bias``, ``sd``: mean and standard deviation (divisor n) of predicted - true;
    - ``rmse``: root of their mean square, so that rmse^2 = bias^2 + sd^2;
    - ``bias_se``, ``rmse_se``: standard errors, s / sqrt(n) and, by the delta method, s' / (2 rmse
      sqrt(n)), with s and s' the standard deviations (divisor n - 1) of the errors and of their
      squares; empty for a single repetition.
    """
    asked = predicted[predicted["k"].isin(classes)]
    truth = true[["experiment", "k", "accuracy"]].rename(columns={"accuracy": "true_accuracy"})
    both = asked.merge(truth, on=["experiment", "k"], how="left")
    wanted = len(predicted.drop_duplicates(CURVE)) * len(set(classes))
    if len(both) != wanted or both["true_accuracy"].isna().any():
        raise InputError(
            f"some predicted or true curve lacks an accuracy at k = {', '.join(map(str, classes))}"
        )
    both["error"] = both["accuracy"] - both["true_accuracy"]
    both["square"] = both["error"] ** 2
    groups = both.groupby([*SETTING, "k"])
    error, square = groups["error"], groups["square"]
    n, rmse = error.size(), np.sqrt(square.mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        table = pd.DataFrame(
            {
                "repetitions": n,
                "true_accuracy": groups["true_accuracy"].first(),
                "bias": error.mean(),
                "sd": error.std(ddof=0),
                "rmse": rmse,
                "bias_se": error.std() / np.sqrt(n),
                "rmse_se": square.std() / (2 * rmse * np.sqrt(n)),
            }
        )
    return table.reset_index()
