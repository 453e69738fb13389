"""Make the score matrix of a data set."""

from accuracy_curves.datasets import make_dataset
from accuracy_curves.score_files import save_scores
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **snakemake.params.dataset)
    matrix = dataset.score_matrix(snakemake.params.seed)
    save_scores(matrix, snakemake.output[0], provenance=stamp(snakemake.config))
