"""Tabulate errors, seconds and coverage of all methods."""

from pathlib import Path

from accuracy_curves.utils.tables import write_csv
from pipeline.cost.methods_table import methods_table
from pipeline.jobs.curve_files import committed_rows, read_curves
from pipeline.jobs.job import job

with job(snakemake):
    judged = list(snakemake.input.intervals)
    table = methods_table(
        read_curves(snakemake.input.errors),
        read_curves(judged) if judged else None,
        Path(snakemake.params.logs),
        snakemake.params.reference,
        committed_rows(next(iter(snakemake.input.committed), None), snakemake.params.taken),
    )
    write_csv(table, snakemake.output[0])
