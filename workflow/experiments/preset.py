"""What a preset says: settings, methods, repetitions, and what is taken from published presets."""

import fnmatch
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, product
from typing import Any

from accuracy_curves.exceptions import InputError, located
from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.identification import OPEN_SET_METHODS, make_open_set_method
from experiments.datasets import make_dataset
from experiments.datasets.base import Dataset, EmbeddedDataset
from experiments.datasets.classifiers import CLASSIFIERS
from experiments.datasets.downloads.sources import input_files, why_absent
from experiments.evaluation.identification_truth import closed_form
from experiments.published import Beside, Figure, Setting, identifies, is_published, method_of

Config = dict[str, Any]


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
        self.identifies = identifies(config)
        self._known = OPEN_SET_METHODS if self.identifies else EXTRAPOLATORS
        twice = config["experiments"].keys() & (simulated := simulations(config))
        if twice:
            raise InputError(f"experiments: {min(twice)} is among the simulations too")
        config["experiments"] |= simulated
        self.chosen = choose(config["experiments"], config["only"])
        computed = list(config["methods"])
        beside = listed(config["beside"])
        if config["compute"] is not None:
            computed = listed(config["compute"])
            # A new method needs no entry in the presets that it stands beside.
            new = [key for key in computed if key in self._known and key not in config["methods"]]
            config["methods"] |= {key: {} for key in new}
            self.check_names("compute", {"methods": computed})
            # Without any of both there is nothing to show, which a sentence says.
            if config["beside"] is None and (is_published(self.name) or not computed):
                beside = [self.name]
        for key in config["methods"]:
            self._check_method(key)
        self.beside = Beside(self, beside)
        others = [published.config for published in self.beside.published]
        first = others[0]["reference"] if others else [*computed, *config["methods"]][0]
        for other in others:
            config["methods"] = {**other["methods"], **config["methods"]}
        # The methods that are computed, in the order of all.
        self.computed = [key for key in config["methods"] if key in computed]
        # Those of them that stand beside what is published.
        known = {key for other in others for key in other["methods"]}
        self.new = [key for key in self.computed if others and key not in known]
        config["reference"] = config["reference"] or first
        self.check_names("reference", {"methods": [config["reference"]]})
        # Why the scores of an experiment cannot be had.
        absent = {name: why_absent(self.datasets[name], config["absent"]) for name in self.chosen}
        self.absent = {name: why for name, why in absent.items() if why}
        for name, experiment in config["experiments"].items():
            self._check_experiment(name, experiment["k2"])
        for place, entry in enumerate(config["exceptions"]):
            self.check_names(f"exceptions, entry {place + 1}", entry)

    # Settings and methods.

    @cached_property
    def settings(self) -> list[Setting]:
        """Settings with something to show: computed, or published, which needs no data."""

        def known(setting: Setting) -> bool:
            if self.computed:
                return setting.experiment not in self.absent
            return any(self.beside.source(setting, method) for method in self.methods)

        return [*filter(known, self.named_settings({}))]

    @cached_property
    def experiments(self) -> dict[str, Config]:
        """The experiments of these settings."""
        return {name: self.config["experiments"][name] for name, _ in self.settings}

    @property
    def left_out(self) -> dict[str, str]:
        """The other experiments, and why there is nothing to show of them."""
        left = [name for name in self.chosen if name not in self.experiments]
        return {name: self.absent.get(name, "nothing of it is published") for name in left}

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
        return [e for e in self.experiments if not getattr(self.datasets[e], "marginal", True)]

    def method(self, key: str) -> tuple[str, Config]:
        """Name and options of the extrapolator that a key of `methods` stands for."""
        return method_of(self.config["methods"], key)

    def class_of_method(self, key: str) -> Any:
        """Class of the project that a method is."""
        return self._known[self.method(key)[0]]

    def classes_of_dataset(self, experiment: str) -> list[Any]:
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
        return str(self.classes_of_dataset(experiment)[-1].extra)

    def embedded_by(self, experiment: str) -> str | None:
        """Name the first experiment with an experiment's embeddings, if these are a file."""
        if not (own := self.embedding_entry(experiment)):
            return None
        return next(each for each in self.experiments if self.embedding_entry(each) == own)

    def embedding_entry(self, experiment: str) -> Config:
        """Pick from the entry of a data set what decides its embeddings; nothing without a file."""
        dataset = self.datasets[experiment]
        if not isinstance(dataset, EmbeddedDataset):
            return {}
        deciding = ("kind", *dataset.embedding_options)
        entry = self.config["experiments"][experiment]["dataset"]
        return {key: value for key, value in entry.items() if key in deciding}

    def originals(self) -> dict[str, list[str]]:
        """Paths of the files, by whatever names, that experiments on originals read here."""
        return {
            name: paths
            for name in self.experiments
            if self.datasets[name].originals
            and (paths := [str(p) for p in input_files(self.datasets[name]) if p.is_file()])
        }

    def has_closed_form(self, experiment: str) -> bool:
        """Whether the true rates of identification are known, beyond the classes of the data."""
        return self.identifies and closed_form(self.datasets[experiment]) is not None

    # Repetitions.

    def repetitions(self, experiment: str) -> int:
        """How many repetitions an experiment has."""
        usual: int = self.config["repetitions"]
        return int(self.config["experiments"][experiment].get("repetitions", usual))

    def own_value(self, setting: Setting, method: str, key: str, default: int) -> int:
        """Value of a key in the last of the `exceptions` that fit, the method's, or the default."""
        found = self.config["methods"][method].get(key, default)
        place = {"methods": method, "experiments": setting.experiment, "k1": setting.k1}
        for entry in self.config["exceptions"]:
            if all(value in entry.get(name, [value]) for name, value in place.items()):
                found = entry.get(key, found)
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
        usual: int = self.config["intervals"]["splits"]
        return min(usual, EXTRAPOLATORS[self.method(method)[0]].splits)

    # What is computed, and what is taken from published presets.

    def curves(self, setting: Setting, method: str) -> list[str]:
        """Files of a method's predicted curves in a setting; none where there are none."""
        place = f"predicted/{setting.path}/{method}"
        if method in self.computed:
            chunks = self.chunks(setting, method)
            return [f"results/{self.name}/{place}/{chunk}.parquet" for chunk in chunks]
        published = self.beside.source(setting, method)
        return published.files(f"{place}/*.parquet") if published else []

    def has_curves(self, setting: Setting, method: str) -> bool:
        """Whether a method's curves in a setting can be shown: computed, or published."""
        known = chain(*self.beside.thinned_curves(setting).values())
        return bool(self.curves(setting, method)) or method in known

    @property
    def missing(self) -> list[str]:
        """Methods that are neither computed nor published, with the first of their settings."""
        first_settings: dict[str, Setting] = {}
        for setting, method in product(self.settings, self.methods):
            if method not in self.computed and not self.beside.source(setting, method):
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

    def shown_settings(self, figure: Figure, kinds: Iterable[str] = ()) -> list[Setting]:
        """List the settings that a figure shows, in its order: those with these kinds of results.

        A setting whose data are not at hand has those that are published.
        """
        return [
            setting
            for setting in self.named_settings(figure)
            if setting in self.settings
            and (
                setting.experiment not in self.absent
                or all(self.beside.gives(setting, kind) for kind in kinds)
            )
        ]

    def shown_methods(self, figure: Figure) -> list[str]:
        """List the methods that a figure shows, in its order."""
        return list(figure.get("methods") or self.methods)

    def label(self, experiment: str) -> str:
        """Name of an experiment in figures."""
        return str(self.config["experiments"][experiment].get("label", experiment))

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
            classes = self.count_classes(name)
        if classes < k2 and not self.has_closed_form(name):
            raise InputError(
                f"experiments.{name}: k2 = {k2} is above the data set's {classes} classes"
            )

    def count_classes(self, experiment: str) -> int:
        """Count the classes of a data set; k2 where it does not say, or has no file yet."""
        dataset, k2 = self.datasets[experiment], self.config["experiments"][experiment]["k2"]
        there = all(path.exists() for path in input_files(dataset))
        return int(getattr(dataset, "n_classes", k2)) if there else k2


def choose(experiments: Config, only: str | list[str] | None) -> list[str]:
    """Choose the experiments of the given names or patterns; all without any."""
    chosen: set[str] = set()
    for pattern in listed(only) or "*":
        if not (found := fnmatch.filter(experiments, pattern)) and only:
            raise InputError(f"only: no experiment is {pattern!r}: {', '.join(experiments)}")
        chosen |= {*found}
    return [name for name in experiments if name in chosen]


def listed(names: str | list[str] | None) -> list[str]:
    """List what stands in a preset, or on the command line as one word; "none" is none."""
    if isinstance(names, list):
        return names
    return [name for name in re.split(r"[\s,]+", names or "") if name not in ("", "none")]


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
