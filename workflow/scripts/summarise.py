"""Summarise the errors of all settings and methods, their seconds, and the draw of the classes."""

import pandas as pd

from accuracy_curves.utils.files import write_csv
from experiments.evaluation.class_draw import summarise_draws
from experiments.evaluation.findings import write_findings
from experiments.evaluation.result_files import (
    read_curves,
    read_draws,
    read_errors,
    read_published_rows,
)
from experiments.evaluation.summary import add_spread, methods_table, summarise
from experiments.job import job
from experiments.stored import read_table

with job(snakemake):
    files, params, output = snakemake.input, snakemake.params, snakemake.output
    # With the digits of errors.csv, so that a table made from it again is the same.
    errors, noise = read_errors(files.errors), read_draws(files.noise)
    spread = pd.concat(map(read_table, files.spread), ignore_index=True)
    seconds = read_curves(files.seconds) if files.seconds else None
    summaries, methods = (
        read_published_rows(paths, params.published_rows)
        for paths in (files.summaries, files.methods)
    )
    summary = add_spread(summarise(errors, params.reference), spread, summaries)
    write_csv(errors, output.errors)
    write_csv(summary, output.summary)
    write_csv(methods_table(errors, seconds, methods), output.methods)
    write_csv(noise, output.draws)
    write_csv(summarise_draws(noise), output.class_draw)
    what = "of the accuracy curve"
    setting = ["experiment", "k1"]
    write_findings(output.findings, summary, setting, "rmse_curve_mean", what)
