"""Named arrays of an npz file, or one sentence."""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError


def load_arrays(path: Path, *names: str) -> tuple[npt.NDArray[Any], ...]:
    """Load named arrays of an npz file.

    Parameters
    ----------
    path : Path
        The file.
    *names : str
        Names of the arrays.

    Returns
    -------
    tuple of array
        In the order of the names.

    Raises
    ------
    InputError
        If the file cannot be read or lacks one of them.
    """
    try:
        with path.open("rb") as stream:
            loaded = np.load(stream, allow_pickle=False)
            if not isinstance(loaded, np.lib.npyio.NpzFile):
                raise InputError(f"{path} holds a single array: an npz file is needed")
            missing = [name for name in names if name not in loaded.files]
            if missing:
                raise InputError(
                    f"{path} has no array {missing[0]!r}: it has {', '.join(loaded.files)}"
                )
            return tuple(_member(loaded, name, path) for name in names)
    except InputError:
        raise
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(
            f"{path} cannot be read as an npz file ({error}): make or fetch it again"
        ) from error


def _member(loaded: np.lib.npyio.NpzFile, name: str, path: Path) -> npt.NDArray[Any]:
    """Read one array; numpy would unpickle Python objects only on request."""
    try:
        array: npt.NDArray[Any] = loaded[name]
    except ValueError as error:
        if "Object arrays" not in str(error):
            raise
        raise InputError(
            f"{path}: the array {name!r} holds Python objects, such as None or texts among "
            "numbers: save it as an array of numbers or of text, without gaps"
        ) from error
    return array
