"""Tabulate the seconds of all methods, and the noise of the draw of the classes."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.class_draw import summarise_draws
from experiments.evaluation.methods_table import methods_table
from experiments.evaluation.result_files import read_curves, read_draws, read_published_rows
from experiments.job import job

with job(snakemake):
    files, params = snakemake.input, snakemake.params
    errors, noise = pd.read_csv(files.errors), read_draws(files.noise)
    table = methods_table(
        errors,
        read_curves(files.seconds) if files.seconds else None,
        read_published_rows(files.published, params.published_rows),
    )
    write_csv(table, snakemake.output.methods)
    write_csv(noise, snakemake.output.draws)
    write_csv(summarise_draws(noise), snakemake.output.summary)
