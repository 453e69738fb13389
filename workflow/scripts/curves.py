"""Draw a grid of accuracy curves (ICLR 2021, Figures 4 and 5)."""

from accuracy_curves.figures.curves import curve_grid
from accuracy_curves.figures.style import method_styles, save_figure
from pipeline.jobs.curve_files import plan_settings, read_curves, read_kinds
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    true, observed, predicted = read_kinds(snakemake.input.curves, repetitions=plan["repetitions"])
    figure = curve_grid(
        predicted,
        observed,
        true,
        method_styles(plan["methods"]),
        plan_settings(plan),
        errors=read_curves(snakemake.input.errors),
        repetitions=plan["repetitions"],
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
