"""What the figures and tables of a preset show."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from accuracy_curves.datasets.simulation import Simulation
from accuracy_curves.exceptions import InputError
from pipeline.preset.settings import Config, Setting, dataset_of, method_of

# Keys of the figures that not every kind has a use for.
KINDS_WITH = {
    "show": ("matrix", "sweep"),
    "hide_above": ("boxplots",),
    "absent": ("comparison",),
}


def figures(config: Config) -> Iterator[tuple[str, str]]:
    """Go through (kind, name) of every figure of a checked preset."""
    return ((kind, name) for kind, named in config["figures"].items() for name in named)


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


def check_figure(where: str, figure: Mapping[str, Any], config: Config) -> None:
    """Check what a figure, or anything like one, names.

    Parameters
    ----------
    where : str
        Its key in the configuration.
    figure : mapping
        With experiments, experiment, methods or k1, as far as it has them.
    config : dict
        The preset, with every default filled in.

    Raises
    ------
    InputError
        If it names an experiment or method that is not there, or no setting is left.
    """
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


def check_kind(where: str, kind: str, figure: Mapping[str, Any]) -> None:
    """Refuse a key that figures of this kind would ignore.

    Parameters
    ----------
    where : str
        Its key in the configuration.
    kind : str
        For instance ``curves``.
    figure : mapping
        Its options.

    Raises
    ------
    InputError
        If there is such a key.
    """
    for key, kinds in KINDS_WITH.items():
        if figure.get(key) and kind not in kinds:
            raise InputError(
                f"in the configuration, {where}: {key} is for figures of the kind "
                f"{' and '.join(kinds)}, not {kind}; leave it out"
            )


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
