"""Judge a paper's claims by the errors."""

import pandas as pd

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.claims import Claim, judge
from experiments.job import job

with job(snakemake):
    claims = {name: Claim(**options) for name, options in snakemake.params.claims.items()}
    errors = pd.read_csv(snakemake.input[0])
    write_csv(judge(errors, claims, snakemake.params.seed), snakemake.output[0])
