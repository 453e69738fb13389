"""Average the accuracy of each repetition's own classifier over all subsets of its classes."""

import pandas as pd

from accuracy_curves.evaluation.subsampling import observe
from accuracy_curves.scores.score_files import load_scores
from accuracy_curves.utils.tables import write_table
from pipeline.jobs.job import job

with job(snakemake) as provenance:
    curves = [
        # All k1 classes of the file are drawn.
        observe(
            load_scores(path),
            int(snakemake.wildcards.k1),
            [repetition],
            tuple(snakemake.params.seed_parts),
        )
        for repetition, path in enumerate(snakemake.input)
    ]
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], provenance)
