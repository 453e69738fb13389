"""Draw the distribution functions of the favorability (Zheng et al. 2017, Figure 10)."""

from accuracy_curves.observed.reversed_roc import gaps_and_levels
from accuracy_curves.prediction.plots.style import save_figure
from accuracy_curves.scores.distance_matrix import load_matrix
from experiments.figures.distributions import distributions_figure
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    drawn = {
        label: gaps_and_levels(load_matrix(path), seed=plan["seed"])
        for label, path in zip(plan["labels"].values(), snakemake.input, strict=True)
    }
    noise = {plan["labels"][name]: sigma for name, sigma in plan["sigma"].items()}
    figure = distributions_figure(drawn, noise or None)
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
