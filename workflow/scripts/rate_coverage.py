"""Count how often the intervals of open-set rates hold the truth, write the table and draw it."""

from accuracy_curves.identification.methods import KINDS
from accuracy_curves.prediction.plots.style import method_styles, save_figure
from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.identification_errors import rate_coverage
from experiments.figures.identification_errors import rate_coverage_figure
from pipeline.jobs.curve_files import read_curves
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    intervals = read_curves(snakemake.input.rate_intervals)
    styles = method_styles(snakemake.params.plan["methods"], KINDS)
    figure = rate_coverage_figure(rate_coverage(intervals, ["method"]), styles)
    write_csv(rate_coverage(intervals), snakemake.output.table)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
