"""Data sets: one module a data set, found by its `kind`."""

import os
from pathlib import Path

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
    folder = Path(data_dir or "")
    try:
        for option in dataset.path_options:
            match options.get(option):
                case None:
                    continue
                case list() | tuple() as paths:
                    options[option] = tuple(folder / Path(path).expanduser() for path in paths)
                case path:
                    options[option] = folder / Path(path).expanduser()  # type: ignore[arg-type]
        return dataset(**options)
    except (InputError, TypeError) as error:
        raise InputError(f"the data set {kind} cannot be made: {error}") from error
