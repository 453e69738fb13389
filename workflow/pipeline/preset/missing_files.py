"""What the workflow does about original files: which are to be fetched, what is done without."""

import copy
import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from accuracy_curves.exceptions import InputError
from experiments.datasets import DATASETS
from experiments.datasets.base import EmbeddedDataset
from experiments.datasets.downloads.original_files import (
    convertible,
    how_to_get,
    input_files,
    originals_of,
    without_source,
)
from experiments.datasets.downloads.sources import Source
from pipeline.preset.figure_plans import figure_settings, judged
from pipeline.preset.settings import Config, dataset_of


class Download(NamedTuple):
    """One absent file of the table of sources, or the absent files of one folder of originals.

    Or one absent file that is made of such, by its name.
    """

    name: str
    files: list[str]
    sources: list[str]


def files_of(config: Config, experiment: str) -> tuple[list[str], list[str]]:
    """List the user's own input files of an experiment's data set, and the originals."""
    dataset = dataset_of(config, experiment)
    known = originals_of(dataset)
    files = input_files(dataset)
    return [str(p) for p in files if p not in known], [str(p) for p in files if p in known]


def downloads(config: Config) -> list[Download]:
    """List what is to be fetched for a preset: originals that are not there, however they came.

    `InputError` if one would be fetched to a path with a brace, which is a wildcard to Snakemake.
    """
    found: dict[Path, dict[Path, Source]] = defaultdict(dict)
    for experiment in config["experiments"]:
        dataset = dataset_of(config, experiment)
        whole = set(dataset.files())
        for path, source in originals_of(dataset).items():
            if not path.exists():
                _refuse_braces(path)
                found[path if path in whole else path.parent][path] = source
    sets = [next(iter(absent.values())).data_set for absent in found.values()]
    names = [
        data_set if sets.count(data_set) == 1 else f"{data_set}_{place.stem}"
        for data_set, place in zip(sets, found, strict=True)
    ]
    return [
        Download(
            # The same file in a second folder has a number.
            f"{name}_{1 + names[:i].count(name)}" if name in names[:i] else name,
            [str(path) for path in absent],
            [source.name for source in absent.values()],
        )
        for i, (name, absent) in enumerate(zip(names, found.values(), strict=True))
    ]


def conversions(config: Config) -> dict[str, str]:
    """Map the name of each absent file that is made of public ones to its path; in no two folders.

    `InputError` as that of `downloads`.
    """
    found: dict[str, str] = {}
    for experiment in config["experiments"]:
        for path in convertible(dataset_of(config, experiment)):
            _refuse_braces(path)
            if found.setdefault(path.name, str(path)) != str(path):
                raise InputError(
                    f"{path.name} is wanted in two folders: name one of them in the configuration"
                )
    return found


def _refuse_braces(path: Path) -> None:
    if "{" in str(path):
        raise InputError(
            f"{path} cannot be fetched, as its path has a brace: "
            "put it there by hand, or give another data_dir"
        )


def embedding_of(config: Config, experiment: str) -> str | None:
    """Name the embedding that an experiment's scores are made from, if its data set has one.

    The kind and a digest of the options that decide the embedding, so that experiments which differ
    in other options share it.
    """
    kind = DATASETS[config["experiments"][experiment]["dataset"]["kind"]]
    if not issubclass(kind, EmbeddedDataset):
        return None
    text = json.dumps(deciding_options(config, experiment), sort_keys=True, default=str)
    return f"{kind.kind}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def deciding_options(config: Config, experiment: str) -> dict[str, Any]:
    """Options of an experiment's data set that decide its embedding."""
    options = config["experiments"][experiment]["dataset"]
    scoring = getattr(DATASETS[options["kind"]], "scoring_options", ())
    return {key: value for key, value in options.items() if key not in scoring}


def embeddings(config: Config) -> dict[str, str]:
    """Map the name of each embedding to the first experiment that needs it."""
    found: dict[str, str] = {}
    for experiment in config["experiments"]:
        name = embedding_of(config, experiment)
        if name is not None:
            found.setdefault(name, experiment)
    return found


def leave_out_absent(config: Config, results: Path) -> Config:
    """Leave out the experiments that the preset's ``absent`` leaves out.

    Those on files that are not there and have no public source; and with ``leave_out``, those on
    files that have one, where the score matrix of originals, or a file made of public ones, is not
    there. The figures and tables that show nothing else go as well. ``left_out`` says of each
    experiment what to do about it, by its label, and so do figures of the kind ``comparison`` that
    should show it.
    """
    reasons = {name: _reason(config, name, results) for name in config["experiments"]}
    left_out = {name: reason for name, reason in reasons.items() if reason}
    labels = {name: config["experiments"][name].get("label", name) for name in left_out}
    kept: Config = copy.deepcopy(config)
    for name in left_out:
        del kept["experiments"][name]
    drawn = [
        *kept["figures"].items(),
        ("tables", kept["tables"]),
        ("standings", kept["standings"]["groups"]),
    ]
    for kind, named in drawn:
        for key, figure in list(named.items()):
            shown = figure.get("experiments", list(config["experiments"]))
            absent = {labels[name]: left_out[name] for name in shown if name in left_out}
            if "experiments" in figure:
                figure["experiments"] = [name for name in shown if name not in left_out]
            if kind == "comparison":
                figure["absent"] = {**figure["absent"], **absent}
            if not _is_left(kind, figure, kept):
                del named[key]
            for name in left_out:
                figure.get("printed", {}).pop(name, None)
    kept["left_out"] = {labels[name]: what for name, what in left_out.items()}
    return kept


def _is_left(kind: str, figure: Mapping[str, Any], config: Config) -> bool:
    """Whether a figure still has something to show; those with a part are of no experiment."""
    if kind == "coverage":
        return bool(judged(config, figure))
    if "experiment" in figure:
        return figure["experiment"] in config["experiments"]
    return "part" in figure or bool(figure_settings(config, figure))


def _reason(config: Config, experiment: str, results: Path) -> str:
    """Say why an experiment is left out, and how it is to be had; "" where it is not."""
    dataset = dataset_of(config, experiment)
    if own := without_source(dataset):
        names = " and ".join(path.name for path in own)
        return (
            f"{names} is not in {own[0].parent}, and no public file gives it; see config/README.md"
        )
    if config["absent"] != "leave_out":
        return ""
    if made := convertible(dataset):
        names = " and ".join(path.name for path in made)
        return f"{names} is not in {made[0].parent}; without absent=leave_out it is fetched"
    originals = originals_of(dataset)
    if not originals or (results / "scores" / f"{experiment}.npz").exists():
        return ""
    absent = {path: source for path, source in originals.items() if not path.exists()}
    if not absent:
        return (
            f"its files are there, its scores are not: see {results}/logs/scores/{experiment}.log"
        )
    return f"get {how_to_get(absent)}, see config/README.md"
