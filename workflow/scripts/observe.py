"""Average the accuracy over all subsets of each repetition's classes, and measure their noise."""

import pandas as pd

from experiments.evaluation.class_draw import class_draw_noise
from experiments.evaluation.subsampling import observe, read_draws
from experiments.job import job
from experiments.stored import write_table

with job(snakemake) as provenance:
    files, params, output = snakemake.input, snakemake.params, snakemake.output
    curves = [observe(draws) for draws in read_draws(files.sampled, snakemake)]
    write_table(pd.concat(curves, ignore_index=True), output.curves, provenance)
    (draws,) = read_draws([files.whole], snakemake)
    write_table(class_draw_noise(draws, params.k2, params.ties), output.noise, provenance)
