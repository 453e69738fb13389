"""Check a preset before any job starts."""

import re
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators import make_extrapolator
from accuracy_curves.identification.methods import check_method
from experiments.evaluation.claims import Choice, Claim
from experiments.evaluation.identification_truth import closed_form
from pipeline.preset.choices import claims_of_choices, committed_path, named_beside
from pipeline.preset.figure_plans import (
    check_coverage,
    check_figure,
    check_kind,
    check_question,
)
from pipeline.preset.settings import Config, asks_identification, dataset_of, method_of

# Characters of what a validator says: it repeats the value.
MOST_SAID = 300


def with_defaults(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:
    """Copy a valid value, with the schema's defaults where a key is absent.

    `schema` is that of the value, a part of `root`, to which references point.
    """
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if not isinstance(value, dict):
        return value
    filled = dict(value)
    for key, part in schema.get("properties", {}).items():
        target = root["$defs"][part["$ref"].rsplit("/", 1)[1]] if "$ref" in part else part
        if key not in filled and "default" in target:
            filled[key] = target["default"]
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    for key, part in filled.items():
        rule = known.get(key, others if isinstance(others, dict) else {})
        filled[key] = with_defaults(part, rule, root)
    return filled


SCHEMA = Path(__file__).resolve().parents[2] / "schemas" / "config.schema.yaml"


def check_config(config: Mapping[str, Any]) -> Config:
    """Check a preset as read from YAML, by the schema and by what it names; fill in the defaults.

    `InputError`: which key is wrong, why, and what may stand there.
    """
    schema = deepcopy(_schema())  # Its defaults go into the preset.
    validator = Draft202012Validator(schema)
    error = best_match(validator.iter_errors(dict(config)))
    if error is not None:
        where = ".".join(str(part) for part in error.absolute_path) or "the top level"
        said = error.message
        said = said if len(said) <= MOST_SAID else f"{said[:100]} ... {said[-100:]}"
        raise InputError(f"in the configuration, {where}: {said}")
    checked: Config = with_defaults(dict(config), schema, schema)
    simulated = _simulations(checked.pop("simulations", []))
    if twice := simulated.keys() & checked["experiments"]:
        raise InputError(
            f"in the configuration, experiments: {min(twice)} is among the simulations too"
        )
    checked["experiments"] |= simulated
    if not checked["experiments"]:
        raise InputError("in the configuration, the top level: there are no experiments")
    _check_methods(checked)
    if "compute" in checked:
        checked["compute"] = _listed(checked["compute"])
        check_figure("compute", {"methods": checked["compute"]}, checked)
    _check_compute_k1(checked)
    for name, experiment in checked["experiments"].items():
        _check_experiment(name, experiment, checked)
    for place, entry in enumerate(checked["jobs"]):
        check_figure(f"jobs, entry {place + 1}", entry, checked)
    for kind, figures in checked["figures"].items():
        for name, figure in figures.items():
            check_figure(f"figures.{kind}.{name}", figure, checked)
            check_kind(f"figures.{kind}.{name}", kind, figure)
            check_question(f"figures.{kind}.{name}", kind, checked)
            if kind == "coverage":
                check_coverage(f"figures.{kind}.{name}", figure, checked)
    for name, table in checked["tables"].items():
        check_figure(f"tables.{name}", table, checked)
        if table["printed"]:
            check_figure(f"tables.{name}.printed", {"experiments": [*table["printed"]]}, checked)
    for name, group in checked["standings"]["groups"].items():
        check_figure(f"standings.groups.{name}", group, checked)
        if checked["reference"] not in group.get("methods", checked["methods"]):
            raise InputError(
                f"in the configuration, standings.groups.{name}: methods lacks the reference "
                f"{checked['reference']!r}, to which they are compared"
            )
    for key in ("published", "mixed"):
        named = checked["standings"].setdefault(key, list(checked["methods"]))
        check_figure(f"standings.{key}", {"methods": named}, checked)
    for name in checked["claims"]:
        _check_claim(name, checked)
    if checked["choices"]["each"]:
        _check_choices(checked)
    return checked


def _check_compute_k1(config: dict[str, Any]) -> None:
    """Check that `compute_k1` stands beside `compute`, and is a k1 of some experiment."""
    k1 = config.get("compute_k1")
    if k1 is None:
        return
    if "compute" not in config:
        raise InputError("in the configuration, compute_k1 stands alone: give compute as well")
    known = sorted(
        {each for experiment in config["experiments"].values() for each in experiment["k1"]}
    )
    if k1 not in known:
        raise InputError(
            f"in the configuration, compute_k1 is {k1}: no experiment has it, only "
            f"{', '.join(map(str, known))}"
        )


def _listed(names: str | list[str] | None) -> list[str]:
    """List what stands in the configuration, or on the command line as one word; "none" is none."""
    if isinstance(names, list):
        return names
    return [name for name in re.split(r"[\s,]+", names or "") if name.lower() not in ("", "none")]


def _simulations(grids: list[dict[str, Any]]) -> dict[str, Any]:
    """Experiments on every combination of the distributions and variances of each grid."""
    return {
        f"{classes}_{points}_d{grid['dataset']['dimension']}_v{variance}": {
            **grid,
            "label": f"Y ~ {classes[0].upper()}, X|Y ~ {points[0].upper()}, σ² = {variance}",
            "dataset": {
                "kind": "simulation",
                **grid["dataset"],
                **{"classes": classes, "points": points, "variance": variance},
            },
        }
        for grid in grids
        for classes in grid["dataset"]["classes"]
        for points in grid["dataset"]["points"]
        for variance in grid["dataset"]["variance"]
    }


@cache
def _schema() -> dict[str, Any]:
    return dict(yaml.safe_load(SCHEMA.read_text()))


def _check_methods(config: Config) -> None:
    if config["reference"] not in config["methods"]:
        raise InputError(
            f"in the configuration, reference: {config['reference']!r} is not among the methods: "
            f"{', '.join(config['methods'])}"
        )
    for key in config["methods"]:
        name, options = method_of(config, key)
        if "seed" in options:
            raise InputError(
                f"in the configuration, methods.{key}: seed is derived for each repetition, "
                "set the top-level seed instead"
            )
        with located(f"in the configuration, methods.{key}"):
            if asks_identification(config):
                check_method(name, options)
            else:
                make_extrapolator(name, **options)


def _check_experiment(name: str, experiment: dict[str, Any], config: Config) -> None:
    where = f"in the configuration, experiments.{name}"
    for k1 in experiment["k1"]:
        if k1 > experiment["k2"]:
            raise InputError(f"{where}: k1 = {k1} is above k2 = {experiment['k2']}")
    with located(f"{where}.dataset"):
        dataset = dataset_of(config, name)
    known = asks_identification(config) and closed_form(dataset) is not None
    classes = getattr(dataset, "n_classes", None)
    if isinstance(classes, int) and classes < experiment["k2"] and not known:
        raise InputError(
            f"{where}: k2 = {experiment['k2']} is above the data set's {classes} classes"
        )


def _check_choices(config: Config) -> None:
    """Check the choices, and collect the claims that they are made for."""
    where, choices = "in the configuration, choices", config["choices"]
    for key in ("claims_of", "errors_of"):
        for name in [choices[key]] if isinstance(choices.get(key), str) else choices.get(key, []):
            path = committed_path(key, name)
            if not path.is_file():
                raise InputError(f"{where}.{key}: {path} is not there")
    for name, options in claims_of_choices(config).items():
        try:
            Claim(**options)
        except (InputError, TypeError) as error:
            raise InputError(f"{where}: the claim {name}: {error}") from error
    for name, options in choices["each"].items():
        with located(f"{where}.each.{name}"):
            choice = Choice(**options)
        known = named_beside(config)
        for key, chosen in (("methods", choice.methods), ("experiments", choice.experiments)):
            for stands_in in chosen.values():
                if stands_in not in {*config[key], *known[key]}:
                    raise InputError(
                        f"{where}.each.{name}: {stands_in!r} is not among the {key}, here or in "
                        f"the presets of errors_of"
                    )


def _check_claim(name: str, config: Config) -> None:
    options = config["claims"][name]
    try:
        claim = Claim(**options)
    except (InputError, TypeError) as error:
        raise InputError(f"in the configuration, claims.{name}: {error}") from error
    for experiments in filter(None, (claim.experiments, claim.other_experiments)):
        named = {"experiments": experiments, "methods": [*claim.methods, *claim.against]}
        check_figure(f"claims.{name}", named, config)
