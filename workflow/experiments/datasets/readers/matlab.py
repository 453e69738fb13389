"""Variables of MATLAB files, of version 5 to 7.3, or one sentence."""

from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
from scipy.io import loadmat, whosmat

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable


def load_variable(path: Path, name: str) -> npt.NDArray[Any]:
    """Load one array of numbers of a ``.mat`` file, with the axes as MATLAB has them."""
    array = None
    with readable(path):
        if h5py.is_hdf5(path):
            with h5py.File(path, "r") as file:
                there = sorted(key for key in file if not key.startswith("#"))
                # MATLAB writes columns first, HDF5 reads rows first.
                array = np.asarray(file[name]).T if name in there else None
        else:
            there = [variable for variable, *_ in whosmat(path)]
            array = loadmat(path, variable_names=[name])[name] if name in there else None
    if array is None:
        raise InputError(f"{path} has no variable {name!r}: it has {', '.join(there) or 'none'}")
    if array.dtype.kind not in "biuf":
        raise InputError(f"{path}: the variable {name} is {array.dtype}, not numbers")
    return array
