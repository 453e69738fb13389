"""Average the accuracy over all subsets of a data set's classes."""

from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.utils.tables import write_table
from experiments.evaluation.subsampling import true_curve
from experiments.job import job

with job(snakemake) as provenance:
    matrix = load_matrix(snakemake.input[0])
    curve = true_curve(matrix, snakemake.params.k2, snakemake.params.seed)
    write_table(curve, snakemake.output[0], provenance)
