"""Judge a paper's claims by the errors."""

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.claims import Claim, judge
from pipeline.jobs.curve_files import read_errors
from pipeline.jobs.job import job

with job(snakemake):
    claims = {name: Claim(**options) for name, options in snakemake.params.claims.items()}
    errors = read_errors(snakemake.input.errors)
    write_csv(judge(errors, claims, snakemake.params.seed), snakemake.output[0])
