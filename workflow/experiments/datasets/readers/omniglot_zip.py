"""Omniglot's official zip files: a PNG file a drawing, in folders of alphabets and characters."""

import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable
from experiments.datasets.readers.archives import unpack


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
