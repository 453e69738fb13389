"""Measure the noise of the draw of the classes of each repetition."""

from experiments.evaluation.class_draw import class_draw_noise
from experiments.evaluation.subsampling import read_draws
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    (draws,) = read_draws(snakemake.input, snakemake)
    noise = class_draw_noise(draws, snakemake.params.k2, snakemake.params.ties)
    write_table(noise, snakemake.output[0], provenance)
