"""Extrapolate the accuracy from each repetition's classes, with one method."""

import pandas as pd

from experiments.evaluation.subsampling import predict, read_draws
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    k2, (method, options) = snakemake.params.k2, snakemake.params.method
    curves = [
        predict(draws, k2, method, options) for draws in read_draws(snakemake.input, snakemake)
    ]
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], provenance)
