"""Tabulate what a figure shows."""

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.result_files import read_published_rows
from experiments.figures import FIGURES
from experiments.job import job

with job(snakemake):
    files, params = snakemake.input, snakemake.params
    known = read_published_rows(files.published, params.published_rows)
    drawn = FIGURES[snakemake.wildcards.kind]
    write_csv(drawn.tabulate(dict(files.items()), params.plan, known), snakemake.output[0])
