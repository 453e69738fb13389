"""Omniglot's official zip files: a PNG file a drawing, in folders of alphabets and characters."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from experiments.datasets.readers.archives import extract_archive


def read_omniglot(archive: Path) -> npt.NDArray[np.bool_]:
    """Read all drawings of one zip file, (classes, drawings, height, width), in the order of names.

    Files are ``images_background/ALPHABET/characterNN/NNNN_NN.png`` of one bit a pixel; ink is
    False, as stored. Every character must have as many drawings, of the same size, as the first.
    """
    with tempfile.TemporaryDirectory(prefix="omniglot-") as scratch:
        folder = extract_archive(archive, Path(scratch) / "unpacked")
        characters = sorted({path.parent for path in folder.glob("*/*/*/*.png")})
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
    from PIL import Image

    drawings: list[npt.NDArray[Any]] = []
    for path in sorted(character.glob("*.png")):
        try:
            with Image.open(path) as image:
                drawings.append(np.asarray(image.convert("1")))
        except Exception as error:  # Damaged images raise nearly everything.
            name = "/".join(path.parts[-4:])
            raise InputError(
                f"{archive}: {name} cannot be read as a drawing ({error}): fetch it again"
            ) from error
    if len({drawing.shape for drawing in drawings}) > 1:
        raise InputError(f"{archive}: drawings of {character.name} differ in size: fetch it again")
    return np.stack(drawings)
