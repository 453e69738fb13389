"""Data sets: one module a data set, found by its `kind`."""

import inspect
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.discovery import Registry, choose
from experiments.datasets.base import Dataset
from experiments.datasets.downloads.original_files import without_source

DATASETS = Registry(__name__, Dataset, "kind")


def make_dataset(
    kind: str,
    data_dir: str | os.PathLike[str] | None = None,
    *,
    fetchable: bool = False,
    whole: bool = True,
    **options: object,
) -> Dataset:
    """Construct a data set from its kind, a key of `DATASETS`, and its options.

    Relative paths among the options start in `data_dir`, by default the working directory. Every
    file must be there, but files that can be fetched (`originals_of`) or made of such (`CONVERTED`)
    where `fetchable`; and none has to where not `whole`.
    """
    dataset = choose(DATASETS, "kind of data set", kind, options, prefix="the data set ")
    for option, parameter in inspect.signature(dataset).parameters.items():
        if parameter.default is parameter.empty and option not in options:
            raise InputError(f"the data set {kind} needs the option {option!r}")
    for option in dataset.path_options:
        if option in options:
            options[option] = _resolved(option, options[option], Path(data_dir or ""))
    try:
        made = dataset(**options)
    except InputError as error:
        raise InputError(f"the data set {kind} cannot be made: {error}") from error
    absent = [path for path in made.files() if not path.exists()]
    if absent and fetchable and whole:
        absent = without_source(made)
    if absent and whole:
        raise InputError(
            f"the data set {kind} reads {absent[0].absolute()}, which is not there: put it there, "
            "or correct the path or the data folder (data_dir) in the configuration"
        )
    return made


def _resolved(option: str, value: object, folder: Path) -> Path | tuple[Path, ...]:
    """Resolve one path or a list of paths against a folder, which a relative one must not leave."""
    paths: Sequence[Any] = value if isinstance(value, list | tuple) else [value]
    if not all(isinstance(path, str | os.PathLike) for path in paths):
        raise InputError(f"{option} is {value!r}: it must be a path or a list of paths")
    resolved = []
    for path in (Path(path).expanduser() for path in paths):
        if not path.is_absolute() and os.path.normpath(path).split(os.sep)[0] == os.pardir:
            raise InputError(
                f"{option} is {str(path)!r}, which leaves the data folder: "
                "set data_dir to another folder, or give the whole path"
            )
        resolved.append(folder / path)
    return tuple(resolved) if paths is value else resolved[0]
