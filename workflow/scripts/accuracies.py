"""Write a table of accuracies at k1 and k2, observed, true, predicted and printed."""

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.accuracy_table import accuracy_table
from pipeline.jobs.curve_files import read_kinds
from pipeline.jobs.job import job

with job(snakemake):
    true, observed, predicted = read_kinds(snakemake.input.curves)
    table = accuracy_table(
        true,
        observed,
        predicted,
        [tuple(setting) for setting in snakemake.params.plan["settings"]],
        list(snakemake.params.plan["methods"]),
        printed=snakemake.params.printed,
    )
    write_csv(table, snakemake.output[0])
