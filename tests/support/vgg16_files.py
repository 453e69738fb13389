"""VGG-16's weights in the layout of the file that Keras publishes."""

import h5py
import numpy as np

# Channels of the 3 x 3 convolutions.
BLOCKS = ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512))


def write_legacy(path, layers):
    """The layout of the file that Keras publishes: pooling layers are there, without weights."""
    with h5py.File(path, "w") as file:
        names = [name for name, _ in layers]
        file.attrs["layer_names"] = [name.encode() for name in [*names, "block1_pool"]]
        file.create_group("block1_pool").attrs["weight_names"] = np.empty(0, "S1")
        for name, arrays in layers:
            weights = [f"{name}_W_1:0", f"{name}_b_1:0"]
            group = file.create_group(name)
            group.attrs["weight_names"] = [weight.encode() for weight in weights]
            for weight, array in zip(weights, arrays, strict=True):
                group[weight] = array


def write_vgg16(path, seed=0):
    """Random weights of all 13 convolutions."""
    rng = np.random.default_rng(seed)
    layers, inputs = [], 3
    for block, outputs in enumerate(BLOCKS, start=1):
        for number, output in enumerate(outputs, start=1):
            kernel = rng.standard_normal((3, 3, inputs, output), dtype=np.float32)
            kernel *= np.float32(np.sqrt(2 / (9 * inputs)))
            layers.append((f"block{block}_conv{number}", [kernel, np.zeros(output, np.float32)]))
            inputs = output
    write_legacy(path, layers)
