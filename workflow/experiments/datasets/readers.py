"""Readers of the file formats that data sets come in."""

import os
import pickle
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt
from PIL import Image
from scipy.io import loadmat, whosmat

from accuracy_curves.exceptions import InputError
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


def unpack(archive: str | os.PathLike[str], folder: str | os.PathLike[str]) -> None:
    """Unpack an archive into a folder; `InputError` if it cannot be read."""
    with readable(archive):
        if zipfile.is_zipfile(archive):
            with zipfile.ZipFile(archive) as zipped:
                zipped.extractall(folder)
        else:
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")


def read_omniglot(archive: Path) -> npt.NDArray[np.bool_]:
    """Read all drawings of one zip file, (classes, drawings, height, width), in the order of names.

    Files are ``images_background/ALPHABET/characterNN/NNNN_NN.png`` of one bit a pixel; ink is
    False, as stored. Every character must have as many drawings, of the same size, as the first.
    """
    with readable(archive), tempfile.TemporaryDirectory(prefix="omniglot-") as scratch:
        unpack(archive, scratch)
        characters = sorted({path.parent for path in Path(scratch).glob("*/*/*/*.png")})
        if not characters:
            raise InputError(
                f"{archive} has no files SET/ALPHABET/CHARACTER/DRAWING.png: take one of the "
                "official zip files of Omniglot"
            )
        drawings = [[_drawing(path) for path in sorted(c.glob("*.png"))] for c in characters]
        return np.stack([np.stack(each) for each in drawings])


def _drawing(path: Path) -> npt.NDArray[np.bool_]:
    with readable(path), Image.open(path) as image:
        return np.asarray(image.convert("1"))


def averaged(images: npt.NDArray[Any], side: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Average squares of pixels of images (n, height, width), which their side must divide."""
    n, height, width = images.shape
    if height % side or width % side:
        raise InputError(f"scale is {side}: it must divide the images' size, {height} x {width}")
    squares = images.reshape(n, height // side, side, width // side, side)
    return squares.mean(axis=(2, 4), dtype=dtype)


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
