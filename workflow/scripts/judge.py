"""Judge a paper's claims by the errors and by tables of the run."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.bivariate_normal_model import polynomial_errors
from experiments.evaluation.claims import TOY_EXAMPLE, read_claims
from experiments.evaluation.quantities import with_curve_columns
from experiments.evaluation.verdicts import judge
from experiments.job import job

with job(snakemake):
    files, params = snakemake.input, snakemake.params
    claims = read_claims(files.claims)
    errors = with_curve_columns(pd.read_csv(files.errors), pd.read_csv(files.summary))
    tables = {
        name: pd.read_csv(path) for name, path in zip(params.tables, files.tables, strict=True)
    }
    if TOY_EXAMPLE in {claim.table for claim in claims.values()}:
        tables[TOY_EXAMPLE] = polynomial_errors()
    write_csv(judge(errors, claims, params.seed, tables), snakemake.output[0])
