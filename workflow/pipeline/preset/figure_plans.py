"""What the figures and tables of a preset show, and whose intervals are judged."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.scores.score_matrix import MINIMUM_CLASSES
from accuracy_curves.utils.seeds import derive_seed
from experiments.datasets.simulation import Simulation
from pipeline.preset.chunks import chunks, told
from pipeline.preset.settings import Config, Setting, dataset_of, method_of, trained_anew

# What the jobs of a figure of each kind read.
INPUTS = {
    "boxplots": ("errors", "class_draw"),
    "curves": ("curves", "errors"),
    "comparison": ("curves", "errors", "class_draw"),
    "matrix": ("errors",),
    "reversed_roc": ("scores",),
    "bivariate_normal": (),
    "by_k1": ("curves", "errors"),
    "distributions": ("scores",),
    "sweep": ("curves",),
    "coverage": ("intervals",),
    "rate_matrix": ("rates",),
    "rate_coverage": ("rate_intervals",),
    "det": ("scores",),
    "verdicts": ("choices",),
}
# What the jobs of a preset that asks for the rates of identification make.
OF_IDENTIFICATION = ("rate_matrix", "rate_coverage", "det")
# What is drawn at random in a figure.
RANDOM = {
    "reversed_roc": "points of the figure",
    "bivariate_normal": "labels",
    "distributions": "ties",
}
# Keys of the figures that not every kind has a use for.
KINDS_WITH = {
    "show": ("matrix", "sweep", "rate_matrix"),
    "hide_above": ("boxplots",),
    "repetitions": ("curves", "comparison"),
    "k2": ("curves", "sweep"),
    "absent": ("comparison",),
}


def figures(config: Config) -> Iterator[tuple[str, str]]:
    """Go through (kind, name) of every figure of a checked preset."""
    return ((kind, name) for kind, named in config["figures"].items() for name in named)


def figure_settings(config: Config, figure: Mapping[str, Any]) -> list[Setting]:
    """List the settings that a figure shows, in its order."""
    one = [figure["experiment"]] if "experiment" in figure else None
    names = one or figure.get("experiments", list(config["experiments"]))
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


def figure_curves(
    config: Config, figure: Mapping[str, Any]
) -> dict[tuple[Setting, str], list[str]]:
    """List the files of predicted curves that a figure shows, by setting and method.

    Paths are in the preset's folder of results.
    """
    return {
        (setting, method): [
            f"predicted/{setting.experiment}/k1_{setting.k1}/{method}/{chunk}.parquet"
            for chunk in chunks(config, setting, method, figure.get("repetitions"))
        ]
        for setting in figure_settings(config, figure)
        for method in figure_methods(config, figure)
    }


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
        "show": figure.get("show", "rmse"),
        "repetitions": figure.get("repetitions"),
        "reference": config["reference"],
    }


def plan_of(config: Config, kind: str, name: str) -> dict[str, Any]:
    """Say what the figure of a kind and name shows, with the seed of what it draws at random."""
    figure = config["figures"][kind][name]
    if kind in ("bivariate_normal", "verdicts"):
        plan = dict(figure)
    else:
        plans = {
            "curves": curves_plan,
            "sweep": sweep_plan,
            "coverage": coverage_plan,
            "distributions": distributions_plan,
        }
        plans |= dict.fromkeys(OF_IDENTIFICATION, rate_plan)
        plan = plans.get(kind, figure_plan)(config, figure)
    if kind in RANDOM:
        plan["seed"] = derive_seed(config["seed"], name, RANDOM[kind])
    return plan


def curves_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure of curves shows beside its plan: up to which k, if not to all."""
    plan = figure_plan(config, figure)
    return {**plan, "k2": figure["k2"]} if "k2" in figure else plan


def sweep_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure of a sweep shows beside its plan: x axis, measures, k2, noises."""
    names = list(dict.fromkeys(name for name, _ in figure_settings(config, figure)))
    smallest = min(config["experiments"][name]["k2"] for name in names)
    return {
        **figure_plan(config, figure),
        "over": figure["over"],
        "show": list(figure["show"]),
        "k2": list(figure.get("k2", [smallest])),
        "sigma": _noises(config, names),
    }


def distributions_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure of distributions shows beside its plan: the noise, where all have one."""
    plan = figure_plan(config, figure)
    noises = _noises(config, plan["labels"])
    return {**plan, "sigma": noises if len(noises) == len(plan["labels"]) else {}}


def _noises(config: Config, names: Iterable[str]) -> dict[str, float]:
    """Collect the noise of the simulations among experiments."""
    return {
        name: math.sqrt(dataset.variance)
        for name in names
        if isinstance(dataset := dataset_of(config, name), Simulation)
    }


def rate_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure of open-set identification shows beside its plan: quantity and targets."""
    return {
        **figure_plan(config, figure),
        "options": {key: method_of(config, key)[1] for key in figure_methods(config, figure)},
        "quantity": figure.get("quantity"),
        "fpir": list(config["fpir"]),
        "seed": config["seed"],
    }


def fitted_in_figure(config: Config, kind: str, name: str) -> list[str]:
    """List the methods that the job of a figure fits itself."""
    return figure_methods(config, config["figures"][kind][name]) if kind == "det" else []


def check_question(where: str, kind: str, config: Config) -> None:
    """Refuse a figure that does not show what the preset asks for."""
    asked = config["question"]
    if (kind in OF_IDENTIFICATION) != (asked == "identification"):
        raise InputError(
            f"in the configuration, {where}: a preset whose question is {asked} has no figures of "
            f"the kind {kind}; leave it out"
        )


def check_figure(where: str, figure: Mapping[str, Any], config: Config) -> None:
    """Check what a figure, or anything else with experiments, methods or k1, names.

    `where` is its key in the configuration. `InputError` if it names an experiment or method that
    is not there, or no setting is left.
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
    elif "k2" in figure:
        for name, k1 in figure_settings(config, figure):
            if not k1 <= figure["k2"] <= config["experiments"][name]["k2"]:
                raise InputError(
                    f"in the configuration, {where}: k2 = {figure['k2']} is not from k1 = {k1} to "
                    f"the k2 = {config['experiments'][name]['k2']} of {name}"
                )


def check_kind(where: str, kind: str, figure: Mapping[str, Any]) -> None:
    """Refuse a key that figures of this kind, for instance ``curves``, would ignore."""
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


def judged(config: Config, figure: Mapping[str, Any]) -> list[tuple[Setting, str]]:
    """List the settings and methods whose intervals a figure judges, in its order.

    Without those that cannot be judged: classifiers that are trained anew, k1 above half of the
    classes or too small for an interval, methods whose fits take minutes unless `jobs` says of how
    many repetitions their intervals are judged.
    """
    reasons = _reasons(config, figure)
    return [pair for pair, reason in reasons.items() if reason is None]


def coverage_plan(config: Config, figure: Mapping[str, Any]) -> dict[str, Any]:
    """Say what a figure of coverage shows: its methods, as far as their intervals are judged."""
    shown = {method for _, method in judged(config, figure)}
    methods = figure_plan(config, figure)["methods"]
    return {"methods": {key: name for key, name in methods.items() if key in shown}}


def interval_splits(config: Config, method: str) -> int:
    """Say into how many pairs of halves the classes are split for an interval of a method."""
    splits = int(config["intervals"]["splits"])
    return min(splits, EXTRAPOLATORS[method_of(config, method)[0]].splits)


def check_coverage(where: str, figure: Mapping[str, Any], config: Config) -> None:
    """Refuse a figure of coverage that names what cannot be judged anywhere.

    That is an experiment, k1 or method without an interval, or no interval at all; the figure is
    one that `check_figure` accepted.
    """
    reasons = _reasons(config, figure)
    for key, place in (("experiments", 0), ("k1", 1), ("methods", 2)):
        for name in figure.get(key, []):
            here = [
                why
                for (setting, method), why in reasons.items()
                if name == (*setting, method)[place]
            ]
            _refuse_without(here, where, f"k1 = {name}" if key == "k1" else f"{name}")
    _refuse_without(list(reasons.values()), where, "its settings")


def _refuse_without(reasons: list[str | None], where: str, of: str) -> None:
    """Refuse where there is a reason against each; say the first."""
    if reasons and None not in reasons:
        raise InputError(
            f"in the configuration, {where}: the intervals of {of} cannot be judged: {reasons[0]}"
        )


def _reasons(config: Config, figure: Mapping[str, Any]) -> dict[tuple[Setting, str], str | None]:
    """Why the intervals of each setting and method of a figure cannot be judged; None if so."""
    trained = trained_anew(config)
    return {
        (setting, method): _reason(config, setting, method, setting.experiment in trained)
        for setting in figure_settings(config, figure)
        for method in figure_methods(config, figure)
    }


def _reason(config: Config, setting: Setting, method: str, trained: bool) -> str | None:
    name, options = method_of(config, method)
    # A data set that does not say its size has at least k2 classes.
    known = getattr(dataset_of(config, setting.experiment), "n_classes", None)
    classes = known if isinstance(known, int) else config["experiments"][setting.experiment]["k2"]
    needed = 2 * max(MINIMUM_CLASSES, make_extrapolator(name, **options).minimum_classes)
    if trained:
        return f"{setting.experiment} trains its classifier anew on each choice of classes"
    if 2 * setting.k1 > classes:
        return f"2 k1 = {2 * setting.k1} is above the {classes} classes of {setting.experiment}"
    if setting.k1 < needed:
        return f"an interval of {name} needs at least {needed} classes, not k1 = {setting.k1}"
    if EXTRAPOLATORS[name].slow and not told(config, setting, method, "intervals", 0):
        return (
            f"fits of {name} take minutes, and an interval takes a dozen of them: "
            f"jobs has to say of how many repetitions, with {{methods: [{method}], intervals: 10}}"
        )
    return None
