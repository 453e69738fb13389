"""Summarise the errors of all settings and methods."""

from accuracy_curves.comparisons import summarise
from accuracy_curves.tables import write_csv
from pipeline.curves import read_curves
from pipeline.script import job

with job(snakemake):
    errors = read_curves(snakemake.input)
    write_csv(errors, snakemake.output.errors)
    write_csv(summarise(errors, reference=snakemake.params.reference), snakemake.output.summary)
