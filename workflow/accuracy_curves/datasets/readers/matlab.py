"""Variables of MATLAB files, of version 5 to 7.3, or one sentence."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.extras import needed_by


def load_variable(path: Path, name: str) -> npt.NDArray[Any]:
    """Load one array of numbers of a ``.mat`` file, with the axes as MATLAB has them."""
    with needed_by("a MATLAB file", "images"):
        import h5py
    from scipy.io import loadmat, whosmat

    try:
        if h5py.is_hdf5(path):
            with h5py.File(path, "r") as file:
                there = sorted(key for key in file if not key.startswith("#"))
                # MATLAB writes columns first, HDF5 reads rows first.
                found = np.asarray(file[name]).T if name in there else None
        else:
            there = [variable for variable, *_ in whosmat(path)]
            found = loadmat(path, variable_names=[name])[name] if name in there else None
    except Exception as error:  # Damaged files raise nearly everything.
        raise InputError(
            f"{path} cannot be read as a MATLAB file ({error}): fetch it again"
        ) from error
    if found is None:
        raise InputError(f"{path} has no variable {name!r}: it has {', '.join(there) or 'none'}")
    if found.dtype.kind not in "biuf":
        raise InputError(f"{path}: the variable {name} is {found.dtype}, not numbers")
    return found
