"""Find the intervals of open-set rates in each repetition, and what they should hold."""

from experiments.evaluation.identification_errors import rate_intervals
from experiments.evaluation.subsampling import read_draws
from experiments.job import job
from experiments.stored import read_table, write_table

with job(snakemake) as provenance:
    files, params = snakemake.input, snakemake.params
    (draws,) = read_draws([files.scores], snakemake)
    intervals = rate_intervals(
        draws,
        read_table(files.truth),
        *params.method,
        splits=params.splits,
        of_population=params.of_population,
    )
    write_table(intervals, snakemake.output[0], provenance)
