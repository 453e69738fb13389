"""What claims are about: quantities of resampled errors, and columns of tables of the run."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.utils.seeds import derive_seed
from experiments.evaluation.bootstrap import RESAMPLES, Array, Errors
from experiments.evaluation.curve_errors import SETTING

OVER_THE_CURVE = ("bias", "sd")
# A rise below rounding is none.
RISE = 1e-9
# An error of a curve above this is large.
LARGE = 0.1


def bias(errors: Errors) -> Array:
    """Give the bias over the curve, which resamples move as the mean error at k2, in its scale."""
    at_k2 = errors["error_at_k2"]
    mean, spread = at_k2.mean(axis=-1), at_k2.std(axis=-1)
    scale = errors["sd_curve"][0, 0] / spread[0] if spread[0] else 0.0
    sign = np.sign(mean[0]) or 1.0
    return np.abs(sign * errors["bias_curve"][0, 0] + scale * (mean - mean[0]))


def spread(errors: Errors) -> Array:
    """Give the spread over the curve, which resamples move by the factor of that at k2."""
    at_k2 = errors["error_at_k2"].std(axis=-1)
    factor = at_k2 / at_k2[0] if at_k2[0] else np.ones_like(at_k2)
    return errors["sd_curve"][0, 0] * factor


# Of the errors of a method in a setting, (1 + RESAMPLES, repetitions).
QUANTITIES: dict[str, Callable[[Errors], Array]] = {
    "median": lambda errors: np.median(errors["rmse_curve"], axis=-1),
    "mean": lambda errors: errors["rmse_curve"].mean(axis=-1),
    "smallest": lambda errors: errors["rmse_curve"].min(axis=-1),
    "large": lambda errors: (errors["rmse_curve"] > LARGE).mean(axis=-1),
    "rising": lambda errors: (errors["largest_rise"] > RISE).mean(axis=-1),
    "distance_at_k2": lambda errors: np.abs(errors["error_at_k2"]).mean(axis=-1),
    "rmse_at_k2": lambda errors: np.sqrt((errors["error_at_k2"] ** 2).mean(axis=-1)),
    "bias": bias,
    "sd": spread,
}
# Of the quantities of several settings, (settings, 1 + RESAMPLES).
POOLS: dict[str, Callable[[Array], Array]] = {
    "geometric_mean": lambda values: np.prod(values, axis=0) ** (1 / len(values)),
    "mean": lambda values: values.mean(axis=0),
    "largest": lambda values: values.max(axis=0),
}


def with_curve_columns(errors: pd.DataFrame, summary: pd.DataFrame) -> pd.DataFrame:
    """Put bias and spread over the curve beside each error; empty where a summary lacks them."""
    columns = ["bias_curve", "sd_curve"]
    return errors.merge(summary.reindex(columns=[*SETTING, *columns]), how="left", on=SETTING)


def column(
    tables: Mapping[str, pd.DataFrame], name: str, value: str, wanted: Mapping[str, Any], seed: int
) -> tuple[Array, int] | None:
    """Give a value of a table of the run, (1 + RESAMPLES,), and its repetitions.

    Of the row with the `wanted` keys, of which the table may lack some; None without the row or the
    table. It is resampled by its standard error, where the table has one, or a standard deviation.
    """
    rows = tables.get(name, pd.DataFrame())
    for key, each in wanted.items():
        rows = rows[rows[key] == each] if key in rows and each is not None else rows
    if rows.empty:
        return None
    row: Any = rows.iloc[0]
    n = int(row.get("repetitions", 1))
    error = row.get(f"{value}_se", row.get(f"{value.removesuffix('_mean')}_sd", 0.0) / n**0.5)
    rng = np.random.default_rng(derive_seed(seed, name, value, *map(str, wanted.values())))
    return row[value] + error * np.concatenate([[0.0], rng.normal(size=RESAMPLES)]), n
