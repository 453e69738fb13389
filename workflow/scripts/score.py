"""Make the score matrix of a data set."""

from pathlib import Path

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.formats.scores import save_scores
from accuracy_curves.utils.files import opened_npz
from experiments.datasets import make_dataset
from experiments.datasets.base import EmbeddedDataset
from experiments.datasets.downloads.sources import check_originals
from experiments.job import job

with job(snakemake) as provenance:
    params = snakemake.params
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **params.dataset)
    if isinstance(dataset, EmbeddedDataset):
        with opened_npz(Path(snakemake.input[0])) as arrays:
            matrix = dataset.score_embedded(arrays)
    else:
        check_originals(dataset)
        matrix = dataset.score_matrix(params.seed)
    if matrix.n_classes < params.k2 and not params.known:
        raise InputError(
            f"experiments.{snakemake.wildcards.experiment}: k2 = {params.k2} is above the "
            f"{matrix.n_classes} classes of its data set"
        )
    save_scores(matrix, snakemake.output[0], provenance=provenance)
