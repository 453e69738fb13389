"""Extrapolate the accuracy from each repetition's classes, with one method."""

from accuracy_curves.evaluation.subsampling import predict
from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.utils.tables import write_table
from pipeline.jobs.job import job
from pipeline.preset.chunks import chunk_repetitions

with job(snakemake) as provenance:
    method, options = snakemake.params.method
    curves = predict(
        load_matrix(snakemake.input[0]),
        k1=int(snakemake.wildcards.k1),
        k2=snakemake.params.k2,
        repetitions=chunk_repetitions(snakemake.wildcards.chunk),
        seed_parts=tuple(snakemake.params.seed_parts),
        method=method,
        options=options,
    )
    write_table(curves, snakemake.output[0], provenance)
