"""Arrays of an npz file by their names."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.npyio import NpzFile

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable

NAMED = 10


def array_names(path: str | os.PathLike[str]) -> list[str]:
    """List the arrays of an npz file, in its order; `InputError` if it is none."""
    with _opened(Path(path)) as archive:
        return list(archive.files)


def load_arrays(path: str | os.PathLike[str], *names: str) -> tuple[npt.NDArray[Any], ...]:
    """Load named arrays of an npz file, in the order of the names.

    `InputError` if it cannot be read, lacks one of them, or holds Python objects there.
    """
    with _opened(Path(path)) as archive:
        for name in names:
            if name not in archive.files:
                listed = ", ".join(archive.files[:NAMED]) or "none"
                raise InputError(f"{path} has no array {name!r}: it has {listed}")
        return tuple(archive[name] for name in names)


@contextmanager
def _opened(source: Path) -> Iterator[NpzFile]:
    # NumPy leaves a damaged file open.
    with readable(source), source.open("rb") as file:
        archive = np.load(file, allow_pickle=False)
        if not isinstance(archive, NpzFile):
            raise InputError(f"{source} is not an .npz file: write it with numpy.savez")
        with archive:
            yield archive
