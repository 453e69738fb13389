"""Draw a figure."""

from accuracy_curves.prediction.plots.style import save_figure
from experiments.figures import FIGURES
from experiments.job import job

with job(snakemake) as provenance:
    kind = FIGURES[snakemake.wildcards.kind]
    figure = kind.draw_from(dict(snakemake.input.items()), snakemake.params.plan)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), provenance)
