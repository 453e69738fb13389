"""Measure the errors of every repetition's predicted accuracy curve."""

import pandas as pd

from experiments.evaluation.curve_errors import CURVE, repetition_errors
from experiments.evaluation.result_files import read_curves, read_published_rows
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    files, params = snakemake.input, snakemake.params
    true = read_curves(files.true) if files.predicted else None
    # File by file: together, curves up to thousands of classes would fill the memory.
    parts = [repetition_errors(read_curves([path]), true) for path in files.predicted]
    errors = pd.concat([*parts, read_published_rows(files.published, params.published_rows)])
    # Curves may be published of some repetitions, and errors of these and of others.
    errors = errors.drop_duplicates(CURVE)
    errors = errors[errors["repetition"] < params.repetitions]
    write_table(errors.sort_values(CURVE, ignore_index=True), snakemake.output[0], provenance)
