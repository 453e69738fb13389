"""Draw DET curves, predicted from one choice of k1 identities and true."""

from accuracy_curves.identification.methods import KINDS
from accuracy_curves.prediction.plots.style import method_styles, save_figure
from accuracy_curves.scores.score_files import load_scores
from experiments.evaluation.identification_errors import det_curves
from experiments.figures.identification_errors import det_figure
from pipeline.jobs.curve_files import plan_settings
from pipeline.jobs.job import job
from pipeline.provenance import stamp

with job(snakemake):
    plan = snakemake.params.plan
    scores = {path.split("/")[-1].removesuffix(".npz"): path for path in snakemake.input.scores}
    methods = {key: (name, plan["options"][key]) for key, name in plan["methods"].items()}
    curves = {
        setting: det_curves(
            load_scores(scores[setting.experiment]),
            setting.k1,
            (plan["seed"], setting.experiment),
            methods,
        )
        for setting in plan_settings(plan)
    }
    figure = det_figure(curves, method_styles(plan["methods"], KINDS))
    save_figure(figure, snakemake.output.pdf.removesuffix(".pdf"), stamp(snakemake.config))
