"""Judge a paper's claims by the errors."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.claims import judge, read_claims
from experiments.job import job

with job(snakemake):
    errors, claims = pd.read_csv(snakemake.input.errors), read_claims(snakemake.input.claims)
    write_csv(judge(errors, claims, snakemake.params.seed), snakemake.output[0])
