"""Omniglot's official zip files: a PNG file a drawing, in folders of alphabets and characters."""

import tempfile
from pathlib import Path
from typing import Any

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
    with tempfile.TemporaryDirectory(prefix="omniglot-") as scratch:
        unpack(archive, scratch)
        characters = sorted({path.parent for path in Path(scratch).glob("*/*/*/*.png")})
        if not characters:
            raise InputError(
                f"{archive} has no files SET/ALPHABET/CHARACTER/DRAWING.png: take one of the "
                "official zip files of Omniglot"
            )
        classes = [_drawings(character, archive) for character in characters]
    for character, drawings in zip(characters, classes, strict=True):
        if drawings.shape != classes[0].shape:
            raise InputError(
                f"{archive}: {character.parent.name}/{character.name} has drawings of shape "
                f"{drawings.shape}, the first character {classes[0].shape}: fetch it again"
            )
    return np.stack(classes)


def _drawings(character: Path, archive: Path) -> npt.NDArray[np.bool_]:
    """Read the drawings of a character, (drawings, height, width)."""
    drawings: list[npt.NDArray[Any]] = []
    for path in sorted(character.glob("*.png")):
        with readable(path), Image.open(path) as image:
            drawings.append(np.asarray(image.convert("1")))
    if len({drawing.shape for drawing in drawings}) > 1:
        raise InputError(f"{archive}: drawings of {character.name} differ in size: fetch it again")
    return np.stack(drawings)
