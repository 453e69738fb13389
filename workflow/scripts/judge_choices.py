"""Judge a paper's claims under choices that it does not print, with published errors beside."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.claims import Choice, judge_choices, read_claims
from experiments.evaluation.curve_errors import SETTING
from experiments.job import job

with job(snakemake):
    claims = read_claims(snakemake.input.claims)
    choices = {name: Choice(**options) for name, options in snakemake.params.choices.items()}
    errors = pd.read_csv(snakemake.input.errors)
    for path, others in zip(snakemake.input.published, snakemake.params.other_data, strict=True):
        published = pd.read_csv(path)
        published = published[~published["experiment"].isin(others)]
        known = published.set_index(SETTING).index.isin(errors.set_index(SETTING).index)
        # A method that is there in a setting comes from one table, whole.
        errors = pd.concat([errors, published[~known]], ignore_index=True)
    write_csv(judge_choices(errors, claims, choices, snakemake.params.seed), snakemake.output[0])
