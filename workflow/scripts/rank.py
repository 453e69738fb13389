"""Compare the methods over groups of settings."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.standings import standings
from experiments.job import job

with job(snakemake):
    params = snakemake.params
    table = standings(
        pd.read_csv(snakemake.input[0]),
        params.groups,
        published=params.published,
        reference=params.reference,
        seed=params.seed,
    )
    write_csv(table, snakemake.output[0])
