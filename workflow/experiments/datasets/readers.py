"""Readers of the file formats that data sets come in."""

import zipfile
from itertools import groupby
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
from PIL import Image

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import AnyArray, BoolArray
from accuracy_curves.utils.files import readable


def read_omniglot(archive: Path) -> BoolArray:
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


def _drawing(zipped: zipfile.ZipFile, name: PurePosixPath) -> BoolArray:
    with zipped.open(str(name)) as file, Image.open(file) as image:
        return np.asarray(image.convert("1"))


def averaged(images: AnyArray, side: int, dtype: npt.DTypeLike) -> AnyArray:
    """Average squares of pixels of images (n, height, width), which their side must divide."""
    n, height, width = images.shape
    if height % side or width % side:
        raise InputError(f"scale is {side}: it must divide the images' size, {height} x {width}")
    squares = images.reshape(n, height // side, side, width // side, side)
    return squares.mean(axis=(2, 4), dtype=dtype)


def load_variable(path: Path, name: str) -> AnyArray:
    """Load one array of numbers of a ``.mat`` file, with the axes as MATLAB has them."""
    import h5py
    from scipy.io import loadmat

    with readable(path):
        if not h5py.is_hdf5(path):
            return np.asarray(loadmat(path, variable_names=[name])[name])
        with h5py.File(path, "r") as file:
            # MATLAB writes columns first, HDF5 reads rows first.
            return np.asarray(file[name]).T
