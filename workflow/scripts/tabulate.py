"""Write a table of accuracies at k1 and k2, observed, true, predicted and printed."""

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.accuracy_table import accuracy_table
from experiments.evaluation.result_files import read_kinds
from experiments.job import job

with job(snakemake):
    params = snakemake.params
    settings = [*map(tuple, params.settings)]
    table = accuracy_table(
        *read_kinds(snakemake.input), settings, params.methods, printed=params.printed
    )
    write_csv(table, snakemake.output[0])
