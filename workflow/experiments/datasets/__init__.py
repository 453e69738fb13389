"""Data sets: one module a data set, found by its `kind`."""

import os
from pathlib import Path
from typing import Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.discovery import Registry, choose
from experiments.datasets.base import Dataset

DATASETS = Registry(__name__, Dataset, "kind")


def make_dataset(
    kind: str, data_dir: str | os.PathLike[str] | None = None, **options: object
) -> Dataset:
    """Construct a data set from its kind, a key of `DATASETS`, and its options.

    Relative paths among the options start in `data_dir`, by default the working directory. Its
    files need not be there yet.
    """
    dataset = choose(DATASETS, "kind of data set", kind, options, prefix="the data set ")
    try:
        for option in options.keys() & {*dataset.path_options}:
            options[option] = _resolved(options[option], Path(data_dir or ""))
        return dataset(**options)
    except (InputError, TypeError) as error:
        raise InputError(f"the data set {kind} cannot be made: {error}") from error


def _resolved(paths: Any, folder: Path) -> Path | tuple[Any, ...]:
    if isinstance(paths, list | tuple):
        return tuple(_resolved(path, folder) for path in paths)
    return folder / Path(paths).expanduser()
