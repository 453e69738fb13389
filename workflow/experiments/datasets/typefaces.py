"""Characters printed in the typefaces that matplotlib ships, and their distortion."""

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import scipy
from PIL import Image, ImageDraw, ImageFont

from experiments.datasets.readers import averaged

FACES = tuple(
    f"DejaVu{family}{style}"
    for family, slanted in (("Sans", "Oblique"), ("SansMono", "Oblique"), ("Serif", "Italic"))
    for style in ("", "-Bold", f"-Bold{slanted}", f"-{slanted}")
)
OVERSAMPLING = 2
EM = 0.6  # of the image's side; all but a few of the widest characters fit
BASELINE = 0.68  # of the image's height, from the top

# What a distortion of strength 1 does: standard deviations of normal draws.
ROTATION = 15.0  # degrees
LOG_SCALE = 0.15
SHIFT = 0.06  # of the image's side
BLUR = 1 / 16  # of the image's side
NOISE = 0.3  # of the difference between ink and paper

Images = npt.NDArray[np.float32]
Prints = npt.NDArray[np.uint8]


def _file(face: str) -> Path:
    import matplotlib

    return Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"{face}.ttf"


def printed(face: str, characters: list[str], size: int) -> Prints:
    """Print characters, all in one size, centred on their advance width, on one baseline.

    (n, OVERSAMPLING * size, OVERSAMPLING * size); ink is 255, paper 0.
    """
    side = OVERSAMPLING * size
    # The basic layout is the same on every machine; the other one needs a library of the system.
    layout = ImageFont.Layout.BASIC
    font = ImageFont.truetype(_file(face), round(EM * side), layout_engine=layout)
    result = np.zeros((len(characters), side, side), dtype=np.uint8)
    for row, character in zip(result, characters, strict=True):
        image = Image.new("L", (side, side))
        where = (side / 2, round(BASELINE * side))
        ImageDraw.Draw(image).text(where, character, font=font, fill=255, anchor="ms")
        row[...] = np.asarray(image)
    return result


@lru_cache(maxsize=4)
def distinct_characters(size: int) -> tuple[str, ...]:
    """Characters that all look different, in the order of their code points.

    They are characters that all twelve faces share, with ink in each. Where a face prints several
    identically (Latin A, Greek Alpha and Cyrillic A) the first alone is kept: classes with the same
    images are one class.
    """
    from matplotlib.ft2font import FT2Font

    maps = [set(FT2Font(os.fspath(_file(face))).get_charmap()) for face in FACES]
    characters = [chr(code) for code in sorted(set.intersection(*maps))]
    first = np.arange(len(characters))
    ink = np.ones(len(characters), dtype=bool)
    for face in FACES:
        images = shrunk(printed(face, characters, size))
        ink &= images.any(axis=(1, 2))
        seen: dict[bytes, int] = {}
        for index, image in enumerate(images):
            twin = seen.setdefault(image.tobytes(), index)
            if first[twin] != first[index]:
                pair = first[[twin, index]]
                first[np.isin(first, pair)] = pair.min()
    keep = np.flatnonzero(ink & (first == np.arange(len(characters))))
    return tuple(characters[index] for index in keep)


def shrunk(images: npt.NDArray[np.uint8 | np.float32]) -> Images:
    """Average an oversampled print, whose ink is 255, down to its final size; ink becomes 1."""
    shares: Images = averaged(images, OVERSAMPLING, np.float32)
    return shares / np.float32(255)


def distorted(prints: Prints, strength: float, rng: np.random.Generator) -> Images:
    """Rotate, scale, shift, blur and soil prints (of `printed`), each in its own way.

    `strength` multiplies the standard deviations above; 0 leaves the prints as they are. (n, size,
    size); ink is 1, paper 0, plus noise.
    """
    if strength == 0:
        return shrunk(prints)

    n, side = prints.shape[:2]
    angle = np.deg2rad(ROTATION) * strength * rng.normal(size=n)
    scale = np.exp(LOG_SCALE * strength * rng.normal(size=n))
    shift = SHIFT * strength * side * rng.normal(size=(n, 2))
    blur = BLUR * strength * side / OVERSAMPLING * np.abs(rng.normal(size=n))
    centre = (side - 1) / 2
    result = np.empty((n, side // OVERSAMPLING, side // OVERSAMPLING), dtype=np.float32)
    for i, image in enumerate(prints):
        cosine, sine = np.cos(angle[i]) / scale[i], np.sin(angle[i]) / scale[i]
        matrix = np.array([[cosine, -sine], [sine, cosine]])
        # From a pixel of the result to where the print has it, around the centre.
        offset = centre - matrix.sum(axis=1) * centre - shift[i]
        moved = scipy.ndimage.affine_transform(image.astype(np.float32), matrix, offset, order=1)
        result[i] = scipy.ndimage.gaussian_filter(shrunk(moved[None])[0], blur[i])
    noise = rng.standard_normal(size=result.shape, dtype=np.float32)
    return result + np.float32(NOISE * strength) * noise
