"""Extrapolate the accuracy from each repetition's classes, with one method."""

import pandas as pd

from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.utils.tables import write_table
from experiments.evaluation.subsampling import predict
from pipeline.jobs.job import job
from pipeline.jobs.score_inputs import scores_of_repetitions

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
        for path, drawn in scores_of_repetitions(snakemake.input, params.repetitions)
    ]
    table = pd.concat(curves, ignore_index=True)
    write_table(table, snakemake.output[0], provenance)
