"""Summarise the errors of open-set rates, and the coverage of their intervals."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.findings import write_findings
from experiments.evaluation.identification_errors import errors_by_repetition, summarise_rates
from experiments.evaluation.result_files import read_curves, read_published_rows
from experiments.job import job

with job(snakemake):
    files, rows = snakemake.input, snakemake.params.published_rows
    errors, summaries = (
        [read_published_rows(paths, rows)] for paths in (files.errors, files.summaries)
    )
    if files.rates:
        rates = read_curves(files.rates)
        errors.append(errors_by_repetition(rates))
        summaries.append(summarise_rates(rates))
    write_csv(pd.concat(errors), snakemake.output.errors)
    summary = pd.concat(summaries)
    write_csv(summary, snakemake.output.summary)
    rows = summary[summary["quantity"] == "fnir_at_fpir"]
    what = "of FNIR at the threshold of a target FPIR"
    setting = ["experiment", "k1", "target"]
    write_findings(snakemake.output.findings, rows, setting, "rmse", what)
