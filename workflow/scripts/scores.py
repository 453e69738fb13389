"""Make the score matrix of a data set, or the embeddings that stand for it."""

from accuracy_curves.datasets import make_dataset
from accuracy_curves.distance_matrix import save_distances
from accuracy_curves.score_files import save_scores
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **snakemake.params.dataset)
    if snakemake.params.stored:
        save, made = save_scores, dataset.score_matrix(snakemake.params.seed)
    else:
        save, made = save_distances, dataset.distance_matrix(snakemake.params.seed)
    save(made, snakemake.output[0], provenance=stamp(snakemake.config))
