"""Accuracies at k1 and k2: observed, true, predicted, and what a paper printed beside them."""

from collections.abc import Mapping, Sequence
from itertools import product

import pandas as pd

from accuracy_curves.exceptions import InputError
from experiments.evaluation.curve_errors import SETTING

PRINTED = ("accuracy_k1", "accuracy_k2", "predicted_k2")
SEEN = ["accuracy_k1_mean", "accuracy_k1_sd"]
REACHED = ["repetitions", "predicted_k2_mean", "predicted_k2_sd"]
COLUMNS = ("experiment", "k1", "k2", "method", "repetitions", *SEEN, "accuracy_k2", *REACHED[1:])


def accuracy_table(
    true: pd.DataFrame,
    observed: pd.DataFrame,
    predicted: pd.DataFrame,
    settings: Sequence[tuple[str, int]],
    methods: Sequence[str],
    printed: Mapping[str, Mapping[str, float]] | None = None,
) -> pd.DataFrame:
    """Tabulate accuracies at k1 and k2 (Zheng 2017, Table 1, with a spread).

    `true` has the columns experiment, k, accuracy, and k2 is its largest k; `observed` and
    `predicted` have experiment, k1, repetition, k, accuracy, the latter method as well. Settings
    are (experiment, k1). Returns one row per setting and method: experiment, k1, k2, method,
    repetitions, the mean and sd (divisor n - 1, empty for one repetition) of the accuracies at k1,
    ``accuracy_k1_``, and of the predictions at k2, ``predicted_k2_``, and the true ``accuracy_k2``.

    For an experiment `printed` holds `k1` and what a paper printed of `accuracy_k1`, `accuracy_k2`
    and `predicted_k2`: columns ``printed_...``, empty where nothing is printed.
    """
    last = true.sort_values("k").groupby("experiment")[["k", "accuracy"]].last()
    seen = observed[observed["k"] == observed["k1"]].groupby(SETTING[:2])["accuracy"]
    reached = predicted[predicted["k"] == predicted["experiment"].map(last["k"])]
    groups = reached.groupby(SETTING)["accuracy"]
    table = pd.DataFrame([(*s, m) for s, m in product(settings, methods)], columns=SETTING)
    table = table.join(last.rename(columns={"k": "k2", "accuracy": "accuracy_k2"}), on="experiment")
    table = table.join(seen.agg(["mean", "std"]).set_axis(SEEN, axis=1), on=SETTING[:2])
    table = table.join(groups.agg(["size", "mean", "std"]).set_axis(REACHED, axis=1), on=SETTING)
    for row in table[table["repetitions"].isna()].itertuples():
        raise InputError(
            f"{row.method} has no curve to k = {row.k2} of {row.experiment}, k1 = {row.k1}: "
            "predict it"
        )
    table = table.astype({"repetitions": int})[[*COLUMNS]]
    if not printed:
        return table
    rows = [{"experiment": name, **numbers} for name, numbers in printed.items()]
    known = pd.DataFrame(rows).reindex(columns=[*SETTING[:2], *PRINTED])
    named = known.rename(columns={name: f"printed_{name}" for name in PRINTED})
    return table.merge(named, how="left", on=SETTING[:2])
