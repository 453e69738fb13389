"""What every kind of figure says of itself."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
from matplotlib.figure import Figure

from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.prediction.plots.style import Style, paper_style
from accuracy_curves.utils.seeds import derive_seed
from experiments.evaluation.result_files import read_curves, read_errors
from experiments.figures.shown import LabelledSetting, key_styles
from experiments.preset import Preset, Setting

# Paths by what they hold: the entries of `FigureKind.reads`.
Files = Mapping[str, Sequence[str]]
Plan = dict[str, Any]

# Keys of an entry that say what is shown; `FigureKind.shows` has what follows from them.
CHOSEN = ("experiment", "experiments", "k1", "methods")
# How the files are read; a table of another name is a CSV file.
READERS: dict[str, Callable[[Sequence[str]], Any]] = {
    "curves": read_curves,
    "class_draw": read_curves,
    "errors": read_errors,
    "choices": lambda paths: pd.read_csv(paths[0], keep_default_na=False),
    # Too large to be held together.
    "scores": lambda paths: {Path(path).stem: path for path in paths},
}


class FigureKind:
    """A kind of figure, an entry under ``figures`` in a preset.

    A subclass sets `kind`, its key there, whose own keys stand in the schema; `title` and
    `caption`, its heading and its text in the report; and `reads`, what it is drawn from:
    ``scores``, ``curves`` (true, observed and predicted), ``errors``, ``class_draw``, ``choices``,
    ``rate_errors``, or a table of its own name, ``sweep``, ``coverage``, ``rate_coverage``. It
    implements `draw`, and where an entry has keys of its own, `plan_more` and `check`.

    `draw` names what it takes: what the kind reads, as tables (paths of ``scores`` by experiment);
    ``styles``, looks of the methods; ``settings``; and other keys of its plan.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    caption: ClassVar[str]
    reads: ClassVar[tuple[str, ...]]
    # Of settings, labels, methods and reference those that decide the figure.
    shows: ClassVar[tuple[str, ...]] = ("settings", "labels", "methods")
    # Of presets whose question is identification, which has other methods.
    identifies: ClassVar[bool] = False
    # What is drawn at random; "" for nothing.
    random: ClassVar[str] = ""
    draw: ClassVar[Callable[..., Figure]]

    @classmethod
    def plan(cls, preset: Preset, name: str) -> Plan:
        """Say what a figure shows: all that decides it, besides the files and the code."""
        entry = preset.config["figures"][cls.kind][name]
        settings = preset.shown_settings(entry)
        known = {
            "settings": [list(setting) for setting in settings],
            "labels": {experiment: preset.label(experiment) for experiment, _ in settings},
            "methods": cls._looks(preset, entry),
            "reference": preset.config["reference"],
        }
        plan = {
            **{key: value for key, value in entry.items() if key not in CHOSEN},
            **{key: known[key] for key in cls.shows},
            "caption": cls.caption,
            **cls.plan_more(preset, entry),
        }
        if cls.random:
            plan["seed"] = derive_seed(preset.config["seed"], name, cls.random)
        return plan

    @classmethod
    def _looks(cls, preset: Preset, entry: Mapping[str, Any]) -> dict[str, list[str]]:
        """Label and colour of the methods shown."""
        names = {key: preset.method(key)[0] for key in cls.methods(preset, entry)}
        styles = key_styles(names, OPEN_SET_METHODS if cls.identifies else EXTRAPOLATORS)
        return {key: [style.label, style.color] for key, style in styles.items()}

    @classmethod
    def plan_more(cls, preset: Preset, entry: Mapping[str, Any]) -> Plan:
        """Say what a figure of this kind shows besides; replaces the keys of its entry."""
        return {}

    @classmethod
    def methods(cls, preset: Preset, entry: Mapping[str, Any]) -> list[str]:
        """List the methods shown: those whose errors, or curves, are there in all settings."""

        def is_there(setting: Setting, method: str) -> bool:
            if preset.curves(setting, method):
                return True
            return "curves" not in cls.reads and preset.taken(setting, method) is not None

        shown = preset.shown_methods(entry)
        if not {"curves", "errors", "rate_errors"} & {*cls.reads}:
            return shown
        settings = preset.shown_settings(entry)
        return [each for each in shown if all(is_there(setting, each) for setting in settings)]

    @classmethod
    def runs(cls, preset: Preset, name: str) -> list[type]:
        """List the classes whose code draws a figure: this one, and methods that are fitted."""
        return [cls]

    @classmethod
    def check(cls, preset: Preset, where: str, entry: Mapping[str, Any]) -> None:
        """Refuse an entry that names what is not there; `where` is its key in the preset."""
        preset.check_names(where, entry)
        if cls.identifies != preset.identifies:
            question = "identification" if cls.identifies else "accuracy"
            raise InputError(f"{where}: {cls.kind} is for presets whose question is {question}")

    @classmethod
    def shows_anything(cls, preset: Preset, entry: Mapping[str, Any]) -> bool:
        """Whether something is left to show where experiments are left out."""
        if not cls.shows:
            return True
        return bool(preset.shown_settings(entry)) and bool(cls.methods(preset, entry))

    @classmethod
    def draw_from(cls, files: Files, plan: Plan) -> Figure:
        """Draw the figure from the files that it `reads` and its `plan`."""
        found = {**plan}
        for name in cls.reads:
            paths = files[name]
            found[name] = READERS[name](paths) if name in READERS else pd.read_csv(paths[0])
        if "settings" in plan:
            found["settings"] = settings_of(plan)
        if "methods" in plan:
            found["styles"] = {key: Style(*look) for key, look in plan["methods"].items()}
        taken = {name: found[name] for name in signature(cls.draw).parameters if name in found}
        with paper_style():
            return cls.draw(**taken)


def settings_of(plan: Plan) -> list[LabelledSetting]:
    """Turn the settings of a plan into those that drawings take.

    Where several settings share each k1, box plots get a panel a k1, as in ICLR 2021, Figure 2.
    """
    shared = Counter(k1 for _, k1 in plan["settings"])
    by_k1 = min(shared.values(), default=0) > 1
    return [
        LabelledSetting(
            experiment, k1, plan["labels"][experiment], f"$k_1 = {k1}$" if by_k1 else ""
        )
        for experiment, k1 in plan["settings"]
    ]


def noises(preset: Preset, experiments: Iterable[str]) -> dict[str, float]:
    """Collect the noise of the simulations among experiments, in the order of the preset."""
    return {
        name: math.sqrt(variance)
        for name in preset.experiments
        if name in experiments and (variance := getattr(preset.datasets[name], "variance", None))
    }


def styles_in(table: pd.DataFrame, styles: Mapping[str, Style]) -> dict[str, Style]:
    """Keep the methods that have rows in a table."""
    there = {*table["method"]}
    return {key: style for key, style in styles.items() if key in there}
