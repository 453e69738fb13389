"""What a checked preset says of its settings, methods and data sets."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from accuracy_curves.extrapolators import EXTRAPOLATORS, make_extrapolator
from accuracy_curves.extrapolators.base import Extrapolator
from accuracy_curves.identification.methods import classes_of
from experiments.datasets import DATASETS, make_dataset
from experiments.datasets.base import Dataset, DistanceDataset
from experiments.datasets.classifiers import CLASSIFIERS
from experiments.datasets.trained import TrainedDataset

Config = dict[str, Any]


class Setting(NamedTuple):
    """One extrapolation problem: an experiment and a number of classes to start from."""

    experiment: str
    k1: int


def asks_identification(config: Config) -> bool:
    """Whether a checked preset asks for the rates of open-set identification, not accuracies."""
    return bool(config["question"] == "identification")


def settings(config: Config) -> list[Setting]:
    """List the settings of a checked preset, in its order."""
    return [
        Setting(name, k1)
        for name, experiment in config["experiments"].items()
        for k1 in experiment["k1"]
    ]


def method_of(config: Config, key: str) -> tuple[str, dict[str, Any]]:
    """Name and options of the extrapolator that a key of `methods` stands for."""
    options = dict(config["methods"][key])
    return options.pop("method", key), options


def extrapolators_of(config: Config, key: str) -> list[type[Extrapolator]]:
    """List the extrapolators behind a key of `methods`: one, but of methods of identification."""
    name, _ = method_of(config, key)
    return classes_of(name) if asks_identification(config) else [EXTRAPOLATORS[name]]


def dataset_of(config: Config, name: str) -> Dataset:
    """Construct an experiment's data set; files that can be fetched or left out may be absent."""
    options = config["experiments"][name]["dataset"]
    whole = config["absent"] == "make"
    return make_dataset(data_dir=config["data_dir"], fetchable=True, whole=whole, **options)


def classes_of_dataset(options: Mapping[str, Any]) -> list[type]:
    """List the classes of a data set, and of the classifier that it trains."""
    kind = DATASETS[options["kind"]]
    classifier = options.get("classifier", getattr(kind, "classifier", None))
    trained = [CLASSIFIERS[classifier]] if classifier in CLASSIFIERS else []
    return [kind, *trained]


def trained_anew(config: Config) -> list[str]:
    """List the experiments whose k1-class scores are no columns of the k2-class scores."""
    return [
        name
        for name in config["experiments"]
        if isinstance(dataset := dataset_of(config, name), TrainedDataset) and not dataset.marginal
    ]


def stores_matrix(config: Config, experiment: str) -> bool:
    """Say whether an experiment's score matrix is written; always for open-set identification.

    Distances of embeddings are not, where every method of the preset needs only ranks and no figure
    shows the scores: the embeddings are written, and ranks computed from them in blocks.
    """
    kind = config["experiments"][experiment]["dataset"]["kind"]
    if asks_identification(config):
        return True
    if not issubclass(DATASETS[kind], DistanceDataset):
        return True
    shown = config["figures"].get("reversed_roc", {}).values()
    if any(figure["experiment"] == experiment for figure in shown):
        return True
    methods = (method_of(config, key) for key in config["methods"])
    return any(make_extrapolator(name, **options).needs == "scores" for name, options in methods)
