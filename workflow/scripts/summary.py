"""Summarise the errors of all settings and methods."""

from accuracy_curves.evaluation.summary import summarise
from accuracy_curves.utils.tables import write_csv
from pipeline.jobs.curve_files import read_curves
from pipeline.jobs.job import job

with job(snakemake):
    errors = read_curves(snakemake.input.errors)
    write_csv(errors, snakemake.output.errors)
    write_csv(summarise(errors, reference=snakemake.params.reference), snakemake.output.summary)
