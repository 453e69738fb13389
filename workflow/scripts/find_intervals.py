"""Find a method's intervals in each repetition, and what they should hold."""

from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.utils.tables import write_table
from experiments.evaluation.interval_coverage import interval_draws
from experiments.job import job

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
