"""Average the accuracy over all subsets of each repetition's classes."""

import pandas as pd

from experiments.evaluation.result_files import matrices_of
from experiments.evaluation.subsampling import observe
from experiments.job import job
from experiments.stored import load_matrix, write_table

with job(snakemake) as provenance:
    params = snakemake.params
    k1, seed_parts = int(snakemake.wildcards.k1), tuple(params.seed_parts)
    curves = [
        observe(load_matrix(path), k1, drawn, seed_parts)
        for path, drawn in matrices_of(snakemake.input, params.repetitions)
    ]
    write_table(pd.concat(curves, ignore_index=True), snakemake.output[0], provenance)
