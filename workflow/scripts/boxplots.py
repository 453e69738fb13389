"""Draw box plots of the errors (ICLR 2021, Figures 2 and 6)."""

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from experiments.figures.boxplots import rmse_boxplots
from pipeline.jobs.curve_files import plan_settings, read_curves
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    figure = rmse_boxplots(
        read_curves(snakemake.input.errors),
        method_styles(plan["methods"]),
        plan_settings(plan),
        hide_above=plan["hide_above"],
        noise=read_curves(snakemake.input.class_draw),
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
