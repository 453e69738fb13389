"""Find the intervals of open-set rates in each repetition, and what they should hold."""

from accuracy_curves.scores.score_files import load_scores
from experiments.evaluation.identification_errors import rate_intervals
from experiments.job import job
from experiments.stored import read_table, write_table

with job(snakemake) as provenance:
    params = snakemake.params
    method, options = params.method
    intervals = rate_intervals(
        load_scores(snakemake.input.scores),
        read_table(snakemake.input.truth),
        int(snakemake.wildcards.k1),
        range(params.repetitions),
        tuple(params.seed_parts),
        method,
        options,
        splits=params.splits,
        of_population=params.of_population,
    )
    write_table(intervals, snakemake.output[0], provenance)
