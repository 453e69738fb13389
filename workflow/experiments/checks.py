"""Check a preset before any job starts: everything in it that names something else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import yaml

from accuracy_curves.exceptions import InputError
from experiments.evaluation.claims import Choice, Claim
from experiments.figures import FIGURES
from experiments.preset import Config, Preset
from experiments.published import RESULTS, ROOT


def check_preset(config: Config) -> Preset:
    """Check a preset that the schema has checked; `InputError`: which key is wrong, and why."""
    preset = Preset(config)
    for kind, figures in config["figures"].items():
        for name, entry in figures.items():
            FIGURES[kind].check(preset, f"figures.{kind}.{name}", entry)
    for name, table in config["tables"].items():
        preset.check_names(f"tables.{name}", table)
        preset.check_names(f"tables.{name}.printed", {"experiments": [*table["printed"]]})
    standings = config["standings"]
    standings["published"] = standings["published"] or list(config["methods"])
    preset.check_names("standings.published", {"methods": standings["published"]})
    for name, group in standings["groups"].items():
        preset.check_names(f"standings.groups.{name}", group)
        if config["reference"] not in preset.shown_methods(group):
            raise InputError(
                f"standings.groups.{name}: methods lacks the reference {config['reference']!r}, "
                "to which they are compared"
            )
    for name, options in config["claims"].items():
        claim = _claim(f"claims.{name}", options)
        for experiments in filter(None, (claim.experiments, claim.other_experiments)):
            named = {"experiments": experiments, "methods": [*claim.methods, *claim.against]}
            preset.check_names(f"claims.{name}", named)
    _check_choices(config)
    # Rows of published presets are looked up, and refused, here and not in a rule.
    _ = preset.missing
    return preset


def claims_of_choices(config: Config) -> dict[str, dict[str, Any]]:
    """Collect the options of the claims that are judged under each choice, by name."""
    choices = config["choices"]
    if choices["claims_of"] is None:
        return dict(choices["claims"])
    preset = _read_preset(choices["claims_of"])
    # Experiments of other data under the same name: claims about them are not about these.
    other = {
        name
        for name, experiment in preset.get("experiments", {}).items()
        if config["experiments"].get(name, experiment)["dataset"] != experiment["dataset"]
    }
    claims = preset.get("claims", {})
    kept = {name: each for name, each in claims.items() if not other & {*each["experiments"]}}
    kept |= choices["claims"]
    return kept


def _check_choices(config: Config) -> None:
    choices = config["choices"]
    for name in choices["errors_of"]:
        if not (RESULTS / name / "errors.csv").is_file():
            raise InputError(f"choices.errors_of: nothing is published of {name}")
    for name, options in claims_of_choices(config).items():
        _claim(f"choices: the claim {name}", options)
    beside = [_read_preset(name) for name in choices["errors_of"]]
    for name, options in choices["each"].items():
        with _located(f"choices.each.{name}"):
            choice = Choice(**options)
        for key, chosen in (("methods", choice.methods), ("experiments", choice.experiments)):
            known = {*config[key]}.union(*(preset.get(key, {}) for preset in beside))
            for stands_in in {*chosen.values()} - known:
                raise InputError(f"choices.each.{name}: {stands_in!r} is not among the {key}")


def _read_preset(name: str) -> dict[str, Any]:
    path = ROOT / f"config/{name}.yaml"
    if not path.is_file():
        raise InputError(f"choices: {path} is not there")
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def _claim(where: str, options: dict[str, Any]) -> Claim:
    with _located(where):
        return Claim(**options)


@contextmanager
def _located(where: str) -> Iterator[None]:
    try:
        yield
    except (InputError, TypeError) as error:
        raise InputError(f"{where}: {error}") from error
