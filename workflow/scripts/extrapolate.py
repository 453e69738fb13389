"""Extrapolate the accuracy from each repetition's classes, with one method."""

import pandas as pd

from experiments.evaluation.subsampling import predict, read_draws
from experiments.job import job
from experiments.provenance import with_gpus
from experiments.stored import write_table

with job(snakemake) as provenance:
    k2, (method, options) = snakemake.params.k2, snakemake.params.method
    parts = [
        predict(draws, k2, method, options) for draws in read_draws(snakemake.input, snakemake)
    ]
    for tables, path in zip(zip(*parts, strict=True), snakemake.output, strict=True):
        write_table(pd.concat(tables, ignore_index=True), path, with_gpus(provenance))
