"""Draw the errors of all methods in all settings."""

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from experiments.figures.matrix import matrix_figure
from pipeline.jobs.curve_files import plan_settings, read_curves
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    figure = matrix_figure(
        read_curves(snakemake.input.errors),
        method_styles(plan["methods"]),
        plan_settings(plan),
        plan["reference"],
        plan["show"],
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
