"""Summarise the errors of open-set rates, and the coverage of their intervals."""

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.identification_errors import errors_by_repetition, summarise_rates
from experiments.evaluation.result_files import read_curves
from experiments.job import job

with job(snakemake):
    rates = read_curves(snakemake.input.rates)
    paths = snakemake.input.get("intervals", [])
    intervals = read_curves(paths) if paths else None
    write_csv(errors_by_repetition(rates), snakemake.output.errors)
    write_csv(summarise_rates(rates, intervals), snakemake.output.summary)
