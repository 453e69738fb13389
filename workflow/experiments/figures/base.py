"""What every kind of figure says of itself."""

import sys
from abc import ABC
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc, signature
from pathlib import Path
from typing import Any, ClassVar, dataclass_transform

import pandas as pd

from accuracy_curves.answers.plots import Style, paper_style
from accuracy_curves.exceptions import InputError
from accuracy_curves.extrapolators import EXTRAPOLATORS
from accuracy_curves.identification import OPEN_SET_METHODS
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import check_options
from experiments.evaluation.result_files import read_curves, read_draws, read_errors
from experiments.figures.panels import Figure, Rows
from experiments.figures.shown import LabelledSetting, key_styles
from experiments.preset import Preset
from experiments.published import Setting

# Paths by what they hold: the entries of `FigureKind.reads`.
Files = Mapping[str, Sequence[str]]
Plan = dict[str, Any]

# How the files are read that a figure is drawn from.
READERS: dict[str, Callable[[Sequence[str]], Any]] = {
    "table": lambda paths: pd.read_csv(paths[0]),
    "rate_errors": lambda paths: pd.read_csv(paths[0]),
    "curves": read_curves,
    "class_draw": read_draws,
    "errors": read_errors,
    "choices": lambda paths: pd.read_csv(paths[0], keep_default_na=False),
    # Too large to be held together.
    "scores": lambda paths: {Path(path).stem: path for path in paths},
}


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class FigureKind(ABC):
    """A kind of figure, whose instances are the entries of its `kind` under ``figures``.

    A subclass is made a frozen, keyword-only dataclass. Its fields are the keys of an entry, whose
    ranges stand in their types; its docstring's Parameters say what they mean. A default that is
    empty or 0 means all. What the docstring says between its first line and these is the `caption`
    of the report. It sets `kind`, its key in presets, and implements `draw`, and, where more than
    its entry decides it, `plan_more`, `plan_table` and `check`.

    The parameters of `draw` say what it is drawn from. Of the run these are tables: ``curves``
    (true, observed and predicted), ``errors``, ``class_draw``, ``choices``, ``rate_errors``, or
    ``table``, one of its own, which `tabulate` makes of the files that it `tabulates`: ``curves``,
    ``intervals``, ``rates``. ``scores`` are paths by experiment. Of the preset: ``settings``,
    ``labels`` of experiments, ``styles`` (looks of the methods), ``reference``; and other keys of
    its plan.
    """

    kind: ClassVar[str]
    caption: ClassVar[str]
    # The parameters of `draw`, and those of them that are files.
    takes: ClassVar[tuple[str, ...]]
    reads: ClassVar[tuple[str, ...]]
    tabulates: ClassVar[tuple[str, ...]] = ()
    # Of presets whose question is identification, which has other methods.
    identifies: ClassVar[bool] = False
    # What is drawn at random; "" for nothing.
    random: ClassVar[str] = ""
    draw: ClassVar[Callable[..., Any]]
    # Of the files, of what `plan_table` says, and of rows of published tables, None where none are.
    tabulate: ClassVar[Callable[..., pd.DataFrame]]

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        described, _, _ = cleandoc(cls.__doc__ or "").partition("\n\nParameters\n")
        cls.caption = " ".join(described.split("\n\n", 1)[-1].split())
        if "draw" in vars(cls):
            cls.takes = tuple(signature(cls.draw).parameters)
            cls.reads = tuple(name for name in cls.takes if name in READERS)

    def __post_init__(self) -> None:
        check_options(self)

    def plan(self, preset: Preset, name: str) -> Plan:
        """Say what decides the figure of this name, besides the files and the code."""
        settings, absent = self.shown_settings(preset), self.absent(preset)
        plan: Plan = {"entry": preset.config["figures"][self.kind][name], "caption": self.caption}
        if "settings" in self.takes:
            plan["settings"] = [list(setting) for setting in settings]
        if {"settings", "labels"} & {*self.takes}:
            plan["labels"] = {name: preset.label(name) for name, _ in settings}
        if "styles" in self.takes:
            kinds = {key: preset.method(key)[0] for key in self.shown_methods(preset)}
            looks = key_styles(kinds, OPEN_SET_METHODS if self.identifies else EXTRAPOLATORS)
            plan["methods"] = {key: [look.label, look.color] for key, look in looks.items()}
        if "reference" in self.takes:
            plan["reference"] = preset.config["reference"]
        plan |= ({"absent": absent} if absent else {}) | self.plan_more(preset)
        if absent and "absent" not in self.takes:
            names = ", ".join(dict.fromkeys(each[2] for each in absent))
            plan["caption"] += f" Not shown, as their data are not at hand: {names}."
        if "curves" in self.reads:
            # More may be published, and fewer be drawn.
            most = getattr(self, "repetitions", None) or sys.maxsize
            plan["repetitions"] = {n: min(preset.repetitions(n), most) for n, _ in settings}
        if self.random:
            plan["seed"] = derive_seed(preset.config["seed"], name, self.random)
        return plan

    def plan_more(self, preset: Preset) -> Plan:
        """Say what decides a figure of this kind besides."""
        return {}

    def plan_table(self, preset: Preset) -> Plan:
        """Say what decides its table, besides the files and the code."""
        return {}

    def shown_settings(self, preset: Preset) -> list[Setting]:
        """List the settings shown, in their order: those with all that is read of them."""
        return preset.shown_settings(vars(self), self.reads)

    def shown_methods(self, preset: Preset) -> list[str]:
        """List the methods shown: their errors, or curves, are there in all settings.

        Tables of errors have a new method as well, if the run stands beside published ones.
        """

        def is_there(setting: Setting, method: str) -> bool:
            if preset.has_curves(setting, method):
                return True
            return "curves" not in self.reads and preset.beside.source(setting, method) is not None

        shown = preset.shown_methods(vars(self))
        if self.reads in (("errors",), ("rate_errors",)):
            # A new method beside published ones, which an entry cannot name.
            shown = list(dict.fromkeys([*shown, *preset.new]))
        if not {"curves", "errors", "rate_errors"} & {*self.reads}:
            return shown
        settings = self.shown_settings(preset)
        return [each for each in shown if all(is_there(setting, each) for setting in settings)]

    def absent(self, preset: Preset) -> list[list[Any]]:
        """List what the entry names and cannot show: experiment, k1, label and k2."""
        shown, every = self.shown_settings(preset), preset.config["experiments"]
        left = [each for each in preset.named_settings(vars(self)) if each not in shown]
        return [[*each, preset.label(each[0]), every[each[0]]["k2"]] for each in left]

    def named_rows(self, preset: Preset) -> Rows:
        """Say what is plotted where all data are there: repetitions by setting and method."""
        settings = self.shown_settings(preset)
        if "styles" not in self.takes:
            return {(each.experiment, 0, "true"): 1 for each in settings if "scores" in self.reads}
        most = getattr(self, "repetitions", None) or sys.maxsize
        rows: Rows = {
            (*setting, method): min(preset.planned(setting, method), most)
            for setting in settings
            for method in self.shown_methods(preset)
        }
        for setting in settings:
            every = preset.repetitions(setting.experiment)
            if "curves" in self.reads:
                rows[*setting, "observed"], rows[*setting, "true"] = min(every, most), 1
            if "class_draw" in self.reads:
                rows[*setting, "class_draw"] = every
        return rows

    def runs(self, preset: Preset) -> list[type]:
        """List the classes whose code draws it: this one, and methods that are fitted."""
        return [type(self)]

    def check(self, preset: Preset, where: str) -> None:
        """Refuse an entry that names what is not there; `where` is its key in the preset."""
        preset.check_names(where, vars(self))
        if self.identifies != preset.identifies:
            question = "identification" if self.identifies else "accuracy"
            raise InputError(f"{where}: {self.kind} is for presets whose question is {question}")

    def shows_anything(self, preset: Preset) -> bool:
        """Whether something is left to show where experiments are left out."""
        return bool(self.shown_settings(preset)) and bool(self.shown_methods(preset))

    def draw_from(self, files: Files, plan: Plan) -> Figure:
        """Draw the figure from the files that it `reads` and its `plan`."""
        found = {**plan, **{name: READERS[name](files[name]) for name in self.reads}}
        if "curves" in found:
            curves = found["curves"]
            most = curves["experiment"].map(plan["repetitions"])
            found["curves"] = curves[~(curves["repetition"] >= most)]
        if "settings" in plan:
            found["settings"] = settings_of(plan)
        if "methods" in plan:
            looks = plan["methods"].items()
            # Of a table of its own, the methods that have rows there.
            there = {*(found["table"]["method"] if "table" in found else plan["methods"])}
            found["styles"] = {key: Style(*look) for key, look in looks if key in there}
        with paper_style():
            return self.draw(**{name: found[name] for name in self.takes if name in found})


class FigureOfSettings(FigureKind):
    """Base of the kinds that show methods in settings: the entry's, or all."""

    # The schema says their types and meaning, as tables have them too.
    experiments: Sequence[str] = ()
    k1: Sequence[int] = ()
    methods: Sequence[str] = ()


def settings_of(plan: Plan) -> list[LabelledSetting]:
    """Turn the settings of a plan into the settings of drawings.

    Where several settings share each k1, box plots get one panel per k1, as in ICLR 2021, Figure 2.
    """
    shared = Counter(k1 for _, k1 in plan["settings"])
    by_k1 = min(shared.values(), default=0) > 1
    return [
        LabelledSetting(
            experiment, k1, plan["labels"][experiment], f"$k_1 = {k1}$" if by_k1 else ""
        )
        for experiment, k1 in plan["settings"]
    ]
