"""Make the score matrix of a data set, or what stands for it: its embeddings, its folder."""

import numpy as np

from accuracy_curves.scores.distance_matrix import save_distances
from accuracy_curves.scores.mapped_scores import save_record
from accuracy_curves.scores.score_files import save_scores
from experiments.datasets import make_dataset
from experiments.datasets.base import EmbeddedDataset, load_embedded
from experiments.datasets.downloads.original_files import check_originals
from pipeline.jobs.job import job

with job(snakemake) as provenance:
    dataset = make_dataset(
        data_dir=snakemake.config["data_dir"], fetchable=True, **snakemake.params.dataset
    )
    seed, path = snakemake.params.seed, snakemake.output[0]
    if isinstance(dataset, EmbeddedDataset):
        matrix = dataset.scores_of(load_embedded(snakemake.input[0]), seed)
        save_scores(matrix, path, provenance=provenance)
    elif snakemake.params.stored:
        check_originals(dataset)
        matrix = dataset.score_matrix(seed)
        if isinstance(matrix.scores, np.memmap):
            save_record(matrix, dataset.path, path, provenance=provenance)
        else:
            save_scores(matrix, path, provenance=provenance)
    else:
        check_originals(dataset)
        save_distances(dataset.distance_matrix(seed), path, provenance=provenance)
