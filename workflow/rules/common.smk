# Reads and checks the preset; what the other rules share.
import os
import re
import shutil
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.utils import validate

# Beside this file, also where another workflow imports this one.
LIBRARY = str(Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parent)
sys.path.insert(0, LIBRARY)
# Jobs are processes of their own, and with conda they have another Python: both find the library.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [LIBRARY, os.getenv("PYTHONPATH")]))
)

from accuracy_curves.exceptions import AccuracyCurvesError
from accuracy_curves.utils.seeds import derive_seed
from experiments.checks import check_preset, read_preset, replace_datasets
from experiments.code import code_of
from experiments.published import Setting

try:
    presets = [*map(read_preset, workflow.configfiles)]
    validate(config, "../schemas/config.schema.yaml")
    replace_datasets(config, presets)
    preset = check_preset(config)
except (WorkflowError, AccuracyCurvesError) as error:
    # What the validator found stands in its own exception.
    found = error.__context__
    where = getattr(found, "json_path", "$.")[2:]
    message = f"{where}: {found.message}" if where else getattr(found, "message", error)
    raise WorkflowError(f"In the preset, {message}") from None
if workflow.is_main_process:
    for name, why in preset.left_out.items():
        logger.warning(f"{preset.label(name)} is left out: {why}.")
    if preset.missing:
        logger.warning(f"Neither computed nor published: {', '.join(preset.missing)}.")
if not preset.experiments:
    raise WorkflowError("No experiment is left of the preset: none has its files.")

RESULTS, DRAWINGS = f"results/{preset.name}", f"figures/{preset.name}"
LOGS, BENCHMARKS = f"{RESULTS}/logs", f"{RESULTS}/benchmarks"
ENVIRONMENT = "../../envs/base.yaml"


wildcard_constraints:
    experiment="|".join(map(re.escape, preset.experiments)),
    method="|".join(preset.config["methods"]),
    k1="[0-9]+",
    chunk="[0-9]+-[0-9]+",
    name="[^/]+",


onstart:
    # Its plugin would wait for minutes without a word.
    if workflow.executor_plugin.name == "slurm" and not shutil.which("sbatch"):
        raise WorkflowError("no sbatch is here: run on a login node of Slurm")


def table(path, category, label="{name}", text=None):
    """A table of the run, and its place in the report, whose text is of the path's first name."""
    text = text or Path(path).parts[0].removesuffix(".csv")
    return report(
        f"{RESULTS}/{path}",
        caption=f"../report/{text}.rst",
        category=category,
        labels={"table": label},
    )


def experiment(key):
    """A key of the wildcard's experiment: params: k2=experiment("k2")."""
    return lambda wildcards: config["experiments"][wildcards.experiment].get(key)


def method(wildcards):
    return preset.method(wildcards.method)


def setting(wildcards):
    return Setting(wildcards.experiment, int(wildcards.k1))


def repetitions(wildcards):
    return preset.repetitions(wildcards.experiment)


def seed_parts(wildcards):
    return [config["seed"], wildcards.experiment]


def seed(purpose):
    return lambda wildcards: derive_seed(*seed_parts(wildcards), purpose)


def environment_of_method(wildcards):
    return f"../../envs/{preset.extra_of_method(wildcards.method)}.yaml"


def environment_of_dataset(wildcards):
    return f"../../envs/{preset.extra_of_dataset(wildcards.experiment)}.yaml"


def code(script, classes=lambda wildcards: ()):
    """What a script does, and classes that it finds by name: once a run, and in no job of it."""
    if not workflow.is_main_process:
        return ""
    return lambda wildcards: code_of(script, *classes(wildcards))


def code_of_dataset(script):
    return code(script, lambda w: preset.classes_of_dataset(w.experiment))


def code_of_method(script):
    return code(script, lambda w: [preset.class_of_method(w.method)])
