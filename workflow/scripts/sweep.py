"""Draw errors at k2 against what varies, and write their table (Zheng et al. 2017, Figure 10)."""

import pandas as pd

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.curve_errors import SETTING
from experiments.evaluation.errors_at_k import errors_at_k
from experiments.figures.sweep import sweep_figure
from pipeline.jobs.curve_files import committed_rows, read_kinds
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    parts = [committed_rows(snakemake.input.get("committed"), snakemake.params.taken)]
    if snakemake.input.curves:
        true, _, predicted = read_kinds(snakemake.input.curves, plan["k2"])
        parts.append(errors_at_k(predicted, true, plan["k2"]))
    table = pd.concat(parts, ignore_index=True).sort_values([*SETTING, "k"], ignore_index=True)
    figure = sweep_figure(
        table,
        method_styles(plan["methods"]),
        over=plan["over"],
        show=plan["show"],
        sigma=plan["sigma"],
    )
    write_csv(table, snakemake.output.table)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
