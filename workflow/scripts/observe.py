"""Average the accuracy over all subsets of each repetition's classes."""

import pandas as pd

from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.utils.tables import write_table
from experiments.evaluation.subsampling import observe
from pipeline.jobs.job import job
from pipeline.jobs.score_inputs import scores_of_repetitions

with job(snakemake) as provenance:
    params = snakemake.params
    k1, seed_parts = int(snakemake.wildcards.k1), tuple(params.seed_parts)
    files = scores_of_repetitions(snakemake.input, range(params.repetitions))
    curves = [observe(load_matrix(path), k1, drawn, seed_parts) for path, drawn in files]
    table = pd.concat(curves, ignore_index=True)
    write_table(table, snakemake.output[0], provenance)
