"""Judge a paper's claims under choices that it does not print, with committed errors beside."""

import pandas as pd

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.claims import Choice, Claim, judge_choices
from pipeline.jobs.curve_files import read_errors
from pipeline.jobs.job import job

KEY = ["experiment", "k1", "method", "repetition"]

with job(snakemake):
    claims = {name: Claim(**options) for name, options in snakemake.params.claims.items()}
    choices = {name: Choice(**options) for name, options in snakemake.params.choices.items()}
    tables = [read_errors(snakemake.input.errors), *map(pd.read_csv, snakemake.input.committed)]
    # What was computed here comes first, and counts.
    errors = pd.concat(tables, ignore_index=True).drop_duplicates(KEY)
    write_csv(judge_choices(errors, claims, choices, snakemake.params.seed), snakemake.output[0])
