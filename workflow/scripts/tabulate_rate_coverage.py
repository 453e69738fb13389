"""Count how often the intervals of open-set rates hold the truth, by setting and over all."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.identification_errors import rate_coverage
from experiments.evaluation.interval_coverage import POOLED
from experiments.evaluation.result_files import read_curves, read_published_rows
from experiments.job import job

with job(snakemake):
    files = snakemake.input
    tables = [read_published_rows(files.published, snakemake.params.published_rows)]
    if files.intervals:
        intervals = read_curves(files.intervals)
        together = rate_coverage(intervals, ["method"]).assign(experiment=POOLED)
        tables += [rate_coverage(intervals), together]
    write_csv(pd.concat(tables), snakemake.output[0])
