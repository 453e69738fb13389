"""Set the methods' median errors beside the noise of the draw of the points' classes."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.class_draw import summarise_draws
from experiments.evaluation.result_files import read_draws
from experiments.job import job

with job(snakemake):
    noise, errors = read_draws(snakemake.input.noise), pd.read_csv(snakemake.input.errors)
    write_csv(noise, snakemake.output.draws)
    write_csv(summarise_draws(noise, errors), snakemake.output.summary)
