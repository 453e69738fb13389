"""Judge a paper's claims under choices that it does not print, with published errors beside."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.claims import Choice, read_claims
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.quantities import with_curve_columns
from experiments.evaluation.verdicts import judge_choices
from experiments.job import job

with job(snakemake):
    files, params = snakemake.input, snakemake.params
    claims = read_claims(files.claims)
    choices = {name: Choice(**options) for name, options in params.choices.items()}
    errors = with_curve_columns(pd.read_csv(files.errors), pd.read_csv(files.summary))
    beside = zip(files.published, files.summaries, params.other_data, strict=True)
    for path, summary, others in beside:
        published = with_curve_columns(pd.read_csv(path), pd.read_csv(summary))
        published = published[~published["experiment"].isin(others)]
        known = published.set_index(SETTING).index.isin(errors.set_index(SETTING).index)
        # A method that is there in a setting comes from one table, whole.
        errors = pd.concat([errors, published[~known]], ignore_index=True)
    write_csv(judge_choices(errors, claims, choices, params.seed), snakemake.output[0])
