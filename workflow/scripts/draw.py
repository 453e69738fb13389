"""Draw a figure."""

from accuracy_curves.answers.style import save_figure
from experiments.figures import make_figure
from experiments.job import job

with job(snakemake) as provenance:
    plan = snakemake.params.plan
    drawn = make_figure(snakemake.wildcards.kind, plan["entry"])
    figure = drawn.draw_from(dict(snakemake.input.items()), plan)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), provenance)
