"""Find the true rates of open-set identification in the largest gallery."""

import numpy as np

from experiments.datasets import make_dataset
from experiments.evaluation.identification_truth import closed_form, observed_truth
from experiments.job import job
from experiments.stored import load_matrix, write_table

with job(snakemake) as provenance:
    params = snakemake.params
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **params.dataset)
    population = closed_form(dataset)
    if population is None:
        matrix = load_matrix(snakemake.input[0])
        truth = observed_truth(matrix.select_classes(np.arange(params.k2)), params.targets)
    else:
        truth = population.truth(params.k2 - 1, params.targets)
    write_table(truth, snakemake.output[0], provenance)
