"""Embed the images of a data set."""

from accuracy_curves.utils.files import save_arrays
from experiments.datasets import make_dataset
from experiments.datasets.downloads.sources import check_originals
from experiments.job import job

with job(snakemake) as provenance:
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **snakemake.params.dataset)
    check_originals(dataset)
    save_arrays(dataset.embed(), snakemake.output[0], provenance)
