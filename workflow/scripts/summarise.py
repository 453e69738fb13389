"""Summarise the errors of all settings and methods."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.findings import write_findings
from experiments.evaluation.result_files import read_errors, read_published_rows
from experiments.evaluation.summary import add_spread, summarise
from experiments.job import job
from experiments.stored import read_table

with job(snakemake):
    files, params, output = snakemake.input, snakemake.params, snakemake.output
    # With the digits of errors.csv, so that a table made from it again is the same.
    errors = read_errors(files.errors)
    write_csv(errors, output.errors)
    spread = pd.concat(map(read_table, files.spread), ignore_index=True)
    known = read_published_rows(files.published, params.published_rows)
    summary = add_spread(summarise(errors, params.reference), spread, known)
    write_csv(summary, output.summary)
    what = "of the accuracy curve"
    setting = ["experiment", "k1"]
    write_findings(output.findings, summary, setting, "rmse_curve_mean", what)
