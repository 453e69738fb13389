"""Summarise the errors of all settings and methods."""

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.result_files import read_errors
from experiments.evaluation.summary import summarise
from experiments.job import job

with job(snakemake):
    # With the digits of errors.csv, so that a table made from it again is the same.
    errors = read_errors(snakemake.input)
    write_csv(errors, snakemake.output.errors)
    write_csv(summarise(errors, reference=snakemake.params.reference), snakemake.output.summary)
