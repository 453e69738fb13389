"""Make the score matrix of a data set, from its files or its embeddings."""

from accuracy_curves.datasets import make_dataset
from accuracy_curves.datasets.embedded import EmbeddedDataset, load_embedded
from accuracy_curves.downloads.originals import check_originals
from accuracy_curves.score_files import save_scores
from pipeline.provenance import stamp
from pipeline.script import job

with job(snakemake):
    dataset = make_dataset(
        data_dir=snakemake.config["data_dir"], fetchable=True, **snakemake.params.dataset
    )
    if isinstance(dataset, EmbeddedDataset):
        matrix = dataset.scores_of(load_embedded(snakemake.input[0]), snakemake.params.seed)
    else:
        check_originals(dataset)
        matrix = dataset.score_matrix(snakemake.params.seed)
    save_scores(matrix, snakemake.output[0], provenance=stamp(snakemake.config))
