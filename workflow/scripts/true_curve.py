"""Average the accuracy over all subsets of a data set's classes."""

from accuracy_curves.distance_matrix import load_matrix
from accuracy_curves.repetitions import true_curve
from accuracy_curves.tables import write_table
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    matrix = load_matrix(snakemake.input[0])
    curve = true_curve(matrix, snakemake.params.k2, snakemake.params.seed)
    write_table(curve, snakemake.output[0], stamp(snakemake.config))
