"""Pickled arrays, read without calling any function that the pickle names."""

import os
import pickle
from typing import Any

import numpy as np

from accuracy_curves.utils.files import readable


class _Type:
    """Stand-in for `numpy.dtype`, of numbers only: NumPy's own believes whatever state it gets."""

    def __init__(self, code: str | bytes, *_: object) -> None:
        text = code.decode() if isinstance(code, bytes) else code
        if text not in ("u1", "i1", "i2", "i4", "i8", "f4", "f8"):
            raise pickle.UnpicklingError(f"it holds {text!r}, no numbers")
        self.dtype = np.dtype(text)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        order: Any = state[1].decode() if isinstance(state[1], bytes) else state[1]
        self.dtype = self.dtype.newbyteorder(order)


class _Array:
    """Stand-in for `numpy.ndarray`, filled by the pickle."""

    def __init__(self, *_: object) -> None:
        self.array: np.ndarray = np.empty(0)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, kind, fortran, content = state
        flat = np.frombuffer(content, kind.dtype)
        self.array = flat.reshape(shape, order="F" if fortran else "C")


_KNOWN: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): _Type,
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("numpy._core.multiarray", "_reconstruct"): _Array,
}


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return _KNOWN[module, name]


def read_pickled_arrays(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a pickled dictionary of arrays, texts and lists, such as a batch of CIFAR.

    Arrays are of numbers; texts that Python 2 wrote are `bytes`; lists are as they are.
    `InputError` if it is no whole pickle of a dictionary, or asks for anything but NumPy's arrays.
    """
    with readable(path):
        with open(path, "rb") as file:
            found = _Reader(file, encoding="bytes").load()
        if not isinstance(found, dict):
            raise pickle.UnpicklingError(f"it is a {type(found).__name__}, no dictionary")
        return {
            key.decode() if isinstance(key, bytes) else str(key): getattr(value, "array", value)
            for key, value in found.items()
        }
