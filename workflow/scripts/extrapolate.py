"""Extrapolate the accuracy from each repetition's classes, with one method."""

import pandas as pd

from experiments.evaluation.result_files import matrices_of
from experiments.evaluation.subsampling import predict
from experiments.job import job
from experiments.stored import load_matrix, write_table

with job(snakemake) as provenance:
    params = snakemake.params
    method, options = params.method
    curves = [
        predict(
            load_matrix(path),
            k1=int(snakemake.wildcards.k1),
            k2=params.k2,
            repetitions=drawn,
            seed_parts=tuple(params.seed_parts),
            method=method,
            options=options,
        )
        for path, drawn in matrices_of(snakemake.input, params.repetitions)
    ]
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], provenance)
