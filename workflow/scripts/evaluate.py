"""Measure the errors of every repetition's predicted accuracy curve."""

from accuracy_curves.evaluation import repetition_errors
from accuracy_curves.tables import write_table
from pipeline.curves import read_curves
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    predicted = read_curves(snakemake.input.predicted)
    errors = repetition_errors(predicted, read_curves([snakemake.input.true]))
    write_table(errors, snakemake.output[0], stamp(snakemake.config))
