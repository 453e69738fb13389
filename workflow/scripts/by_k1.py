"""Draw one data set from several k1, with its errors (Zheng et al. 2017, Figure 9, Table 1)."""

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from experiments.figures.curves import curves_by_k1
from pipeline.jobs.curve_files import plan_settings, read_curves, read_kinds
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    true, observed, predicted = read_kinds(snakemake.input.curves)
    figure = curves_by_k1(
        predicted,
        observed,
        true,
        read_curves(snakemake.input.errors),
        method_styles(plan["methods"]),
        plan_settings(plan),
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
