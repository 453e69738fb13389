"""Count how often the intervals hold the truth."""

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.interval_coverage import coverage_table
from experiments.evaluation.result_files import read_curves, read_published_rows
from experiments.job import job

with job(snakemake):
    files = snakemake.input
    known = read_published_rows(files.published, snakemake.params.published_rows)
    table = coverage_table(read_curves(files.intervals) if files.intervals else None, known)
    write_csv(table, snakemake.output[0])
