"""Extrapolate the accuracy of each repetition's own classifier, with one method."""

import pandas as pd

from accuracy_curves.evaluation.subsampling import predict
from accuracy_curves.scores.score_files import load_scores
from accuracy_curves.utils.tables import write_table
from pipeline.jobs.job import job
from pipeline.preset.chunks import chunk_repetitions

with job(snakemake) as provenance:
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
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], provenance)
