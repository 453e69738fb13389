"""Draw a figure of the bivariate normal toy example (Zheng et al. 2017, Figures 3 to 6)."""

from accuracy_curves.prediction.plots.style import save_figure
from experiments.figures.bivariate_normal import toy_figure
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    figure = toy_figure(**snakemake.params.plan)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
