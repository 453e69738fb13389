"""What a figure shows: settings, and their values in the tidy tables."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from accuracy_curves.exceptions import InputError
from accuracy_curves.prediction.plots.curves import thinned
from accuracy_curves.utils.arrays import Float64Array, IntArray


@dataclass(frozen=True)
class LabelledSetting:
    """One extrapolation problem in a figure, `experiment` and `k1` as in the tables.

    In `label` ``$...$`` is mathematics. In box plots, settings with the same `panel` share a panel
    of that title.
    """

    experiment: str
    k1: int
    label: str
    panel: str = ""


def values(table: pd.DataFrame, column: str, setting: LabelledSetting, method: str) -> Float64Array:
    """Values of a method over the repetitions of a setting, NaN left out; it must have a row."""
    found = _rows(table, setting, method, column)[column]
    return found.dropna().to_numpy(np.float64)


def values_beside(
    table: pd.DataFrame, column: str, setting: LabelledSetting, methods: Iterable[str]
) -> dict[str, Float64Array]:
    """Values of several methods in the repetitions of a setting that all of them have."""
    each = {
        method: _rows(table, setting, method, column).set_index("repetition")[column]
        for method in dict.fromkeys(methods)
    }
    both = pd.DataFrame(each).dropna()
    if both.empty:
        raise InputError(
            f"no repetition of {setting.experiment} at k1 = {setting.k1} has a {column} of each of "
            f"{', '.join(each)}: run the same repetitions of all"
        )
    return {method: both[method].to_numpy(np.float64) for method in each}


def spread(counts: Iterable[int]) -> str:
    """Write the range of one or more counts, as "50" or "5 to 50"."""
    different = sorted(set(counts))
    few, most = different[0], different[-1]
    return f"{few}" if few == most else f"{few} to {most}"


def how_many(counts: Iterable[int]) -> str:
    """Say of how many repetitions methods are shown, as "n = 50" or "n = 5 to 50"."""
    return f"n = {spread(counts)}"


def curves(
    table: pd.DataFrame, setting: LabelledSetting, method: str
) -> tuple[IntArray, Float64Array]:
    """Curves of a method in every repetition of a setting, at k that are enough to draw them.

    Returns (n,) k, about evenly spaced in log k, and (repetitions, n) accuracies, NaN where a
    repetition has none.
    """
    rows = _rows(table, setting, method, "curve")
    kept = rows[rows["k"].isin(thinned(np.unique(rows["k"].to_numpy())))]
    wide = kept.pivot(index="repetition", columns="k", values="accuracy")
    return wide.columns.to_numpy(), wide.to_numpy(np.float64)


def true_curve(table: pd.DataFrame, setting: LabelledSetting) -> tuple[IntArray, Float64Array]:
    """Return the true accuracy curve of a setting's experiment: k and accuracy, (n,) each."""
    here = (table["experiment"] == setting.experiment) & (table["method"] == "true")
    rows = table[here].sort_values("k")
    if rows.empty:
        raise InputError(f"there is no true curve of {setting.experiment}: the figure needs it")
    kept = rows[rows["k"].isin(thinned(rows["k"].to_numpy()))]
    return kept["k"].to_numpy(), kept["accuracy"].to_numpy(np.float64)


def _rows(table: pd.DataFrame, setting: LabelledSetting, method: str, what: str) -> pd.DataFrame:
    """Rows of one method in one setting; at least one."""
    here = (table["experiment"] == setting.experiment) & (table["k1"] == setting.k1)
    rows = table[here & (table["method"] == method)]
    if rows.empty:
        others = ", ".join(sorted(table.loc[here, "method"].unique())) or "none"
        raise InputError(
            f"there is no {what} of {method} in {setting.experiment} at k1 = {setting.k1}: "
            f"the methods that have one are {others}"
        )
    return rows
