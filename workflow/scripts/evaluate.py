"""Measure the errors of every repetition's predicted accuracy curve."""

import pandas as pd

from accuracy_curves.utils.tables import write_table
from experiments.evaluation.curve_errors import CURVE, repetition_errors
from pipeline.jobs.curve_files import committed_rows, read_curves
from pipeline.jobs.job import job

with job(snakemake) as provenance:
    parts = []
    if snakemake.input.predicted:
        true = read_curves(snakemake.input.true)
        # File by file: together, curves up to thousands of classes would fill the memory.
        parts = [repetition_errors(read_curves([path]), true) for path in snakemake.input.predicted]
    for path in snakemake.input.committed:
        parts.append(committed_rows(path, snakemake.params.taken))
    errors = pd.concat(parts).sort_values(CURVE, ignore_index=True)
    write_table(errors, snakemake.output[0], provenance)
