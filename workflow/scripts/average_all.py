"""Average the accuracy over all subsets of a data set's classes."""

from experiments.evaluation.subsampling import true_curve
from experiments.job import job
from experiments.stored import load_matrix, write_table

with job(snakemake) as provenance:
    matrix = load_matrix(snakemake.input[0])
    curve = true_curve(matrix, snakemake.params.k2, snakemake.params.seed)
    write_table(curve, snakemake.output[0], provenance)
