"""Draw a figure of the bivariate normal toy example (Zheng et al. 2017, Figures 3 to 6)."""

from accuracy_curves.figures.bivariate_normal import toy_figure
from accuracy_curves.figures.style import save_figure
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    figure = toy_figure(**snakemake.params.plan)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
