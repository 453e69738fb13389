"""Judge claims of papers, also under choices that these do not print."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.bivariate_normal_model import polynomial_errors
from experiments.evaluation.claims import TOY_EXAMPLE, Choice, read_claims
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.quantities import with_curve_columns
from experiments.evaluation.verdicts import judge
from experiments.job import job

with job(snakemake):
    files, params = snakemake.input, snakemake.params
    claims = read_claims(files.claims)
    errors = with_curve_columns(pd.read_csv(files.errors), pd.read_csv(files.summary))
    beside = zip(files.published, files.summaries, params.other_data, strict=True)
    for path, summary, others in beside:
        published = with_curve_columns(pd.read_csv(path), pd.read_csv(summary))
        published = published[~published["experiment"].isin(others)]
        known = published.set_index(SETTING).index.isin(errors.set_index(SETTING).index)
        # A method that is there in a setting comes from one table, whole.
        errors = pd.concat([errors, published[~known]], ignore_index=True)
    tables = {
        name: pd.read_csv(path) for name, path in zip(params.tables, files.tables, strict=True)
    }
    if TOY_EXAMPLE in {claim.table for claim in claims.values()}:
        tables[TOY_EXAMPLE] = polynomial_errors()
    choices = {name: Choice(**options) for name, options in params.choices.items()}
    write_csv(judge(errors, claims, params.seed, tables, choices), snakemake.output[0])
