"""What a preset says: settings, methods, repetitions, and what is taken from published presets."""

import fnmatch
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.identification import OPEN_SET_METHODS, make_open_set_method
from experiments.datasets import make_dataset
from experiments.datasets.base import Dataset, DistanceDataset, EmbeddedDataset
from experiments.datasets.classifiers import CLASSIFIERS
from experiments.datasets.downloads.original_files import (
    input_files,
    page_of,
    remedy,
    without_source,
)
from experiments.datasets.trained import TrainedDataset
from experiments.evaluation.identification_truth import closed_form
from experiments.published import (
    ROOT,
    Published,
    configuration_of,
    data_of,
    is_published,
    method_of,
    shown_path,
)

# Curves that no method predicts.
OBSERVED = ("true", "observed")

Config = dict[str, Any]
Figure = Mapping[str, Any]


class Setting(NamedTuple):
    """One extrapolation problem: an experiment and a number of classes to start from."""

    experiment: str
    k1: int

    @property
    def path(self) -> str:
        """Its folder in a kind of results."""
        return f"{self.experiment}/k1_{self.k1}"


class Preset:
    """A preset whose keys and types the schema has checked and completed.

    Parameters
    ----------
    config : dict
        The preset, with the schema's defaults. It is changed: simulations are experiments
        afterwards, and experiments whose files are absent are left out.

    Raises
    ------
    InputError
        If a name does not exist, or options are none of their class: which key, and why.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.name: str = config["preset"]
        self.identifies = config["question"] == "identification"
        twice = config["experiments"].keys() & (simulated := simulations(config))
        if twice:
            raise InputError(f"experiments: {min(twice)} is among the simulations too")
        config["experiments"] |= simulated
        self.chosen = choose(config["experiments"], config["only"])
        computed = list(config["methods"])
        beside = listed(config["beside"])
        if config["compute"] is not None:
            computed = listed(config["compute"])
            registered = OPEN_SET_METHODS if self.identifies else EXTRAPOLATORS
            # A new method needs no entry in the presets that it stands beside.
            new = [key for key in computed if key in registered and key not in config["methods"]]
            config["methods"] |= {key: {} for key in new}
            self.check_names("compute", {"methods": computed})
            if config["beside"] is None and is_published(self.name):
                beside = [self.name]
        for key in config["methods"]:
            self._check_method(key)
        with located("beside"):
            self.published = [Published(name) for name in beside]
        first = (
            self.published[0].config["reference"]
            if self.published
            else next(iter([*computed, *config["methods"]]))
        )
        for published in self.published:
            config["methods"] = {**published.config["methods"], **config["methods"]}
        # The methods that are computed, in the order of all.
        self.computed = [key for key in config["methods"] if key in computed]
        known = [published.config["methods"] for published in self.published]
        # Those of them that stand beside what is published.
        self.new = [
            key for key in self.computed if known and not any(key in each for each in known)
        ]
        config["reference"] = config["reference"] or first
        self.check_names("reference", {"methods": [config["reference"]]})
        # Why the scores of an experiment cannot be had.
        self.absent = {name: why for name in self.chosen if (why := self._absent(name))}
        self.left_out = {
            name: why
            for name, why in self.absent.items()
            # What is published is drawn without the data.
            if self.computed or not any(name == row[0] for p in self.published for row in p.rows)
        }
        for name, experiment in config["experiments"].items():
            self._check_experiment(name, experiment["k2"])
        for place, entry in enumerate(config["exceptions"]):
            self.check_names(f"exceptions, entry {place + 1}", entry)

    # Settings and methods.

    @cached_property
    def experiments(self) -> dict[str, Config]:
        """The experiments whose files are there, or can be fetched."""
        every = self.config["experiments"]
        return {name: every[name] for name in self.chosen if name not in self.left_out}

    @cached_property
    def settings(self) -> list[Setting]:
        """The settings of all experiments, in their order, of which something is known."""
        every = [Setting(name, k1) for name, each in self.experiments.items() for k1 in each["k1"]]
        return [
            setting
            for setting in every
            if self.computed or any(self.published_with(setting, method) for method in self.methods)
        ]

    @property
    def not_at_hand(self) -> list[str]:
        """The experiments of which nothing is shown."""
        shown = {setting.experiment for setting in self.settings}
        return [name for name in self.chosen if name not in shown]

    @property
    def methods(self) -> list[str]:
        """The methods of the preset and of those beside it."""
        return list(self.config["methods"])

    @cached_property
    def datasets(self) -> dict[str, Dataset]:
        """The data set of each experiment; files that can be fetched may be absent."""
        folder, datasets = self.config["data_dir"], {}
        for name, each in self.config["experiments"].items():
            with located(f"experiments.{name}.dataset"):
                datasets[name] = make_dataset(data_dir=folder, **each["dataset"])
        return datasets

    @property
    def trained(self) -> list[str]:
        """Experiments whose classifier is trained anew on each choice of k1 classes."""
        return [
            name
            for name in self.experiments
            if isinstance(dataset := self.datasets[name], TrainedDataset) and not dataset.marginal
        ]

    def method(self, key: str) -> tuple[str, Config]:
        """Name and options of the extrapolator that a key of `methods` stands for."""
        return method_of(self.config["methods"], key)

    def class_of_method(self, key: str) -> type:
        """Class of the project that a method is."""
        known = OPEN_SET_METHODS if self.identifies else EXTRAPOLATORS
        return known[self.method(key)[0]]

    def classes_of_dataset(self, experiment: str) -> list[type]:
        """Class of an experiment's data set, and of the classifier that it trains."""
        dataset = self.datasets[experiment]
        classifier = getattr(dataset, "classifier", None)
        return [type(dataset), *([CLASSIFIERS[classifier]] if classifier else [])]

    def extra_of_method(self, key: str) -> str:
        """Name the environment of a method's jobs: the extra that it needs, or the base."""
        name, options = self.method(key)
        return make_extrapolator(name, **options).extra or "base"

    def extra_of_dataset(self, experiment: str) -> str:
        """Name the environment of a data set's jobs: the extra that its classes need."""
        kind: Any = self.classes_of_dataset(experiment)[-1]
        return str(kind.extra)

    def embedded_by(self, experiment: str) -> str | None:
        """Name the first experiment with an experiment's embeddings, if these are a file."""
        own = self.datasets[experiment]
        if not isinstance(own, EmbeddedDataset):
            return None
        return next(each for each in self.experiments if own.shares_embeddings(self.datasets[each]))

    def embedding_entry(self, experiment: str) -> Config:
        """Pick from the entry of a data set what decides its embeddings."""
        dataset = self.datasets[experiment]
        assert isinstance(dataset, EmbeddedDataset)
        deciding = ("kind", *dataset.embedding_options)
        entry = self.config["experiments"][experiment]["dataset"]
        return {key: value for key, value in entry.items() if key in deciding}

    def stores_matrix(self, experiment: str) -> bool:
        """Whether a score matrix is written; else the embeddings, from which ranks are computed."""
        if self.identifies or not isinstance(self.datasets[experiment], DistanceDataset):
            return True
        shown = self.config["figures"]["reversed_roc"].values()
        if any(figure["experiment"] == experiment for figure in shown):
            return True
        methods = (self.method(key) for key in self.computed)
        return any(make_extrapolator(name, **each).needs != "ranks" for name, each in methods)

    def originals(self) -> dict[str, list[str]]:
        """Paths of the files, by whatever names, that experiments on originals read here."""
        read = {name: self.datasets[name] for name in self.experiments}
        found = {
            name: [str(path) for path in input_files(dataset) if path.is_file()]
            for name, dataset in read.items()
            if dataset.originals
        }
        return {name: paths for name, paths in found.items() if paths}

    def has_closed_form(self, experiment: str) -> bool:
        """Whether the true rates of identification are known, beyond the classes of the data."""
        return self.identifies and closed_form(self.datasets[experiment]) is not None

    # Repetitions.

    def repetitions(self, experiment: str) -> int:
        """How many repetitions an experiment has."""
        return int(
            self.config["experiments"][experiment].get("repetitions", self.config["repetitions"])
        )

    def own_value(self, setting: Setting, method: str, key: str, default: int) -> int:
        """Value of a key in the last of the `exceptions` that fit, the method's, or the default."""
        found = self.config["methods"][method].get(key, default)
        for entry in self.config["exceptions"]:
            if (
                key in entry
                and method in entry.get("methods", [method])
                and setting.experiment in entry.get("experiments", [setting.experiment])
                and setting.k1 in entry.get("k1", [setting.k1])
            ):
                found = entry[key]
        return int(found)

    def interval_repetitions(self, setting: Setting, method: str) -> int:
        """On how many repetitions, the first ones, a method's intervals are judged."""
        usual = self.config["intervals"]["repetitions"]
        every = self.repetitions(setting.experiment)
        return min(every, self.own_value(setting, method, "intervals", usual))

    def planned(self, setting: Setting, method: str) -> int:
        """How many repetitions a method has in a setting, the first ones."""
        every = self.repetitions(setting.experiment)
        return min(every, self.own_value(setting, method, "repetitions", every))

    def chunks(self, setting: Setting, method: str) -> list[str]:
        """Chunks of a method's repetitions in a setting, each "first-last", both counted in."""
        total = self.planned(setting, method)
        size = self.own_value(setting, method, "chunk", self.config["chunk"])
        return [f"{i:04d}-{min(i + size, total) - 1:04d}" for i in range(0, total, size)]

    def splits(self, method: str) -> int:
        """Into how many pairs of halves the classes are split for an interval of a method."""
        return min(
            int(self.config["intervals"]["splits"]), EXTRAPOLATORS[self.method(method)[0]].splits
        )

    # What is computed, and what is taken from published presets.

    @cached_property
    def _sources(self) -> dict[tuple[Setting, str], Published]:
        sources = {}
        for name, experiment in self.experiments.items():
            for method in [key for key in self.methods if key not in self.computed]:
                wanted = configuration_of(self.config, name, method)
                for setting in [Setting(name, k1) for k1 in experiment["k1"]]:
                    with located("beside"):
                        known = (p for p in self.published if p.has(setting, method, wanted))
                        if published := next(known, None):
                            sources[setting, method] = published
        return sources

    def published_with(self, setting: Setting, method: str) -> Published | None:
        """Find the published preset that has a method's errors in a setting that is not computed.

        `InputError` if its seed, data set, k2 or the method's options are not those of this preset.
        """
        return self._sources.get((setting, method))

    def curves(self, setting: Setting, method: str) -> list[str]:
        """Files of a method's predicted curves in a setting; none where there are none."""
        place = f"predicted/{setting.path}/{method}"
        if method in self.computed:
            chunks = self.chunks(setting, method)
            return [f"results/{self.name}/{place}/{chunk}.parquet" for chunk in chunks]
        published = self.published_with(setting, method)
        return published.files(f"{place}/*.parquet") if published else []

    def has_more(self, setting: Setting, method: str) -> bool:
        """Whether repetitions of a method are published with curves and without errors."""
        if not (published := self.published_with(setting, method)):
            return False
        ends = [int(Path(path).stem[-4:]) + 1 for path in self.curves(setting, method)]
        there = min(max(ends, default=0), self.repetitions(setting.experiment))
        return published.rows[(*setting, method)] < there

    def thinned_curves(self, setting: Setting) -> dict[str, list[str]]:
        """Map published files of thinned curves of a setting to the methods to be had there.

        A run that computes nothing has the true and the observed curves from there too.
        """
        files: dict[str, list[str]] = {}
        for published in self.published:
            known = [
                method
                for method in published.thinned(setting.path)
                if (
                    not self.computed
                    if method in OBSERVED
                    else method in self.methods
                    and self.published_with(setting, method) is published
                )
            ]
            if known:
                files[shown_path(published.folder / f"curves/{setting.path}.parquet")] = known
        return files

    def has_curves(self, setting: Setting, method: str) -> bool:
        """Whether a method's curves in a setting can be shown: computed, or published."""
        known = chain(*self.thinned_curves(setting).values())
        return bool(self.curves(setting, method)) or method in known

    def reads_published(self, setting: Setting, kind: str) -> bool:
        """Whether the ``curves`` observed, or the ``class_draw``, of a setting are not computed."""
        if self.computed:
            return False
        if kind == "curves":
            return {*OBSERVED} <= {*chain(*self.thinned_curves(setting).values())}
        return any(setting in published.draws for published in self.published)

    def can_show(self, setting: Setting, kinds: Iterable[str]) -> bool:
        """Whether there is what a figure reads of a setting, though its data may not be at hand."""
        scores = {"scores", "curves", "class_draw"} & {*kinds}
        return setting.experiment not in self.absent or all(
            kind != "scores" and self.reads_published(setting, kind) for kind in scores
        )

    def published_rows(self, figure: Figure | None = None) -> dict[str, list[list[Any]]]:
        """Map published presets to the (experiment, k1, method) whose rows a table takes."""
        found: dict[str, list[list[Any]]] = {}
        shown = product(self.shown_settings(figure or {}), self.shown_methods(figure or {}))
        for setting, method in shown:
            if published := self.published_with(setting, method):
                found.setdefault(published.name, []).append([*setting, method])
        return found

    def published_tables(self, rows: Mapping[str, Any], table: str) -> list[str]:
        """List the published tables of the presets that give rows."""
        return [path for name in rows for path in Published(name).files(table)]

    def other_data(self, published: str) -> list[str]:
        """List experiments of a published preset that here have the same name and other data."""
        here, theirs = self.config["experiments"], Published(published).config["experiments"]
        return [
            name
            for name in theirs
            if name in here and data_of(theirs[name]["dataset"]) != data_of(here[name]["dataset"])
        ]

    @property
    def missing(self) -> list[str]:
        """Methods that are neither computed nor published, with the first of their settings."""
        first_settings: dict[str, Setting] = {}
        for setting, method in product(self.settings, self.methods):
            if method not in self.computed and not self.published_with(setting, method):
                first_settings.setdefault(method, setting)
        return [f"{method} ({setting.path})" for method, setting in first_settings.items()]

    # What a figure or table shows.

    def named_settings(self, figure: Figure) -> list[Setting]:
        """List the settings that a figure names, in its order, also where nothing is known."""
        names = [figure["experiment"]] if "experiment" in figure else figure.get("experiments")
        every = self.config["experiments"]
        return [
            Setting(name, k1)
            for name in names or every
            for k1 in every[name]["k1"]
            if name in self.chosen and k1 in (figure.get("k1") or [k1])
        ]

    def shown_settings(self, figure: Figure) -> list[Setting]:
        """List the settings that a figure shows, in its order."""
        return [setting for setting in self.named_settings(figure) if setting in self.settings]

    def shown_methods(self, figure: Figure) -> list[str]:
        """List the methods that a figure shows, in its order."""
        return list(figure.get("methods") or self.methods)

    def label(self, experiment: str) -> str:
        """Name of an experiment in figures."""
        return str(self.config["experiments"][experiment].get("label", experiment))

    def judged(self, figure: Figure) -> dict[tuple[Setting, str], str | None]:
        """Why the intervals of each setting and method of a figure cannot be judged; None if so."""
        shown = product(self.shown_settings(figure), self.shown_methods(figure))
        return {pair: self._unjudged(*pair) for pair in shown}

    def _unjudged(self, setting: Setting, method: str) -> str | None:
        name, options = self.method(method)
        classes = self._count_classes(setting.experiment)
        needed = make_extrapolator(name, **options).classes_for_halves
        if setting.experiment in self.trained:
            return f"{setting.experiment} trains its classifier anew on each choice of classes"
        if 2 * setting.k1 > classes:
            return f"2 k1 = {2 * setting.k1} is above the {classes} classes of {setting.experiment}"
        if setting.k1 < needed:
            return f"an interval of {name} needs at least {needed} classes, not k1 = {setting.k1}"
        if EXTRAPOLATORS[name].slow and not self.own_value(setting, method, "intervals", 0):
            return (
                f"fits of {name} take minutes, and an interval takes a dozen of them: say in "
                f"exceptions of how many repetitions, {{methods: [{method}], intervals: 10}}"
            )
        return None

    # Checks.

    def check_names(self, where: str, named: Figure) -> None:
        """Refuse experiments and methods that are not there, and k1 that no experiment has."""
        experiment = [named["experiment"]] if "experiment" in named else []
        for key, names in (
            ("experiments", [*named.get("experiments", []), *experiment]),
            ("methods", named.get("methods", [])),
        ):
            for name in names:
                if name not in self.config[key]:
                    known = ", ".join(self.config[key])
                    raise InputError(f"{where}: {name!r} is not among the {key}: {known}")
        wanted = named.get("experiments") or experiment or self.config["experiments"]
        known_k1 = {k1 for name in wanted for k1 in self.config["experiments"][name]["k1"]}
        if not known_k1 & {*(named.get("k1") or known_k1)}:
            raise InputError(f"{where}: no experiment has a k1 among {named['k1']}")

    def _check_method(self, key: str) -> None:
        name, options = self.method(key)
        if "seed" in options:
            raise InputError(f"methods.{key}: seed is derived for each repetition: leave it out")
        with located(f"methods.{key}"):
            make = make_open_set_method if self.identifies else make_extrapolator
            make(name, **options)

    def _check_experiment(self, name: str, k2: int) -> None:
        if (k1 := max(self.config["experiments"][name]["k1"])) > k2:
            raise InputError(f"experiments.{name}: k1 = {k1} is above k2 = {k2}")
        with located(f"experiments.{name}.dataset"):
            classes = self._count_classes(name)
        if classes < k2 and not self.has_closed_form(name):
            raise InputError(
                f"experiments.{name}: k2 = {k2} is above the data set's {classes} classes"
            )

    def _count_classes(self, experiment: str) -> int:
        """Count the classes of a data set; k2 where it does not say, or has no file yet."""
        dataset, k2 = self.datasets[experiment], self.config["experiments"][experiment]["k2"]
        there = all(path.exists() for path in input_files(dataset))
        return int(getattr(dataset, "n_classes", k2)) if there else k2

    def _absent(self, experiment: str) -> str:
        """Why an experiment is left out, and how its files are to be had; "" where it is not."""
        dataset = self.datasets[experiment]
        if self.config["absent"] == "expect":
            return ""
        if own := without_source(dataset):
            page = page_of(own[0])
            gives = f"it is made by hand of {page}" if page else "no public file gives it"
            return f"{spell(own)}, and {gives}; see config/README.md"
        if self.config["absent"] == "fetch":
            return ""
        absent = [path for path in input_files(dataset) if not path.exists()]
        return f"{spell(absent)}; {remedy(absent[0], dataset)}" if absent else ""


def spell(files: list[Path]) -> str:
    """Say that files are not there."""
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    return f"{files[0].name}{more} is not in {files[0].parent}"


def choose(experiments: Config, only: str | list[str] | None) -> list[str]:
    """Choose the experiments of the given names or patterns; all without any."""
    patterns = listed(only)
    for pattern in patterns:
        if not fnmatch.filter(experiments, pattern):
            raise InputError(f"only: no experiment is {pattern!r}: {', '.join(experiments)}")
    return [
        n
        for n in experiments
        if not patterns or any(fnmatch.fnmatchcase(n, each) for each in patterns)
    ]


def listed(names: str | list[str] | None) -> list[str]:
    """List what stands in a preset, or on the command line as one word; "none" is none."""
    if isinstance(names, list):
        return names
    return [name for name in re.split(r"[\s,]+", names or "") if name not in ("", "none")]


def claim_files(names: str | list[str]) -> list[str]:
    """Paths of files of claims that a preset names, from the project's folder."""
    return [shown_path(ROOT / name) for name in listed(names)]


def simulations(config: Mapping[str, Any]) -> dict[str, Config]:
    """Experiments on every combination of the distributions and variances of each grid."""
    simulated = {}
    for entry in config["simulations"]:
        options = entry["dataset"]
        for classes, points, variance in product(
            options["classes"], options["points"], options["variance"]
        ):
            drawn = {"classes": classes, "points": points, "variance": variance}
            simulated[f"{classes}_{points}_d{options['dimension']}_v{variance}"] = {
                **entry,
                "label": f"Y ~ {classes[0].upper()}, X|Y ~ {points[0].upper()}, σ² = {variance}",
                "dataset": {"kind": "simulation", **options, **drawn},
            }
    return simulated
