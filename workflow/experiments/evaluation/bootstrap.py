"""Resampled repetitions: how far a summary of errors depends on the draws of classes."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from accuracy_curves.utils.seeds import derive_seed

Array = npt.NDArray[np.float64]
Errors = dict[str, Array]

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
