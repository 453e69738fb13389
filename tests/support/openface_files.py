"""OpenFace's weights in the layout of their CSV files, random."""

from pathlib import Path

import numpy as np

# Of the definition in Torch: block, 3 x 3, 5 x 5, pooled, 1 x 1 (inputs, then outputs).
_BLOCKS = [
    ("3a", 192, (96, 128), (16, 32), 32, 64),
    ("3b", 256, (96, 128), (32, 64), 64, 64),
    ("3c", 320, (128, 256), (32, 64), None, None),
    ("4a", 640, (96, 192), (32, 64), 128, 256),
    ("4e", 640, (160, 256), (64, 128), None, None),
    ("5a", 1024, (96, 384), None, 96, 256),
    ("5b", 736, (96, 384), None, 96, 256),
]


def convolutions() -> dict[str, tuple[int, int, int]]:
    """Inputs, outputs and kernel size by the name of the files; with `bn` for `conv`, the norms."""
    found = {"conv1": (3, 64, 7), "conv2": (64, 64, 1), "conv3": (64, 192, 3)}
    for block, inputs, three, five, pool, one in _BLOCKS:
        for size, channels in ((3, three), (5, five)):
            if channels:
                at = f"inception_{block}_{size}x{size}_conv"
                found[f"{at}1"] = (inputs, channels[0], 1)
                found[f"{at}2"] = (*channels, size)
        if pool:
            found[f"inception_{block}_pool_conv"] = (inputs, pool, 1)
            found[f"inception_{block}_1x1_conv"] = (inputs, one, 1)
    return found


def write_openface(folder: Path, seed: int = 0) -> dict[str, np.ndarray]:
    """Write all 224 files, and return what is in them, in Torch's order of axes."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, (inputs, outputs, size) in convolutions().items():
        scale = np.sqrt(2 / (inputs * size**2))
        norm = name.replace("conv", "bn")
        arrays[f"{name}_w"] = rng.normal(scale=scale, size=(outputs, inputs, size, size))
        arrays[f"{name}_b"] = rng.normal(scale=0.1, size=outputs)
        arrays[f"{norm}_w"] = rng.uniform(0.5, 1.5, size=outputs)
        arrays[f"{norm}_b"] = rng.normal(scale=0.3, size=outputs)
        arrays[f"{norm}_m"] = rng.normal(scale=0.3, size=outputs)
        arrays[f"{norm}_v"] = rng.uniform(0.5, 2, size=outputs)
    arrays["dense_w"] = rng.normal(scale=0.05, size=(128, 736))
    arrays["dense_b"] = rng.normal(scale=0.05, size=128)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        arrays[name] = array.astype(np.float32)
        (folder / f"{name}.csv").write_text(",".join(map(str, arrays[name].ravel().tolist())))
    return arrays
