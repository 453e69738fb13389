"""What claims are about: quantities of resampled errors, and columns of tables of the run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.utils.arrays import Float64Array
from accuracy_curves.utils.seeds import derive_seed
from experiments.evaluation.curve_errors import SETTING

Errors = dict[str, Float64Array]

RESAMPLES = 2000
# Of a repetition; the last two are of all repetitions of a setting and method, see `summarise`.
COLUMNS = ["rmse_curve", "error_at_k2", "largest_rise", "bias_curve", "sd_curve"]


class Resampled:
    """Errors of each setting and method, as they are and with their repetitions resampled.

    The repetitions of an experiment and k1 are resampled together for all methods, which saw the
    same classes in them.
    """

    def __init__(self, errors: pd.DataFrame, seed: int) -> None:
        errors = errors.reindex(columns=["experiment", "k1", "method", "repetition", *COLUMNS])
        self._tables = {
            (str(name), int(str(k1))): rows
            for (name, k1), rows in errors.groupby(["experiment", "k1"])
        }
        self._seed = seed

    def k1_of(self, experiment: str) -> list[int]:
        """List the k1 at which an experiment has errors."""
        return [k1 for name, k1 in self._tables if name == experiment]

    def of(self, experiment: str, k1: int, methods: Sequence[str]) -> Mapping[str, Errors] | None:
        """Give each method's and column's errors in one setting; None if a method is absent.

        They are (1 + RESAMPLES, repetitions), the first row as they are, of the repetitions that
        all these methods have.
        """
        rows = self._tables.get((experiment, k1))
        if rows is None or not set(methods) <= set(rows["method"]):
            return None
        wide = rows.pivot(index="repetition", columns="method", values=COLUMNS)
        wide = wide.dropna(subset=[("rmse_curve", method) for method in methods])
        n = len(wide)
        rng = np.random.default_rng(derive_seed(self._seed, experiment, k1, "resampled"))
        chosen = np.vstack([np.arange(n), rng.integers(n, size=(RESAMPLES, n))])
        return {
            method: {c: wide[c, method].to_numpy(np.float64)[chosen] for c in COLUMNS}
            for method in methods
        }


OVER_THE_CURVE = ("bias", "sd")
# A rise below rounding is none.
RISE = 1e-9
# An error of a curve above this is large.
LARGE = 0.1


def bias(errors: Errors) -> Float64Array:
    """Give the bias over the curve, which resamples move as the mean error at k2, in its scale."""
    at_k2 = errors["error_at_k2"]
    mean, spread = at_k2.mean(axis=-1), at_k2.std(axis=-1)
    scale = errors["sd_curve"][0, 0] / spread[0] if spread[0] else 0.0
    sign = np.sign(mean[0]) or 1.0
    return np.abs(sign * errors["bias_curve"][0, 0] + scale * (mean - mean[0]))


def spread(errors: Errors) -> Float64Array:
    """Give the spread over the curve, which resamples move by the factor of that at k2."""
    at_k2 = errors["error_at_k2"].std(axis=-1)
    factor = at_k2 / at_k2[0] if at_k2[0] else np.ones_like(at_k2)
    return errors["sd_curve"][0, 0] * factor


# Of the errors of a method in a setting, (1 + RESAMPLES, repetitions).
QUANTITIES: dict[str, Callable[[Errors], Float64Array]] = {
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
POOLS: dict[str, Callable[[Float64Array], Float64Array]] = {
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
) -> tuple[Float64Array, int] | None:
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
