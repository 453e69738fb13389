"""Train a data set's classifier on a repetition's k1 classes alone, and score their test images."""

from accuracy_curves.scores.formats.scores import save_scores
from accuracy_curves.scores.parts import draw_classes
from experiments.datasets import make_dataset
from experiments.job import job

with job(snakemake) as provenance:
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **snakemake.params.dataset)
    k1 = int(snakemake.wildcards.k1)
    classes = draw_classes(dataset.n_classes, k1, snakemake.params.seed_of_classes)
    matrix = dataset.trained_scores(snakemake.params.seed, classes)
    save_scores(matrix, snakemake.output[0], provenance=provenance)
