"""Measure the errors of all equal mixtures of at most three methods in one setting."""

import pandas as pd

from accuracy_curves.utils.tables import write_table
from experiments.evaluation.method_ranking import mixture_errors
from pipeline.jobs.curve_files import read_curves
from pipeline.jobs.job import job

with job(snakemake) as provenance:
    files = snakemake.input
    if files.predicted:
        errors = mixture_errors(read_curves(files.predicted), read_curves(files.true))
    else:  # The curves of some methods are not at hand.
        errors = pd.DataFrame({"methods": [], "repetition": [], "rmse_curve": []})
    write_table(errors, snakemake.output[0], provenance)
