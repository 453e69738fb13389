"""Extrapolate the accuracy of each repetition's own classifier, with one method."""

import pandas as pd

from accuracy_curves.repetitions import predict
from accuracy_curves.score_files import load_scores
from accuracy_curves.tables import write_table
from pipeline.chunks import chunk_repetitions
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    method, options = snakemake.params.method
    repetitions = chunk_repetitions(snakemake.wildcards.chunk)
    curves = [
        # All k1 classes of the file are drawn.
        predict(
            load_scores(path),
            k1=int(snakemake.wildcards.k1),
            k2=snakemake.params.k2,
            repetitions=[repetition],
            seed_parts=tuple(snakemake.params.seed_parts),
            method=method,
            options=options,
        )
        for repetition, path in zip(repetitions, snakemake.input, strict=True)
    ]
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], stamp(snakemake.config))
