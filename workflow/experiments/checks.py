"""Check a preset before any job starts: everything in it that names something else."""

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import yaml

from accuracy_curves.exceptions import InputError, located
from experiments.evaluation.claims import Choice, read_claims
from experiments.figures import FIGURES, make_figure
from experiments.preset import Config, Preset, listed
from experiments.published import ROOT, Published, shown_path


def claim_files(names: str | list[str]) -> list[str]:
    """Paths of files of claims that a preset names, from the project's folder."""
    return [shown_path(ROOT / name) for name in listed(names)]


class _Loader(yaml.CSafeLoader):
    """Refuses keys that stand twice, or are no texts; YAML has the line of each."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        keys = [key.value for key, _ in node.value]
        for place, (key, _) in enumerate(node.value):
            where = f"{key.start_mark.name}, line {key.start_mark.line + 1}: the key {key.value}"
            if key.value in keys[:place]:
                raise InputError(f"{where} stands twice: one of them would be lost")
            if not key.tag.endswith(":str"):
                raise InputError(f"{where} is no text for YAML: write it in quotes")
        return super().construct_mapping(node, deep)


def read_preset(path: str | Path) -> Config:
    """Read a preset; `InputError` for a key that stands twice, or is no text."""
    with open(path, encoding="utf-8") as file:
        return yaml.load(file, _Loader) or {}


def replace_datasets(config: Config, presets: Iterable[Config]) -> None:
    """Take out of merged presets the keys of a data set whose kind a later one replaces."""
    earlier: dict[str, Config] = {}
    for preset in presets:
        for name, entry in (preset.get("experiments") or {}).items():
            dataset, before = entry.get("dataset", {}), earlier.get(name, {})
            kind = before.get("kind")
            if dataset.get("kind", kind) != kind and kind:
                for key in before.keys() - dataset.keys():
                    config["experiments"][name]["dataset"].pop(key, None)
                before = {}
            earlier[name] = before | dataset


def check_preset(config: Config) -> Preset:
    """Check a preset that the schema has checked; `InputError`: which key is wrong, and why."""
    preset = Preset(config)
    for kind, entries in config["figures"].items():
        for name, entry in entries.items():
            with located(where := f"figures.{kind}.{name}"):
                figure = make_figure(kind, entry)
            figure.check(preset, where)
    # A kind that is not drawn has an empty entry.
    config["figures"] |= {kind: {} for kind in FIGURES if kind not in config["figures"]}
    for name, table in config["tables"].items():
        preset.check_names(f"tables.{name}", table)
        preset.check_names(f"tables.{name}.printed", {"experiments": [*table["printed"]]})
    for name, claim in read_claims(claim_files(config["claims"])).items():
        if not claim.table:
            preset.check_names(f"the claim {name}", claim.named)
    _check_choices(config)
    # Rows of published presets are looked up, and refused, here and not in a rule.
    _ = preset.missing
    return preset


def _check_choices(config: Config) -> None:
    choices = config["choices"]
    read_claims(claim_files(choices["claims"]))
    with located("choices.errors_of"):
        beside = [Published(name).config for name in choices["errors_of"]]
    for name, options in choices["each"].items():
        choice = Choice(**options)
        for key, chosen in (("methods", choice.methods), ("experiments", choice.experiments)):
            known = {*config[key]}.union(*(other[key] for other in beside))
            for stands_in in {*chosen.values()} - known:
                raise InputError(f"choices.each.{name}: {stands_in!r} is not among the {key}")
