"""Count how often the intervals hold the truth, write the table and draw it."""

from accuracy_curves.prediction.plots.style import method_styles, save_figure
from accuracy_curves.utils.tables import write_csv
from experiments.evaluation.interval_coverage import coverage_table
from experiments.figures.coverage import coverage_figure
from pipeline.jobs.curve_files import committed_rows, read_curves
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    intervals = list(snakemake.input.intervals)
    table = coverage_table(
        read_curves(intervals) if intervals else None,
        committed_rows(snakemake.input.get("committed"), snakemake.params.taken),
    )
    figure = coverage_figure(table, method_styles(snakemake.params.plan["methods"]))
    write_csv(table, snakemake.output.table)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
