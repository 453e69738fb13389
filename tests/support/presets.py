"""Check a preset in a test as rules/common.smk does."""

import copy
from pathlib import Path
from typing import Any

import yaml
from snakemake.exceptions import WorkflowError
from snakemake.utils import validate

from accuracy_curves.exceptions import InputError
from conftest import ROOT
from experiments.checks import check_preset
from experiments.preset import Preset

SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"
PRESETS = ROOT / "tests/workflow/presets"


def checked(preset: dict[str, Any], /, **changes: Any) -> Preset:
    """Check a preset with some keys changed; the given one stays as it is."""
    config = copy.deepcopy({**preset, **changes})
    try:
        validate(config, str(SCHEMA))
    except WorkflowError as error:
        wrong = error.__context__
        raise InputError(f"{wrong.json_path.lstrip('$.')}: {wrong.message}") from error
    return check_preset(config)


def shipped(name: str) -> dict[str, Any]:
    """Read a preset of the project; `demo` is config.yaml."""
    return read(ROOT / f"config/{'config' if name == 'demo' else name}.yaml")


def read(path: Path) -> dict[str, Any]:
    """Read a preset."""
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))
