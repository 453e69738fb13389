"""Predict rates of open-set identification from each repetition's identities."""

from experiments.evaluation.identification_errors import predicted_rates
from experiments.evaluation.subsampling import read_draws
from experiments.job import job
from experiments.stored import read_table, write_table

with job(snakemake) as provenance:
    files = snakemake.input
    (draws,) = read_draws([files.scores], snakemake)
    rates = predicted_rates(
        draws, read_table(files.truth), *snakemake.params.method, **snakemake.params.intervals
    )
    write_table(rates, snakemake.output[0], provenance)
