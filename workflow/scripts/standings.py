"""Compare the methods over groups of settings."""

import pandas as pd

from accuracy_curves.evaluation.method_ranking import standings
from accuracy_curves.utils.tables import write_csv
from pipeline.jobs.job import job

with job(snakemake):
    params = snakemake.params
    table = standings(
        pd.read_csv(snakemake.input[0]),
        {name: [*map(tuple, plan["settings"])] for name, plan in params.groups.items()},
        published=params.published,
        reference=params.reference,
        methods={name: list(plan["methods"]) for name, plan in params.groups.items()},
        seed=params.seed,
    )
    write_csv(table, snakemake.output[0])
