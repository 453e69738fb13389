"""The files that the data sets of a preset read: which are fetched, and what is made of them."""

import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from experiments.datasets.base import EmbeddedDataset
from experiments.datasets.downloads.original_files import convertible, originals_of
from experiments.preset import Preset


class Download(NamedTuple):
    """Absent files that one job fetches: those of one folder of originals, or a single one."""

    name: str
    files: list[str]
    # Their names in the table of sources; none of a file that is made of public ones.
    sources: list[str]


def downloads(preset: Preset) -> list[Download]:
    """List what is to be fetched for a preset: public files that are not there."""
    found: dict[Path, dict[Path, str]] = defaultdict(dict)
    for name in preset.experiments:
        dataset = preset.datasets[name]
        whole = set(dataset.files())
        for path, source in originals_of(dataset).items():
            if not path.exists():
                found[path if path in whole else path.parent][path] = source.name
        for path in convertible(dataset):
            found[path][path] = ""
    return [
        # A folder's place among all makes its name unique.
        Download(f"{number}_{place.stem}", [*map(str, absent)], [*filter(None, absent.values())])
        for number, (place, absent) in enumerate(found.items())
    ]


def embedding_of(preset: Preset, experiment: str) -> str | None:
    """Name the embedding that an experiment's scores are made from, if its data set has one.

    The kind and a digest of the options that decide the embedding, so that experiments which differ
    in other options share it.
    """
    dataset = preset.datasets[experiment]
    if not isinstance(dataset, EmbeddedDataset):
        return None
    text = json.dumps(embedding_options(preset, experiment), sort_keys=True, default=str)
    return f"{dataset.kind}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def embedding_options(preset: Preset, experiment: str) -> dict[str, Any]:
    """Options of an experiment's data set that decide its embedding."""
    scoring = getattr(preset.datasets[experiment], "scoring_options", ())
    options = preset.config["experiments"][experiment]["dataset"]
    return {key: value for key, value in options.items() if key not in scoring}


def embeddings(preset: Preset) -> dict[str, str]:
    """Map the name of each embedding to the first experiment that needs it."""
    found: dict[str, str] = {}
    for experiment in preset.experiments:
        name = embedding_of(preset, experiment)
        if name is not None:
            found.setdefault(name, experiment)
    return found
