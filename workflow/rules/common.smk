# Reads and checks the preset; what the other rules share.
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile
from snakemake.logging import logger

# Beside this file, also where another workflow imports this one.
LIBRARY = str(Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent)
sys.path.insert(0, LIBRARY)
# Jobs are processes of their own, and with conda they have another Python: both find the library.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [LIBRARY, os.getenv("PYTHONPATH")]))
)

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.utils.seeds import derive_seed
from pipeline.cost.work import priority_of
from pipeline.fingerprint import code_of
from pipeline.jobs import stopping
from pipeline.preset import choices, chunks, committed, figure_plans, made_with
from pipeline.preset import missing_files, settings
from pipeline.preset.configuration import check_config

os.environ[stopping.PARENT] = stopping.name_process(os.getpid())

if workflow.is_main_process and stopping.locked():
    logger.warning(stopping.LOCKED)

try:
    checked = check_config(config)
    RESULTS = f"results/{checked['preset']}"
    if checked["absent"] != "make":
        checked.update(missing_files.leave_out_absent(checked, Path(RESULTS)))
    DOWNLOADS = missing_files.downloads(checked)
    CONVERSIONS = missing_files.conversions(checked)
    # Settings and methods whose errors are the committed ones.
    TAKEN = committed.taken(checked)
    if workflow.is_main_process:
        committed.check_committed(checked, TAKEN)
except AccuracyCurvesError as error:
    raise WorkflowError(str(error)) from None
config.clear()
config.update(checked)

DRAWINGS = f"figures/{config['preset']}"
LOGS = f"{RESULTS}/logs"
BENCHMARKS = f"{RESULTS}/benchmarks"
ENVIRONMENT = "../../envs/environment.yaml"
if workflow.is_main_process:
    for label, what in config.get("left_out", {}).items():
        logger.warning(f"{label} is left out: {what}.")
if not config["experiments"]:
    raise WorkflowError("No experiment is left of the preset: none has its scores.")
# A pattern for the experiments whose classifier is trained anew; it may match none.
TRAINED = "|".join(map(re.escape, settings.trained_anew(config))) or "(?!)"
COMMITTED = f"{RESULTS}/committed"
# Figures and tables that show curves which are not computed stay as they are committed.
STAYING = [
    (kind, name)
    for kind, named in [*config["figures"].items(), ("tables", config["tables"])]
    for name, figure in named.items()
    if not committed.can_be_made(config, kind, figure, TAKEN)
]
if workflow.is_main_process and STAYING:
    logger.warning(
        f"{', '.join(map('/'.join, STAYING))} stay as they are: they show what is not computed."
    )
FIGURES_MADE = [
    f"{DRAWINGS}/{kind}/{name}.{suffix}"
    for kind, name in figure_plans.figures(config)
    if (kind, name) not in STAYING
    for suffix in ("pdf", "png")
]
# The first experiment that needs each embedding.
EMBEDDED = missing_files.embeddings(config)
# The errors of all methods, and what sums them up.
SUMMARIES = [
    f"{RESULTS}/{name}.csv"
    for name in (
        ("rate_errors", "rate_summary")
        if settings.asks_identification(config)
        else ("errors", "summary", "class_draw")
    )
]
TABLES_MADE = [
    *[
        f"{RESULTS}/tables/{name}.csv"
        for name in config["tables"]
        if ("tables", name) not in STAYING
    ],
    *expand(f"{RESULTS}/sweep/{{name}}.csv", name=config["figures"]["sweep"]),
    *expand(f"{RESULTS}/coverage/{{name}}.csv", name=config["figures"]["coverage"]),
    *expand(
        f"{RESULTS}/rate_coverage/{{name}}.csv",
        name=config["figures"]["rate_coverage"],
    ),
    *([f"{RESULTS}/claims.csv"] if config["claims"] else []),
    *([f"{RESULTS}/choices.csv"] if config["choices"]["each"] else []),
    *([f"{RESULTS}/standings.csv"] if config["standings"]["groups"] else []),
]


wildcard_constraints:
    experiment="[A-Za-z][A-Za-z0-9_.]*",
    k1="[0-9]+",
    method="[a-z][a-z0-9_]*",
    chunk="[0-9]+-[0-9]+",
    kind="[a-z_]+",
    name="[^/]+",


def more_each_attempt(megabytes):
    """Twice the memory at each retry: the job before may have been killed for it."""
    return lambda wildcards, attempt: megabytes * 2 ** (attempt - 1)


def anew(result):
    """An input that is nothing: a result made with other options is made anew.

    Snakemake knows of what a result was made as long as it has its own records of it.
    """

    def force_if_stale(wildcards):
        path = result.format(**wildcards)
        if workflow.is_main_process and (
            made_with.is_stale(config, path) or is_only_committed(path)
        ):
            workflow.dag.forcefiles.add(path)
        return []

    return force_if_stale


def is_of_no_run(path):
    """Whether a file is there that no run in this folder has made, or begun to make."""
    return (
        os.path.exists(path)
        and workflow.persistence.metadata(IOFile(path)) is None
        # Snakemake may have been killed before it could note the end of a job. No public method
        # tells it of a file.
        and not workflow.persistence._filter_incomplete_keys([path])
    )


def is_only_committed(path):
    """Whether a table or figure, to which others' committed errors belong, came with them."""
    return (
        bool(TAKEN) and not path.endswith((".npz", ".parquet")) and is_of_no_run(path)
    )


def options_of_output(wildcards, output):
    return made_with.options_hash(config, output[0])


def experiment_of(wildcards):
    return config["experiments"][wildcards.experiment]


def seed_parts(wildcards):
    return [config["seed"], wildcards.experiment]


def seed_of(purpose):
    return lambda wildcards: derive_seed(*seed_parts(wildcards), purpose)


def repetitions_of(wildcards):
    return chunks.repetitions_of(config, wildcards.experiment)


def method_of(wildcards):
    return settings.method_of(config, wildcards.method)


def threads_of_method(wildcards):
    # Said by the preset, one by default, and not by the machine: float sums depend on their order.
    return method_of(wildcards)[1].get("threads", 1)


def longest_first(benchmark):
    """Start slow methods first, then what has most to do, so that none is left at the end."""

    def priority(wildcards):
        place = benchmark.format(**dict(wildcards.items()))
        return priority_of(Path(place).relative_to(BENCHMARKS), config)

    return priority


def code_of_dataset(script):
    return lambda wildcards: code_of(
        script, *settings.classes_of_dataset(experiment_of(wildcards)["dataset"])
    )


def code_of_method(script):
    return lambda wildcards: code_of(
        script, *settings.extrapolators_of(config, wildcards.method)
    )


def code_of_figure(kind):
    """Those of DET curves fit the methods that they show."""
    return lambda wildcards: code_of(
        f"{kind}.py",
        *(
            found
            for key in figure_plans.fitted_in_figure(config, kind, wildcards.name)
            for found in settings.extrapolators_of(config, key)
        ),
    )


def files_of_experiment(experiment):
    # A copy of an original is as good as another: only its checksum counts, and not its age.
    own, fetchable = missing_files.files_of(config, experiment)
    files = own + [ancient(path) for path in fetchable]
    return [path for path in files if "{" not in path]


def braced_files(experiment):
    """Files that cannot be inputs, as a brace is a wildcard to Snakemake, with their ages."""
    own, _ = missing_files.files_of(config, experiment)
    return {path: os.path.getmtime(path) for path in own if "{" in path}


def dataset_files(wildcards):
    return files_of_experiment(wildcards.experiment)


def embedded_or_files(wildcards):
    name = missing_files.embedding_of(config, wildcards.experiment)
    if name is None:
        return dataset_files(wildcards)
    return f"{RESULTS}/embeddings/{name}.npz"


def scores_of(wildcards, repetitions):
    """The scores of all classes, or those of each repetition's own classifier."""
    of_all = f"{RESULTS}/scores/{wildcards.experiment}"
    if not re.fullmatch(TRAINED, wildcards.experiment):
        return f"{of_all}.npz"
    return [f"{of_all}/k1_{wildcards.k1}/{drawn:04d}.npz" for drawn in repetitions]


def scores_of_curve(wildcards):
    """Scores that curves are made from; nothing for curves that stay as they were committed."""
    path = (
        f"{RESULTS}/predicted/{wildcards.experiment}/k1_{wildcards.k1}/"
        f"{wildcards.method}/{wildcards.chunk}.parquet"
    )
    if is_committed(path, missing_files.files_of(config, wildcards.experiment)[0]):
        return []
    return scores_of(wildcards, chunks.chunk_repetitions(wildcards.chunk))


def is_committed(path, files):
    """Whether curves came with the repository, and are those of the preset and the user's files.

    Their scores did not come with them, and are younger where they are made for other methods.
    """
    forced = workflow.dag_settings
    return (
        workflow.is_main_process
        and not (forced.forceall or forced.forcerun or forced.forcetargets)
        and is_of_no_run(path)
        and not made_with.is_stale(config, path)
        and all(os.path.getmtime(f) <= os.path.getmtime(path) for f in files)
    )


def curves_of(experiment, k1, methods):
    setting = settings.Setting(experiment, int(k1))
    return [
        f"{RESULTS}/predicted/{experiment}/k1_{k1}/{method}/{chunk}.parquet"
        for method in methods
        if (setting, method) not in TAKEN
        for chunk in chunks.chunks(config, setting, method)
    ]


def taken_of(wildcards):
    """Methods of a setting, as (experiment, k1, method), whose errors are the committed ones."""
    setting = settings.Setting(wildcards.experiment, int(wildcards.k1))
    return [[*setting, m] for m in config["methods"] if (setting, m) in TAKEN]


def taken_by(wildcards):
    """Settings and methods of which a figure's table has rows that are the committed ones."""
    figure = config["figures"][wildcards.kind][wildcards.name]
    pairs = TAKEN & committed.rows(config, wildcards.kind, figure)
    return [[*setting, method] for setting, method in sorted(pairs)]


def evaluated(wildcards):
    """Curves that are computed, with their truth, and the committed errors of the others."""
    curves = curves_of(wildcards.experiment, wildcards.k1, config["methods"])
    return {
        "true": [f"{RESULTS}/true/{wildcards.experiment}.parquet"] if curves else [],
        "predicted": curves,
        "committed": [f"{COMMITTED}/errors.csv"] if taken_of(wildcards) else [],
    }


def mixed(wildcards):
    """Curves of the methods that are mixed, with their truth; none where one's are not computed."""
    methods = config["standings"]["mixed"]
    whole = not {method for *_, method in taken_of(wildcards)} & {*methods}
    curves = curves_of(wildcards.experiment, wildcards.k1, methods) if whole else []
    truth = [f"{RESULTS}/true/{wildcards.experiment}.parquet"] if curves else []
    return {"true": truth, "predicted": curves}


def results_of(kind):
    """The files of a kind of result for all settings."""
    return expand(
        f"{RESULTS}/{kind}/{{setting[0]}}/k1_{{setting[1]}}.parquet",
        setting=settings.settings(config),
    )


def curves_of_figure(figure, of_committed=True):
    """Curves that a figure or table shows; those of methods that are not computed as committed."""
    shown = {
        pair: paths
        for pair, paths in figure_plans.figure_curves(config, figure).items()
        if of_committed or pair not in TAKEN
    }
    return [
        *[
            path
            for experiment, k1 in dict.fromkeys(setting for setting, _ in shown)
            for path in [
                f"{RESULTS}/true/{experiment}.parquet",
                f"{RESULTS}/observed/{experiment}/k1_{k1}.parquet",
            ]
        ],
        *[
            f"{COMMITTED if pair in TAKEN else RESULTS}/{path}"
            for pair, paths in shown.items()
            for path in paths
        ],
    ]


def rates_of(kind, figure):
    """What a figure of open-set identification shows: rates, the reference's too, or intervals."""
    methods = figure_plans.figure_methods(config, figure)
    if kind == "rates":
        methods = dict.fromkeys([*methods, config["reference"]])
    return [
        f"{RESULTS}/{kind}/{e}/k1_{k1}/{method}.parquet"
        for e, k1 in figure_plans.figure_settings(config, figure)
        for method in methods
    ]


def drawn(wildcards):
    """What a figure is drawn from."""
    figure = config["figures"][wildcards.kind][wildcards.name]
    shown = figure_plans.figure_settings(config, figure)
    files = {
        "curves": lambda: curves_of_figure(
            figure, wildcards.kind not in committed.JOINED
        ),
        "errors": lambda: [f"{RESULTS}/errors/{e}/k1_{k1}.parquet" for e, k1 in shown],
        "class_draw": lambda: [
            f"{RESULTS}/class_draw/{e}/k1_{k1}.parquet" for e, k1 in shown
        ],
        "scores": lambda: [
            f"{RESULTS}/scores/{experiment}.npz"
            for experiment in dict.fromkeys(experiment for experiment, _ in shown)
        ],
        "choices": lambda: [f"{RESULTS}/choices.csv"],
        "intervals": lambda: [
            f"{RESULTS}/intervals/{e}/k1_{k1}/{method}.parquet"
            for (e, k1), method in figure_plans.judged(config, figure)
            if (settings.Setting(e, k1), method) not in TAKEN
        ],
        "rates": lambda: rates_of("rates", figure),
        "rate_intervals": lambda: rates_of("rate_intervals", figure),
    }
    found = {name: files[name]() for name in figure_plans.INPUTS[wildcards.kind]}
    if taken_by(wildcards):
        found["committed"] = f"{COMMITTED}/{wildcards.kind}/{wildcards.name}.csv"
    return found


def plan_of(wildcards):
    return figure_plans.plan_of(config, wildcards.kind, wildcards.name)
