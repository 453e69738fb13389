"""What a figure shows: settings, their values in the tidy tables, and looks of methods."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from accuracy_curves.answers.plots import Style
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.utils.arrays import Float64Array, IntArray
from accuracy_curves.utils.validation import Choice, ranges_of
from experiments.evaluation.thinning import thinned

TRUE_COLOR = "#000000"
# Amounts of black (negative) or white mixed into the colour of the second, third... key.
SHADES = (0.0, -0.45, 0.5, -0.7, 0.7, -0.2)


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


Settings = Sequence[LabelledSetting]
# Looks of methods, by their keys.
Styles = Mapping[str, Style]


def values(table: pd.DataFrame, column: str, setting: LabelledSetting, method: str) -> Float64Array:
    """Values of a method over the repetitions of a setting, NaN left out."""
    return _rows(table, setting, method)[column].dropna().to_numpy(np.float64)


def values_beside(
    table: pd.DataFrame, column: str, setting: LabelledSetting, methods: Iterable[str]
) -> dict[str, Float64Array]:
    """Values of several methods in the repetitions of a setting that all of them have."""
    rows = {method: _rows(table, setting, method) for method in methods}
    each = {method: own.set_index("repetition")[column] for method, own in rows.items()}
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


def curves_of(
    table: pd.DataFrame, setting: LabelledSetting, method: str
) -> tuple[IntArray, Float64Array]:
    """Curves of a method in every repetition of a setting, at k that are enough to draw them.

    Returns (n,) k, about evenly spaced in log k, and (repetitions, n) accuracies, NaN where a
    repetition has none. The true curve, "true", is one.
    """
    rows = _rows(table, setting, method)
    kept = rows[rows["k"].isin(thinned(np.unique(rows["k"].to_numpy()), setting.k1))]
    wide = kept.fillna({"repetition": -1}).pivot(index="repetition", columns="k", values="accuracy")
    return wide.columns.to_numpy(), wide.to_numpy(np.float64)


def by_panel(settings: Iterable[LabelledSetting]) -> dict[str, list[LabelledSetting]]:
    """Put the settings of each panel together."""
    found: dict[str, list[LabelledSetting]] = {}
    for setting in settings:
        found.setdefault(setting.panel, []).append(setting)
    return found


def _rows(table: pd.DataFrame, setting: LabelledSetting, method: str) -> pd.DataFrame:
    """Rows of one method in one setting; of the true curve, which is of no k1, those of all."""
    here = (table["experiment"] == setting.experiment) & (table["method"] == method)
    return table[here] if method == "true" else table[here & (table["k1"] == setting.k1)]


def shaded(color: str, amount: float) -> str:
    """Mix a colour with white (amount in (0, 1]) or black (amount in [-1, 0))."""
    from matplotlib.colors import to_hex, to_rgb

    target = 1.0 if amount > 0 else 0.0
    red, green, blue = (c + abs(amount) * (target - c) for c in to_rgb(color))
    return to_hex((red, green, blue))


def key_styles(
    methods: Mapping[str, str], known: Mapping[str, Any] = EXTRAPOLATORS
) -> dict[str, Style]:
    """Choose a name and a colour for each method: configuration key -> name of the extrapolator.

    `known` has the class of each name, with its ``label`` and ``color``.

    A method has the label and colour of its extrapolator. Where several keys use one extrapolator,
    the label has what the key adds to the extrapolator's name, as "KDE, ucv"
    for kde_ucv, and by shades of its colour, in the order of the keys. A value of an option is
    spelt as the extrapolator spells it: "KDE, SJ" for kde_sj.
    """
    styles: dict[str, Style] = {}
    used: list[str] = []
    for key, name in methods.items():
        kind = known[name]
        alone = list(methods.values()).count(name) == 1 or key == name
        added = key.removeprefix(name).strip("_")
        added = _words(kind).get(added, added).replace("_", " ")
        styles[key] = Style(
            label=kind.label if alone else f"{kind.label}, {added}",
            color=shaded(kind.color, SHADES[used.count(name) % len(SHADES)]),
        )
        used.append(name)
    return styles


def _words(kind: type) -> dict[str, str]:
    """Collect the words that options of a class take, by their lower case."""
    allowed = (found for found, _ in ranges_of(kind).values())
    return {w.lower(): w for found in allowed if isinstance(found, Choice) for w in found.words}
