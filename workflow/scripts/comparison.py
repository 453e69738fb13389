"""Draw the methods' curves and errors on several data sets (ICLR 2021, Figure 3)."""

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from experiments.figures.experiments import experiments_figure
from pipeline.jobs.curve_files import plan_settings, read_curves, read_kinds
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    true, observed, predicted = read_kinds(snakemake.input.curves, repetitions=plan["repetitions"])
    figure = experiments_figure(
        predicted,
        observed,
        true,
        read_curves(snakemake.input.errors),
        method_styles(plan["methods"]),
        plan_settings(plan),
        reference=plan["reference"],
        absent=plan["absent"],
        repetitions=plan["repetitions"],
        noise=read_curves(snakemake.input.class_draw),
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
