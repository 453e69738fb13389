"""Accuracies at k1 and k2: observed, true, predicted, and what a paper printed beside them."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

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

    `true` has the columns experiment, k, accuracy, and k2 is its largest k; `observed` and
    `predicted` have experiment, k1, repetition, k, accuracy, the latter method as well. Settings
    are (experiment, k1). Returns one row per setting and method: experiment, k1, k2, method,
    repetitions, the mean and sd (divisor n - 1, empty for one repetition) of the accuracies at k1,
    ``accuracy_k1_``, and of the predictions at k2, ``predicted_k2_``, and the true ``accuracy_k2``.

    For an experiment `printed` holds `k1` and what a paper printed of `accuracy_k1`, `accuracy_k2`
    and `predicted_k2`: columns ``printed_...``, empty where nothing is printed.
    """
    rows = []
    for (experiment, k1), method in product(settings, methods):
        truth = true[true["experiment"] == experiment].set_index("k")["accuracy"]
        k2 = int(truth.index.max())
        here = "experiment == @experiment and k1 == @k1"
        at_k1 = observed.query(f"{here} and k == @k1")["accuracy"]
        at_k2 = predicted.query(f"{here} and k == @k2 and method == @method")["accuracy"]
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
            "accuracy_k2": truth[k2],
            "predicted_k2_mean": at_k2.mean(),
            "predicted_k2_sd": at_k2.std(),
        }
        if printed:
            in_print = printed.get(experiment, {})
            known = in_print if in_print.get("k1") == k1 else {}
            row |= {f"printed_{key}": known.get(key, np.nan) for key in PRINTED}
        rows.append(row)
    return pd.DataFrame(rows)
