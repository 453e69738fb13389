"""Predict rates of open-set identification from each repetition's identities."""

from experiments.datasets import make_dataset
from experiments.evaluation.identification_errors import predicted_rates
from experiments.evaluation.identification_truth import true_rates
from experiments.evaluation.subsampling import read_draws
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    params = snakemake.params
    dataset = make_dataset(data_dir=snakemake.config["data_dir"], **params.dataset)
    (draws,) = read_draws(snakemake.input, snakemake)
    truth = true_rates(dataset, draws.matrix, params.k2, params.targets)
    rates = predicted_rates(draws, truth, *params.method, **params.intervals)
    write_table(rates, snakemake.output[0], provenance)
