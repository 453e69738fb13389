"""Variables of MATLAB files, of version 5 to 7.3, or one sentence.

The libraries that read them are written in C, and a damaged file can end the process that reads it
(a segmentation fault). So a process of its own reads it and hands the array over in a file.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.extras import needed_by

READER = "from accuracy_curves.datasets.readers.matlab import read_into; read_into(*sys.argv[1:])"


def load_variable(path: Path, name: str) -> npt.NDArray[Any]:
    """Load one array of numbers of a ``.mat`` file, with the axes as MATLAB has them."""
    with needed_by("a MATLAB file", "images"):
        import h5py  # noqa: F401
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.npy"
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; {READER}", path, name, found],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            encoding="utf-8",
            errors="backslashreplace",
            check=False,
        )
        if done.returncode == 0:
            array: npt.NDArray[Any] = np.load(found, allow_pickle=False)
            return array
    said = done.stdout.strip() or f"{path} cannot be read as a MATLAB file: fetch it again"
    raise InputError(said)


def read_into(path: str, name: str, found: str) -> None:
    """Read a variable and write it to an ``.npy`` file, or print what is wrong and exit with 1."""
    import h5py
    from scipy.io import loadmat, whosmat

    array, wrong = None, ""
    try:
        if h5py.is_hdf5(path):
            with h5py.File(path, "r") as file:
                there = sorted(key for key in file if not key.startswith("#"))
                # MATLAB writes columns first, HDF5 reads rows first.
                array = np.asarray(file[name]).T if name in there else None
        else:
            there = [variable for variable, *_ in whosmat(path)]
            array = loadmat(path, variable_names=[name])[name] if name in there else None
        if array is None:
            wrong = f"{path} has no variable {name!r}: it has {', '.join(there) or 'none'}"
        elif array.dtype.kind not in "biuf":
            wrong = f"{path}: the variable {name} is {array.dtype}, not numbers"
        else:
            np.save(found, array, allow_pickle=False)
    except Exception as error:  # Damaged files raise nearly everything.
        wrong = f"{path} cannot be read as a MATLAB file ({error}): fetch it again"
    if wrong:
        sys.stdout.buffer.write(wrong.encode("utf-8", "backslashreplace"))
        sys.exit(1)
