"""Pickled arrays, read without calling any function that the pickle names."""

import os
import pickle
from typing import Any

import numpy as np

from accuracy_curves.utils.files import readable

# What pickles of arrays call to make one.
_reconstruct = np.empty(0).__reduce__()[0]
# All that a pickle may ask for, under the names of old and of new versions of NumPy.
_KNOWN: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    ("numpy.core.multiarray", "_reconstruct"): _reconstruct,
    ("numpy._core.multiarray", "_reconstruct"): _reconstruct,
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return _KNOWN[module, name]


def read_pickled_arrays(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a pickled dictionary of arrays, texts and lists, such as a batch of CIFAR.

    Texts that Python 2 wrote are `bytes`; lists are as they are.
    `InputError` if it is no whole pickle of a dictionary, or asks for anything but NumPy's arrays.
    """
    with readable(path):
        with open(path, "rb") as file:
            found = _Reader(file, encoding="bytes").load()
        if not isinstance(found, dict):
            raise pickle.UnpicklingError(f"it is a {type(found).__name__}, no dictionary")
        return {
            key.decode() if isinstance(key, bytes) else str(key): value
            for key, value in found.items()
        }
