"""Measure the errors of every repetition's predicted accuracy curve."""

import pandas as pd

from accuracy_curves.evaluation import CURVE, repetition_errors
from accuracy_curves.tables import write_table
from pipeline.curves import read_curves
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    true = read_curves([snakemake.input.true])
    # File by file: together, curves up to thousands of classes would fill the memory.
    parts = [repetition_errors(read_curves([path]), true) for path in snakemake.input.predicted]
    errors = pd.concat(parts).sort_values(CURVE, ignore_index=True)
    write_table(errors, snakemake.output[0], stamp(snakemake.config))
