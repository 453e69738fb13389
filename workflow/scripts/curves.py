"""Draw a grid of accuracy curves (ICLR 2021, Figures 4 and 5)."""

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from experiments.evaluation.curve_errors import repetition_errors
from experiments.figures.curves import curve_grid
from pipeline.jobs.curve_files import plan_settings, read_curves, read_kinds
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    k2, few = plan.get("k2"), plan["repetitions"]
    shown = range(2, k2 + 1) if k2 else None
    true, observed, predicted = read_kinds(snakemake.input.curves, shown, repetitions=few)
    errors = repetition_errors(predicted, true) if k2 else read_curves(snakemake.input.errors)
    figure = curve_grid(
        predicted,
        observed,
        true,
        method_styles(plan["methods"]),
        plan_settings(plan),
        errors=errors,
        repetitions=few,
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
