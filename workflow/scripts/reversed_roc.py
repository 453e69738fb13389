"""Draw the reversed ROC of four points and its average (ICLR 2021, Figure 1)."""

from accuracy_curves.prediction.plots.reversed_roc import reversed_roc_figure
from accuracy_curves.prediction.plots.style import save_figure
from accuracy_curves.scores.distance_matrix import load_matrix
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    figure = reversed_roc_figure(
        load_matrix(snakemake.input[0]), seed=snakemake.params.plan["seed"]
    )
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
