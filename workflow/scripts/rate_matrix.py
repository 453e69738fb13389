"""Draw the errors of all methods for a rate of open-set identification."""

from accuracy_curves.identification.methods import KINDS
from accuracy_curves.prediction.plots.style import method_styles, save_figure
from experiments.figures.identification_errors import rate_matrix_figure
from pipeline.jobs.curve_files import plan_settings, read_curves
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    figure = rate_matrix_figure(
        read_curves(snakemake.input.rates),
        method_styles(plan["methods"], KINDS),
        plan_settings(plan),
        plan["reference"],
        plan["quantity"],
        plan["show"],
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
