"""Extrapolate the accuracy from each repetition's classes, with one method."""

from accuracy_curves.distance_matrix import load_matrix
from accuracy_curves.repetitions import predict
from accuracy_curves.tables import write_table
from pipeline.chunks import chunk_repetitions
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
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
    write_table(curves, snakemake.output[0], stamp(snakemake.config))
