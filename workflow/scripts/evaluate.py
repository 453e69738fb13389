"""Measure the errors of every repetition's predicted accuracy curve."""

from itertools import groupby
from pathlib import Path

import pandas as pd

from experiments.evaluation.curve_errors import CURVE, SPREAD, repetition_errors, spread_over_curve
from experiments.evaluation.result_files import read_curves, read_published_rows
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    files, params = snakemake.input, snakemake.params
    true = read_curves(files.true) if files.predicted else None
    parts, spreads = [], []
    # Method by method: together, curves up to thousands of classes would fill the memory.
    for _, paths in groupby(files.predicted, lambda path: Path(path).parent):
        curves = read_curves(paths)
        parts.append(repetition_errors(curves, true))
        spreads.append(spread_over_curve(curves[curves["repetition"] < params.repetitions], true))
    errors = pd.concat([*parts, read_published_rows(files.published, params.published_rows)])
    # Curves may be published of some repetitions, and errors of these and of others.
    errors = errors.drop_duplicates(CURVE)
    errors = errors[errors["repetition"] < params.repetitions]
    write_table(errors.sort_values(CURVE, ignore_index=True), snakemake.output.errors, provenance)
    spread = pd.concat(spreads, ignore_index=True) if spreads else pd.DataFrame(columns=SPREAD)
    write_table(spread, snakemake.output.spread, provenance)
