"""Count how often the intervals of open-set rates hold the truth, by setting and over all."""

import pandas as pd

from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.identification_errors import rate_coverage
from experiments.evaluation.interval_coverage import POOLED
from experiments.evaluation.result_files import read_curves
from experiments.job import job

with job(snakemake):
    intervals = read_curves(snakemake.input)
    together = rate_coverage(intervals, ["method"]).assign(experiment=POOLED)
    write_csv(pd.concat([rate_coverage(intervals), together]), snakemake.output[0])
