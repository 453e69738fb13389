"""Whose intervals a figure of the kind `coverage` judges, and from how many splits."""

from collections.abc import Mapping
from typing import Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.scores.score_matrix import MINIMUM_CLASSES
from pipeline.preset.chunks import told
from pipeline.preset.figure_plans import figure_methods, figure_plan, figure_settings
from pipeline.preset.settings import Config, Setting, dataset_of, method_of, trained_anew


def judged(config: Config, figure: Mapping[str, Any]) -> list[tuple[Setting, str]]:
    """List the settings and methods whose intervals a figure judges, in its order.

    Parameters
    ----------
    config : dict
        A checked preset.
    figure : mapping
        With experiments, k1 and methods, as far as it has them.

    Returns
    -------
    list of (Setting, str)
        Without those that cannot be judged: classifiers that are trained anew, k1 above half of
        the classes or too small for an interval, methods whose fits take minutes unless `jobs`
        says of how many repetitions their intervals are judged.
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
    """Check that everything that a figure of coverage names can be judged somewhere.

    Parameters
    ----------
    where : str
        Its key in the configuration.
    figure : mapping
        What `figure_plans.check_figure` accepted.
    config : dict
        The preset, with every default filled in.

    Raises
    ------
    InputError
        If the intervals of an experiment, k1 or method that it names, or all its intervals,
        cannot be judged.
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
