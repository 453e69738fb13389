"""Draw the verdict on each claim under each choice."""

import pandas as pd

from accuracy_curves.prediction.plots.style import save_figure
from experiments.figures.verdicts import verdicts_figure
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    table = pd.read_csv(snakemake.input.choices[0], keep_default_na=False)
    figure = verdicts_figure(table, snakemake.params.plan.get("claims"))
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
