"""Check a preset before any job starts, and answer what the rules ask of it."""

import math
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from accuracy_curves.claims import Claim
from accuracy_curves.classifiers import CLASSIFIERS
from accuracy_curves.datasets import DATASETS, make_dataset
from accuracy_curves.datasets.base import Dataset
from accuracy_curves.datasets.simulation import Simulation
from accuracy_curves.datasets.trained import TrainedDataset
from accuracy_curves.errors import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from pipeline.defaults import with_defaults

SCHEMA = Path(__file__).resolve().parents[1] / "schemas" / "config.schema.yaml"

Config = dict[str, Any]


class Setting(NamedTuple):
    """One extrapolation problem: an experiment and a number of classes to start from."""

    experiment: str
    k1: int


def check_config(config: Mapping[str, Any]) -> Config:
    """Check a preset against the schema and against what it names; fill in the defaults.

    Parameters
    ----------
    config : mapping
        The preset, as read from YAML.

    Returns
    -------
    dict
        A copy with every default filled in.

    Raises
    ------
    InputError
        One sentence: which key is wrong, why, and what may stand there.
    """
    schema = deepcopy(_schema())  # Its defaults go into the preset.
    validator = Draft202012Validator(schema)
    error = best_match(validator.iter_errors(dict(config)))
    if error is not None:
        where = ".".join(str(part) for part in error.absolute_path) or "the top level"
        raise InputError(f"in the configuration, {where}: {error.message}")
    checked: Config = with_defaults(dict(config), schema, schema)
    _check_methods(checked)
    for name, experiment in checked["experiments"].items():
        _check_experiment(name, experiment, checked)
    for kind, figures in checked["figures"].items():
        for name, figure in figures.items():
            _check_figure(f"figures.{kind}.{name}", figure, checked)
    for name, table in checked["tables"].items():
        _check_figure(f"tables.{name}", table, checked)
        if table["printed"]:
            _check_figure(f"tables.{name}.printed", {"experiments": [*table["printed"]]}, checked)
    for name, group in checked["standings"]["groups"].items():
        _check_figure(f"standings.groups.{name}", group, checked)
    published = checked["standings"].setdefault("published", list(checked["methods"]))
    _check_figure("standings", {"methods": published}, checked)
    for name in checked["claims"]:
        _check_claim(name, checked)
    return checked


@cache
def _schema() -> dict[str, Any]:
    return dict(yaml.safe_load(SCHEMA.read_text()))


def settings(config: Config) -> list[Setting]:
    """List the settings of a checked preset, in its order."""
    return [
        Setting(name, k1)
        for name, experiment in config["experiments"].items()
        for k1 in experiment["k1"]
    ]


def repetitions_of(config: Config, experiment: str) -> int:
    """Say how many repetitions an experiment has."""
    return int(config["experiments"][experiment].get("repetitions", config["repetitions"]))


def chunks(config: Config, experiment: str) -> list[str]:
    """List an experiment's chunks of repetitions, each as "first-last" (both counted in)."""
    total, size = repetitions_of(config, experiment), config["chunk"]
    return [f"{first:04d}-{min(first + size, total) - 1:04d}" for first in range(0, total, size)]


def chunk_repetitions(chunk: str) -> range:
    """Repetitions of a chunk, from its name."""
    first, last = chunk.split("-")
    return range(int(first), int(last) + 1)


def method_of(config: Config, key: str) -> tuple[str, dict[str, Any]]:
    """Name and options of the extrapolator that a key of `methods` stands for."""
    options = dict(config["methods"][key])
    return options.pop("method", key), options


def figure_settings(config: Config, figure: Mapping[str, Any]) -> list[Setting]:
    """List the settings that a figure shows, in its order."""
    names = figure.get("experiments", list(config["experiments"]))
    wanted = figure.get("k1")
    return [
        Setting(name, k1)
        for name in names
        for k1 in config["experiments"][name]["k1"]
        if wanted is None or k1 in wanted
    ]


def figure_methods(config: Config, figure: Mapping[str, Any]) -> list[str]:
    """List the methods that a figure shows, in its order."""
    return list(figure.get("methods", config["methods"]))


def figure_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure shows: settings, labels, methods with their extrapolators, and options."""
    shown = figure_settings(config, figure)
    return {
        "settings": [list(setting) for setting in shown],
        "labels": {
            name: config["experiments"][name].get("label", name) for name, _ in dict.fromkeys(shown)
        },
        "methods": {key: method_of(config, key)[0] for key in figure_methods(config, figure)},
        "hide_above": figure.get("hide_above"),
        "absent": dict(figure.get("absent", {})),
    }


def sweep_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure of a sweep shows beside its plan: x axis, measures, k2, noises."""
    names = list(dict.fromkeys(name for name, _ in figure_settings(config, figure)))
    smallest = min(config["experiments"][name]["k2"] for name in names)
    return {
        **figure_plan(config, figure),
        "over": figure["over"],
        "show": list(figure["show"]),
        "k2": list(figure.get("k2", [smallest])),
        "sigma": {
            name: math.sqrt(dataset.variance)
            for name in names
            if isinstance(dataset := dataset_of(config, name), Simulation)
        },
    }


def module_of_method(config: Config, key: str) -> str:
    """Name the module of the extrapolator that a key of `methods` stands for."""
    return EXTRAPOLATORS[method_of(config, key)[0]].__module__


def modules_of_dataset(options: Mapping[str, Any]) -> list[str]:
    """Name the modules of a data set, and of the classifier that it trains."""
    kind = DATASETS[options["kind"]]
    classifier = options.get("classifier", getattr(kind, "classifier", None))
    trained = [CLASSIFIERS[classifier].__module__] if classifier in CLASSIFIERS else []
    return [kind.__module__, *trained]


def trained_anew(config: Config) -> list[str]:
    """List the experiments whose k1-class scores are no columns of the k2-class scores."""
    return [
        name
        for name in config["experiments"]
        if isinstance(dataset := dataset_of(config, name), TrainedDataset) and not dataset.marginal
    ]


def figures(config: Config) -> Iterator[tuple[str, str]]:
    """Go through (kind, name) of every figure of a checked preset."""
    return ((kind, name) for kind, named in config["figures"].items() for name in named)


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
        try:
            make_extrapolator(name, **options)
        except InputError as error:
            raise InputError(f"in the configuration, methods.{key}: {error}") from error


def _check_experiment(name: str, experiment: dict[str, Any], config: Config) -> None:
    where = f"in the configuration, experiments.{name}"
    for k1 in experiment["k1"]:
        if k1 > experiment["k2"]:
            raise InputError(f"{where}: k1 = {k1} is above k2 = {experiment['k2']}")
    try:
        dataset = dataset_of(config, name)
    except InputError as error:
        raise InputError(f"{where}.dataset: {error}") from error
    classes = getattr(dataset, "n_classes", None)
    if isinstance(classes, int) and classes < experiment["k2"]:
        raise InputError(
            f"{where}: k2 = {experiment['k2']} is above the data set's {classes} classes"
        )


def _check_claim(name: str, config: Config) -> None:
    options = config["claims"][name]
    try:
        claim = Claim(**options)
    except (InputError, TypeError) as error:
        raise InputError(f"in the configuration, claims.{name}: {error}") from error
    for experiments in filter(None, (claim.experiments, claim.other_experiments)):
        named = {"experiments": experiments, "methods": [*claim.methods, *claim.against]}
        _check_figure(f"claims.{name}", named, config)


def _check_figure(where: str, figure: Mapping[str, Any], config: Config) -> None:
    named = figure.get("experiments", [])
    if "experiment" in figure:
        named = [figure["experiment"]]
    for kind, names in (("experiments", named), ("methods", figure.get("methods", []))):
        for name in names:
            if name not in config[kind]:
                known = ", ".join(config[kind])
                raise InputError(
                    f"in the configuration, {where}: {name!r} is not among the {kind}: {known}"
                )
    if "experiment" not in figure and not figure_settings(config, figure):
        raise InputError(
            f"in the configuration, {where}: no experiment has a k1 among {figure['k1']}"
        )
    if "over" in figure:
        _check_sweep(f"in the configuration, {where}", figure, config)


def _check_sweep(where: str, figure: Mapping[str, Any], config: Config) -> None:
    """Refuse a sweep whose lines would join what is not one series."""
    shown = figure_settings(config, figure)
    key = "experiments" if figure["over"] == "k1" else "k1"
    fixed = {name if key == "experiments" else k1 for name, k1 in shown}
    if len(fixed) > 1:
        raise InputError(f"{where}: over {figure['over']} needs one of {key}, it has {len(fixed)}")
    plan = sweep_plan(config, figure)
    for name, _ in shown:
        if figure["over"] == "sigma" and name not in plan["sigma"]:
            raise InputError(f"{where}: over sigma needs simulations, {name} is none")
        if max(plan["k2"]) > config["experiments"][name]["k2"]:
            raise InputError(f"{where}: k2 = {max(plan['k2'])} is above that of {name}")


def dataset_of(config: Config, name: str) -> Dataset:
    """Construct an experiment's data set; original files that can be fetched may be absent."""
    options = config["experiments"][name]["dataset"]
    return make_dataset(data_dir=config["data_dir"], fetchable=True, **options)
