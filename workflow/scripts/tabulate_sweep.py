"""Tabulate errors at a few numbers of classes (Zheng et al. 2017, Figure 10)."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.curve_errors import SETTING, errors_at_k
from experiments.evaluation.result_files import read_kinds, read_published_rows
from experiments.job import job

with job(snakemake):
    files, params = snakemake.input, snakemake.params
    true, _, predicted = read_kinds(files.curves, params.k2)
    known = read_published_rows(files.published, params.published_rows)
    own = errors_at_k(predicted, true, params.k2) if len(predicted) else None
    table = pd.concat([known, own], ignore_index=True)
    write_csv(table.sort_values([*SETTING, "k"], ignore_index=True), snakemake.output[0])
