"""Average the accuracy over all subsets of each repetition's classes."""

import pandas as pd

from experiments.evaluation.subsampling import observe, read_draws
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    curves = [observe(draws) for draws in read_draws(snakemake.input, snakemake)]
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], provenance)
