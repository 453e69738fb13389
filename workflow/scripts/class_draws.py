"""Set the methods' median errors beside the noise of the draw of the points' classes."""

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.class_draw import summarise_draws
from pipeline.jobs.curve_files import read_curves, read_errors
from pipeline.jobs.job import job

with job(snakemake):
    noise, errors = read_curves(snakemake.input.noise), read_errors(snakemake.input.errors)
    write_csv(summarise_draws(noise, errors), snakemake.output[0])
