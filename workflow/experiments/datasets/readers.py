"""Readers of the file formats that data sets come in."""

import pickle
import zipfile
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import IO, Any

import h5py
import numpy as np
import numpy.typing as npt
import scipy
from PIL import Image

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


def read_omniglot(archive: Path) -> npt.NDArray[np.bool_]:
    """Read all drawings of one zip file, (classes, drawings, height, width), in the order of names.

    Files are ``images_background/ALPHABET/characterNN/NNNN_NN.png`` of one bit a pixel; ink is
    False, as stored. Every character must have as many drawings, of the same size, as the first.
    """
    with readable(archive), zipfile.ZipFile(archive) as zipped:
        names = sorted(PurePosixPath(name) for name in zipped.namelist() if name.endswith(".png"))
        if not names:
            raise InputError(
                f"{archive} has no files SET/ALPHABET/CHARACTER/DRAWING.png: take one of the "
                "official zip files of Omniglot"
            )
        return np.stack(
            [
                np.stack([_drawing(zipped, name) for name in drawings])
                for _, drawings in groupby(names, lambda name: name.parent)
            ]
        )


def _drawing(zipped: zipfile.ZipFile, name: PurePosixPath) -> npt.NDArray[np.bool_]:
    with zipped.open(str(name)) as file, Image.open(file) as image:
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
    with readable(path):
        if not h5py.is_hdf5(path):
            return np.asarray(scipy.io.loadmat(path, variable_names=[name])[name])
        with h5py.File(path, "r") as file:
            # MATLAB writes columns first, HDF5 reads rows first.
            return np.asarray(file[name]).T


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _KNOWN:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return _KNOWN[module, name]


def read_pickled_arrays(file: IO[bytes]) -> dict[bytes, Any]:
    """Read a pickled dictionary of arrays, texts and lists, such as a batch of CIFAR.

    Texts that Python 2 wrote are `bytes`. `pickle.UnpicklingError` if it asks for anything but
    NumPy's arrays.
    """
    return dict(_Reader(file, encoding="bytes").load())
