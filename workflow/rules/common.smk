# Reads and checks the preset; what the other rules share.
import os
import re
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

LIBRARY = os.path.join(workflow.basedir, "workflow")
sys.path.insert(0, LIBRARY)
# Jobs are processes of their own, and with conda they have another Python: both find the library.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [LIBRARY, os.getenv("PYTHONPATH")]))
)

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.utils.seeds import derive_seed
from pipeline.fingerprint import code_fingerprint
from pipeline.jobs import stopping
from pipeline.preset import chunks, coverage_plans, figure_plans
from pipeline.preset import original_files, settings
from pipeline.preset.configuration import check_config
from pipeline.preset.settings import stores_matrix

os.environ[stopping.PARENT] = str(os.getpid())

if workflow.is_main_process and stopping.locked():
    logger.warning(stopping.LOCKED)

try:
    config.update(check_config(config))
    RESULTS = f"results/{config['preset']}"
    if config["absent"] == "leave_out":
        config.update(original_files.leave_out_absent(config, Path(RESULTS)))
except AccuracyCurvesError as error:
    raise WorkflowError(str(error)) from None

DRAWINGS = f"figures/{config['preset']}"
LOGS = f"{RESULTS}/logs"
BENCHMARKS = f"{RESULTS}/benchmarks"
if workflow.is_main_process:
    for label, what in config.get("left_out", {}).items():
        logger.warning(f"{label} is left out: {what}.")
if not config["experiments"]:
    raise WorkflowError("No experiment is left of the preset: none has its scores.")
FIGURES = list(figure_plans.figures(config))
# A pattern for the experiments whose classifier is trained anew; it may match none.
TRAINED = "|".join(map(re.escape, settings.trained_anew(config))) or "(?!)"
FIGURES_MADE = expand(
    [f"{DRAWINGS}/{kind}/{name}.{{suffix}}" for kind, name in FIGURES],
    suffix=["pdf", "png"],
)
# The first experiment that needs each embedding.
EMBEDDED = original_files.embeddings(config)
TABLES_MADE = [
    *expand(f"{RESULTS}/tables/{{name}}.csv", name=config["tables"]),
    *expand(f"{RESULTS}/sweep/{{name}}.csv", name=config["figures"]["sweep"]),
    *expand(f"{RESULTS}/coverage/{{name}}.csv", name=config["figures"]["coverage"]),
    *([f"{RESULTS}/claims.csv"] if config["claims"] else []),
    *([f"{RESULTS}/standings.csv"] if config["standings"]["groups"] else []),
]


wildcard_constraints:
    experiment="[A-Za-z][A-Za-z0-9_.]*",
    k1="[0-9]+",
    method="[a-z][a-z0-9_]*",
    chunk="[0-9]+-[0-9]+",
    kind="[a-z_]+",
    name="[^/]+",


fingerprint = cache(code_fingerprint)


def more_each_attempt(megabytes):
    """Twice the memory at each retry: the job before may have been killed for it."""
    return lambda wildcards, attempt: megabytes * 2 ** (attempt - 1)


def experiment_of(wildcards):
    return config["experiments"][wildcards.experiment]


def dataset_files(wildcards):
    return files_of_experiment(wildcards.experiment)


def files_of_experiment(experiment):
    # A copy of an original is as good as another: only its checksum counts, and not its age.
    own, fetchable = original_files.files_of(config, experiment)
    return own + [ancient(path) for path in fetchable]


def embedded_or_files(wildcards):
    name = original_files.embedding_of(config, wildcards.experiment)
    if name is None:
        return dataset_files(wildcards)
    return f"{RESULTS}/embeddings/{name}.npz"


def trained_scores(wildcards, repetitions):
    return [
        f"{RESULTS}/scores/{wildcards.experiment}/k1_{wildcards.k1}/{repetition:04d}.npz"
        for repetition in repetitions
    ]


def curves_of(experiment, k1, methods):
    setting = settings.Setting(experiment, int(k1))
    return [
        f"{RESULTS}/predicted/{experiment}/k1_{k1}/{method}/{chunk}.parquet"
        for method in methods
        for chunk in chunks.chunks(config, setting, method)
    ]


def figure_of(wildcards, kind):
    drawn = config["tables"] if kind == "tables" else config["figures"][kind]
    return drawn[wildcards.name]


def figure_settings(wildcards, kind):
    return figure_plans.figure_settings(config, figure_of(wildcards, kind))


def figure_experiments(wildcards, kind):
    settings = figure_settings(wildcards, kind)
    return list(dict.fromkeys(experiment for experiment, _ in settings))


def errors_of_figure(kind):
    return lambda wildcards: [
        f"{RESULTS}/errors/{experiment}/k1_{k1}.parquet"
        for experiment, k1 in figure_settings(wildcards, kind)
    ]


def class_draws_of_figure(kind):
    return lambda wildcards: [
        f"{RESULTS}/class_draw/{experiment}/k1_{k1}.parquet"
        for experiment, k1 in figure_settings(wildcards, kind)
    ]


def curves_of_figure(kind):
    return lambda wildcards: [
        path
        for experiment, k1 in figure_settings(wildcards, kind)
        for path in [
            f"{RESULTS}/true/{experiment}.parquet",
            f"{RESULTS}/observed/{experiment}/k1_{k1}.parquet",
            *curves_of(
                experiment,
                k1,
                figure_plans.figure_methods(config, figure_of(wildcards, kind)),
            ),
        ]
    ]


def plan_of_figure(kind):
    return lambda wildcards: figure_plans.figure_plan(
        config, figure_of(wildcards, kind)
    )
