"""Errors of predicted accuracy curves: of whole curves, and at chosen numbers of classes."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

SETTING = ["experiment", "k1", "method"]
CURVE = [*SETTING, "repetition"]
SPREAD = [*SETTING, "repetitions", "bias_curve", "sd_curve"]


def repetition_errors(predicted: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """Compare every predicted curve with the true accuracy curve of its experiment.

    `rmse_curve` is the error of ICLR 2021, Section 5: the root of the mean, over all k = 2..k2, of
    the squared difference between predicted and true accuracy. The formula printed there takes the
    average accuracy of the k1 sampled classes for the truth, which does not exist beyond k1; the
    figures of the paper compare with that of all k2 classes, and so does this.

    `predicted` has the columns experiment, k1, repetition, method, k, accuracy, `true` experiment,
    k, accuracy, with every k = 2..k2 once; larger k of `predicted` have no truth and are left out.
    Returns one row per curve, sorted by experiment, k1, method and repetition, with

    - ``rmse_curve``: root mean square of predicted - true over k = 2..k2;
    - ``error_at_k2``: predicted - true at k = k2;
    - ``largest_rise``: the largest increase of the predicted accuracy from one k to the next, which
      no true curve has; 0 if it never increases;
    - ``n``: how many k that is, k2 - 1.
    """
    # Sorted, so that the sums do not depend on the order of the rows.
    rows = _beside_truth(predicted, true).sort_values("k", kind="stable")
    steps = rows["accuracy"].where(rows["true"].notna()).groupby([rows[name] for name in CURVE])
    rows["rise"] = steps.diff().clip(lower=0)
    result: pd.DataFrame = rows.groupby(CURVE, as_index=False).agg(
        rmse_curve=("square", "mean"),
        error_at_k2=("error", "last"),
        largest_rise=("rise", "max"),
        n=("square", "count"),
    )
    result["rmse_curve"] = np.sqrt(result["rmse_curve"])
    return result


def spread_over_curve(predicted: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """Measure the bias and the spread of predicted accuracy curves over all k1 < k <= k2.

    At one k a curve that crosses the truth looks unbiased. `predicted` and `true` as of
    `repetition_errors`. Returns a row for each experiment, k1 and method with ``repetitions``, how
    many, and

    - ``bias_curve``: root mean square over k of the mean error at k;
    - ``sd_curve``: root mean square over k of the standard deviation (divisor n) of these errors.
    """
    beyond = _beside_truth(predicted[predicted["k"] > predicted["k1"]], true)
    errors = beyond.dropna(subset="true").groupby([*SETTING, "k"])["error"]
    squares = pd.DataFrame({"bias_curve": errors.mean() ** 2, "sd_curve": errors.var(ddof=0)})
    roots = squares.groupby(SETTING).mean() ** 0.5
    return roots.assign(repetitions=errors.size().groupby(SETTING).max()).reset_index()[SPREAD]


def errors_at_k(
    predicted: pd.DataFrame, true: pd.DataFrame, classes: Sequence[int]
) -> pd.DataFrame:
    """Summarise the errors at each of a few numbers of classes (Zheng et al. 2017, Table 1).

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
    both = _beside_truth(predicted[predicted["k"].isin(classes)], true)
    groups = both.groupby([*SETTING, "k"])
    error, square = groups["error"], groups["square"]
    n, rmse = error.size(), np.sqrt(square.mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        table = pd.DataFrame(
            {
                "repetitions": n,
                "true_accuracy": groups["true"].first(),
                "bias": error.mean(),
                "sd": error.std(ddof=0),
                "rmse": rmse,
                "bias_se": error.std() / np.sqrt(n),
                "rmse_se": square.std() / (2 * rmse * np.sqrt(n)),
            }
        )
    return table.reset_index()


def _beside_truth(predicted: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """Set predicted accuracies beside the true ones, with the errors and their squares."""
    truth = true[["experiment", "k", "accuracy"]].rename(columns={"accuracy": "true"})
    both = predicted.merge(truth, how="left", on=["experiment", "k"])
    both["error"] = both["accuracy"] - both["true"]
    return both.assign(square=both["error"] ** 2)
