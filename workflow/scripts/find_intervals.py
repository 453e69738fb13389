"""Find a method's intervals in each repetition, and what they should hold."""

from experiments.evaluation.interval_coverage import interval_draws
from experiments.evaluation.subsampling import read_draws
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    params = snakemake.params
    (draws,) = read_draws(snakemake.input, snakemake)
    asked = {"splits": params.splits, "multiples": params.multiples}
    intervals = interval_draws(draws, *params.method, **asked)
    write_table(intervals, snakemake.output[0], provenance)
