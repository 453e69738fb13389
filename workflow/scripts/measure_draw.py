"""Measure the noise of the draw of the classes of each repetition."""

from experiments.evaluation.class_draw import class_draw_noise
from experiments.job import job
from experiments.stored import load_matrix, write_table

with job(snakemake) as provenance:
    noise = class_draw_noise(
        load_matrix(snakemake.input[0]),
        int(snakemake.wildcards.k1),
        snakemake.params.k2,
        range(snakemake.params.repetitions),
        tuple(snakemake.params.seed_parts),
        snakemake.params.ties,
    )
    write_table(noise, snakemake.output[0], provenance)
