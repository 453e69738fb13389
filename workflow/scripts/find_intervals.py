"""Find a method's intervals in each repetition, and what they should hold."""

from experiments.evaluation.interval_coverage import interval_draws
from experiments.job import job
from experiments.stored import load_matrix, write_table

with job(snakemake) as provenance:
    method, options = snakemake.params.method
    draws = interval_draws(
        load_matrix(snakemake.input[0]),
        int(snakemake.wildcards.k1),
        range(snakemake.params.repetitions),
        tuple(snakemake.params.seed_parts),
        method,
        options,
        splits=snakemake.params.splits,
    )
    write_table(draws, snakemake.output[0], provenance)
