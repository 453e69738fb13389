"""Draw a figure, whose metadata say what made it and what was plotted."""

import json

from accuracy_curves.answers.plots import save_figure
from experiments.figures import make_figure
from experiments.figures.panels import plotted
from experiments.job import job

with job(snakemake) as provenance:
    plan = snakemake.params.plan
    drawn = make_figure(snakemake.wildcards.kind, plan["entry"])
    figure = drawn.draw_from(dict(snakemake.input.items()), plan)
    absent = sorted({each[0] for each in plan.get("absent", [])})
    about = {**json.loads(provenance), "shows": plotted(figure), "absent": absent}
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), json.dumps(about), 42)
