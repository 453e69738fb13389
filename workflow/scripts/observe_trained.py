"""Average the accuracy of each repetition's own classifier over all subsets of its classes."""

import pandas as pd

from accuracy_curves.repetitions import observe
from accuracy_curves.score_files import load_scores
from accuracy_curves.tables import write_table
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
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
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], stamp(snakemake.config))
