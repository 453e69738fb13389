"""Pickled arrays, read without running anything.

A pickle is a program that may call any function. Here no function of the pickle is ever called:
arrays and their types are read into inert stand-ins, and everything else is refused.
"""

import os
import pickle
from typing import Any

import numpy as np

from accuracy_curves.exceptions import InputError

_TYPES = {"u1": "u1", "i1": "i1", "i2": "i2", "i4": "i4", "i8": "i8", "f4": "f4", "f8": "f8"}


class _Type:
    """Stand-in for `numpy.dtype`."""

    def __init__(self, code: str | bytes, *_: object) -> None:
        self.code = code.decode() if isinstance(code, bytes) else code
        self.order = "|"

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.order = state[1].decode() if isinstance(state[1], bytes) else state[1]

    def dtype(self) -> np.dtype[Any]:
        """Build the true type; only numbers are known."""
        return np.dtype(self.order.replace("|", "=") + _TYPES[self.code])


class _Array:
    """Stand-in for `numpy.ndarray`, filled by the pickle and read by us."""

    state: tuple[Any, ...] = ()

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.state = state

    def array(self) -> np.ndarray:
        """Build the true array."""
        _, shape, kind, fortran, content = self.state
        flat = np.frombuffer(content, kind.dtype())
        return flat.reshape(shape, order="F" if fortran else "C")


def _reconstruct(*_: object) -> _Array:
    """Stand-in for NumPy's function of that name."""
    return _Array()


_KNOWN = {
    ("numpy", "ndarray"): "ndarray",
    ("numpy", "dtype"): _Type,
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

    Parameters
    ----------
    path : path-like
        A pickle as Python 2 wrote it, or Python 3 at protocol 3 or 4.

    Returns
    -------
    dict of str to object
        Arrays are `numpy.ndarray` of numbers; texts of Python 2 are `bytes`; lists are as they are.

    Raises
    ------
    InputError
        If it is no whole pickle of a dictionary, or asks for anything but NumPy's arrays.
    """
    try:
        with open(path, "rb") as file:
            found = _Reader(file, encoding="bytes").load()
        if not isinstance(found, dict):
            raise pickle.UnpicklingError(f"it is a {type(found).__name__}, no dictionary")
        return {
            key.decode() if isinstance(key, bytes) else str(key): _true(value)
            for key, value in found.items()
        }
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except Exception as error:  # Damaged pickles raise nearly everything.
        raise InputError(
            f"{path} is no pickled dictionary of arrays ({error}): fetch it again from its source"
        ) from error


def _true(value: Any) -> Any:
    """Turn a stand-in into an array; other values are themselves."""
    if isinstance(value, _Type):
        raise pickle.UnpicklingError("it holds a type where data should be")
    return value.array() if isinstance(value, _Array) else value
