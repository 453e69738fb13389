"""Small archives in the exact format of Omniglot's official zip files."""

import io
import zipfile

import numpy as np
from PIL import Image

SIDE = 105


def write_omniglot(path, alphabets, drawings=20, side=SIDE, seed=0):
    """Write SET/ALPHABET/characterNN/NNNN_NN.png; returns the drawings, ink False, by name."""
    rng = np.random.default_rng(seed)
    written, number = {}, 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{path.stem}/", b"")
        # The members of the original are in no order.
        for alphabet in rng.permutation(sorted(alphabets)):
            archive.writestr(f"{path.stem}/{alphabet}/", b"")
            for character in range(1, alphabets[alphabet] + 1):
                number += 1
                # A character is a few strokes, drawn anew with a shift each time.
                strokes = rng.integers(20, 80, size=(3, 2))
                for drawing in range(1, drawings + 1):
                    image = np.ones((side, side), bool)
                    for y, x in strokes + rng.integers(-3, 4, size=2):
                        image[y : y + 4, x - 15 : x + 15] = False
                    name = f"{alphabet}/character{character:02d}/{number:04d}_{drawing:02d}.png"
                    packed = io.BytesIO()
                    Image.fromarray(image).convert("1").save(packed, "PNG")
                    archive.writestr(f"{path.stem}/{name}", packed.getvalue())
                    written[name] = image
    return written
