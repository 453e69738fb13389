"""Seconds of all methods in all settings."""

import numpy as np
import pandas as pd

from experiments.evaluation.curve_errors import SETTING


def methods_table(
    errors: pd.DataFrame, seconds: pd.DataFrame | None, known: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Tabulate how long each method takes in each setting that has errors, a row each.

    Columns are ``repetitions`` and ``seconds``, the median processor time of a repetition (draw,
    fit and predict). It is the machine's and differs from run to run. `seconds` are those of
    `predict` with experiment, k1 and method, `known` a table of an earlier run, of settings and
    methods whose curves were not made here. Of others the time is empty.
    """
    took = [each for each in (seconds, known) if each is not None]
    medians = [each.groupby(SETTING)["seconds"].median() for each in took]
    table = errors.groupby(SETTING).agg(repetitions=("repetition", "size"))
    return table.assign(seconds=pd.concat(medians) if medians else np.nan).reset_index()
