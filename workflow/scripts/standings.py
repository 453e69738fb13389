"""Compare the methods over groups of settings."""

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.method_ranking import standings
from pipeline.jobs.curve_files import read_curves, read_errors
from pipeline.jobs.job import job

with job(snakemake):
    params = snakemake.params
    table = standings(
        read_errors(snakemake.input.errors),
        {name: [*map(tuple, plan["settings"])] for name, plan in params.groups.items()},
        published=params.published,
        mixed=params.mixed,
        reference=params.reference,
        methods={name: list(plan["methods"]) for name, plan in params.groups.items()},
        mixtures=read_curves(snakemake.input.mixtures),
        seed=params.seed,
    )
    write_csv(table, snakemake.output[0])
