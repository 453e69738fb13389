"""The claims that a preset judges under several choices, and the errors beside its own."""

from pathlib import Path
from typing import Any

import yaml

from pipeline.preset.settings import Config
from pipeline.provenance import ROOT


def committed_path(key: str, name: str) -> Path:
    """Where the claims (``claims_of``) or errors (``errors_of``) of a preset lie in the project."""
    return ROOT / (f"config/{name}.yaml" if key == "claims_of" else f"results/{name}/errors.csv")


def claims_of_choices(config: Config) -> dict[str, dict[str, Any]]:
    """Collect the options of the claims that are judged under each choice, by name."""
    choices = config["choices"]
    claims: dict[str, dict[str, Any]] = {}
    if "claims_of" in choices:
        preset = _preset(choices["claims_of"])
        # Experiments of other data under the same name: claims about them are not about these.
        other = {
            name
            for name, experiment in preset.get("experiments", {}).items()
            if config["experiments"].get(name, experiment)["dataset"] != experiment["dataset"]
        }
        for name, claim in preset.get("claims", {}).items():
            if not other & {*claim["experiments"]}:
                claims[name] = claim
    claims |= choices["claims"]
    return claims


def named_beside(config: Config) -> dict[str, set[str]]:
    """Collect the methods and experiments of the presets whose errors stand beside."""
    presets = [_preset(name) for name in config["choices"]["errors_of"]]
    return {
        key: {name for preset in presets for name in preset.get(key, {})}
        for key in ("methods", "experiments")
    }


def errors_beside(config: Config) -> list[str]:
    """List the committed tables of errors that stand beside those computed here."""
    return [str(committed_path("errors_of", name)) for name in config["choices"]["errors_of"]]


def _preset(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load(committed_path("claims_of", name).read_text(encoding="utf-8")))
