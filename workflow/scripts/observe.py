"""Average the accuracy over all subsets of each repetition's classes."""

from accuracy_curves.evaluation.subsampling import observe
from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.utils.tables import write_table
from pipeline.jobs.job import job

with job(snakemake) as provenance:
    curves = observe(
        load_matrix(snakemake.input[0]),
        int(snakemake.wildcards.k1),
        range(snakemake.params.repetitions),
        tuple(snakemake.params.seed_parts),
    )
    write_table(curves, snakemake.output[0], provenance)
