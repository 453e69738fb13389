"""What is published: tables, curves and figures that are committed, and sources of later runs."""

import json
from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from inspect import signature
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators import EXTRAPOLATORS
from experiments.datasets import DATASETS
from experiments.stored import table_provenance

# Curves that no method predicts.
OBSERVED = ("true", "observed")
ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results/published"
RECORD = "provenance.json"

Figure = Mapping[str, Any]


class Setting(NamedTuple):
    """One extrapolation problem: an experiment and a number of classes to start from."""

    experiment: str
    k1: int

    @property
    def path(self) -> str:
        """Its folder in a kind of results."""
        return f"{self.experiment}/k1_{self.k1}"


def shown_path(path: Path) -> str:
    """Name a file of the project from where Snakemake runs: the same after both have moved."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def is_published(name: str) -> bool:
    """Whether results of a preset are published."""
    return (RESULTS / name / RECORD).is_file()


class Published:
    """The published results of a preset, in ``results/published/NAME``.

    `InputError` if there are none.
    """

    def __init__(self, name: str) -> None:
        self.name, self.folder = name, RESULTS / name
        record = self.folder / RECORD
        if not is_published(name):
            known = sorted(path.parent.name for path in RESULTS.glob("*/provenance.json"))
            raise InputError(f"nothing is published of {name!r}: there are {', '.join(known)}")
        self.record: dict[str, Any] = json.loads(record.read_text(encoding="utf-8"))
        self.config: dict[str, Any] = self.record["config"]

    @cached_property
    def rows(self) -> set[tuple[Any, ...]]:
        """The (experiment, k1, method) that have errors."""
        name = "rate_errors.csv" if identifies(self.config) else "errors.csv"
        return self._settings(name, "method")

    @cached_property
    def draws(self) -> set[tuple[Any, ...]]:
        """The (experiment, k1) whose noise of the draw of the classes is there."""
        return self._settings("draws.csv")

    def _settings(self, name: str, *more: str) -> set[tuple[Any, ...]]:
        """Collect the different settings of a table that may be there."""
        keys, path = ["experiment", "k1", *more], self.folder / name
        table = pd.read_csv(path, usecols=keys)[keys] if path.is_file() else pd.DataFrame()
        return {*table.itertuples(index=False, name=None)}

    def has(self, setting: tuple[str, int], method: str, wanted: Mapping[str, Any]) -> bool:
        """Whether errors of a method in a setting are published.

        `InputError`, which says what differs, if they were not made with what is `wanted`.
        """
        if (*setting, method) not in self.rows:
            return False
        made = configuration_of(self.config, setting[0], method)
        for key, value in wanted.items():
            if made.get(key) != value:
                raise InputError(
                    f"{self.name} has {method} in {setting[0]}, k1 = {setting[1]}, with "
                    f"{key} = {made.get(key)} and not {value}: compute it, or give it another name"
                )
        return True

    def files(self, pattern: str) -> list[str]:
        """Paths of published files that match a pattern."""
        return [shown_path(path) for path in sorted(self.folder.glob(pattern))]


class Beside:
    """What a `Preset` takes from the published presets, by their names, that it stands beside."""

    def __init__(self, preset: Any, names: Iterable[str]) -> None:
        self._preset = preset
        with located("beside"):
            self.published = [Published(name) for name in names]
        # Each is looked up many times.
        self.source = cache(self._source)

    def _source(self, setting: Setting, method: str) -> Published | None:
        """Find the published preset that has a method's errors in a setting that is not computed.

        `InputError` if its seed, data set, k2 or the method's options are not those of this preset.
        """
        computed = method in (*OBSERVED, *self._preset.computed)
        if computed or not self.published:
            return None
        wanted = configuration_of(self._preset.config, setting.experiment, method)
        with located("beside"):
            return next((p for p in self.published if p.has(setting, method, wanted)), None)

    def thinned_curves(self, setting: Setting) -> dict[str, list[str]]:
        """Map published files of thinned curves of a setting to the methods to be had there.

        A run that computes nothing has the true and the observed curves from there too.
        """
        files: dict[str, list[str]] = {}
        for published in self.published:
            path = published.folder / f"curves/{setting.path}.parquet"
            observed = [] if self._preset.computed else [*OBSERVED]
            known = [
                method
                for method in thinned_methods(path)
                if method in observed or self.source(setting, method) is published
            ]
            if known:
                files[shown_path(path)] = known
        return files

    def gives(self, setting: Setting, kind: str) -> bool:
        """Whether a kind of results of a setting needs no scores in a run that computes nothing."""
        there = kind != "scores"
        if kind == "curves":
            there = {*OBSERVED} <= {*chain(*self.thinned_curves(setting).values())}
        elif kind == "class_draw":
            there = any(setting in published.draws for published in self.published)
        return there and not self._preset.computed

    def rows(self, figure: Figure | None = None) -> dict[str, list[list[Any]]]:
        """Map published presets to the (experiment, k1, method) whose rows a table takes."""
        found: dict[str, list[list[Any]]] = {}
        settings = self._preset.shown_settings(figure or {})
        for setting, method in product(settings, self._preset.shown_methods(figure or {})):
            if published := self.source(setting, method):
                found.setdefault(published.name, []).append([*setting, method])
        return found

    def other_data(self, name: str) -> list[str]:
        """List experiments of a published preset that here have the same name and other data."""
        here, theirs = self._preset.config["experiments"], Published(name).config["experiments"]
        return [
            each
            for each in theirs
            if each in here and data_of(theirs[each]["dataset"]) != data_of(here[each]["dataset"])
        ]


@cache
def thinned_methods(path: Path) -> tuple[str, ...]:
    """List the methods, also ``true`` and ``observed``, of a file of thinned curves, if any."""
    return tuple(json.loads(table_provenance(path))) if path.is_file() else ()


def method_of(methods: Mapping[str, Any], key: str) -> tuple[str, dict[str, Any]]:
    """Name and options of the extrapolator that a key of `methods` stands for."""
    return methods[key].get("method", key), dict(methods[key].get("options", {}))


def configuration_of(config: Mapping[str, Any], experiment: str, method: str) -> dict[str, Any]:
    """Pick from a preset all that decides a method's curve in an experiment, besides the code.

    Defaults of the method's and the data set's class are filled in.
    """
    name, given = method_of(config["methods"], method)
    options = _defaults(EXTRAPOLATORS.get(name)) | given
    entry = config["experiments"][experiment]
    decisive = {
        "seed": config["seed"],
        "fpir": config["fpir"] if identifies(config) else None,
        "k2": entry["k2"],
        "lists": entry.get("lists"),
        **data_of(entry["dataset"]),
        "method": name,
        **{f"{method}.{key}": value for key, value in options.items()},
    }
    # As in provenance.json.
    return dict(json.loads(json.dumps(decisive, default=str)))


def data_of(dataset: Mapping[str, Any]) -> dict[str, Any]:
    """Pick from a preset's entry of a data set all that decides its scores, with defaults.

    Where its originals lie, and under which names, decides nothing: provenance has their checksums.
    """
    kind = dataset["kind"]
    apart = {"kind", *(DATASETS[kind].originals if kind in DATASETS else ())}
    options = {key: value for key, value in dataset.items() if key not in apart}
    filled = _defaults(DATASETS.get(kind)) | options
    return {"kind": kind, **{f"dataset.{key}": value for key, value in filled.items()}}


def identifies(config: Mapping[str, Any]) -> bool:
    """Whether a preset's question is identification."""
    return config.get("question") == "identification"


@cache
def _defaults(kind: type | None) -> dict[str, Any]:
    """Defaults of the options of a class, which are looked up thousands of times; none without."""
    parameters = signature(kind).parameters.values() if kind else ()
    usual = {each.name: each.default for each in parameters if each.default is not each.empty}
    usual.pop("seed", None)
    return usual
