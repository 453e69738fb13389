"""Predict rates of open-set identification from each repetition's identities."""

from accuracy_curves.scores.score_files import load_scores
from experiments.evaluation.identification_errors import predicted_rates
from experiments.job import job
from experiments.stored import read_table, write_table

with job(snakemake) as provenance:
    method, options = snakemake.params.method
    rates = predicted_rates(
        load_scores(snakemake.input.scores),
        read_table(snakemake.input.truth),
        int(snakemake.wildcards.k1),
        range(snakemake.params.repetitions),
        tuple(snakemake.params.seed_parts),
        method,
        options,
    )
    write_table(rates, snakemake.output[0], provenance)
