"""VGG-16 without its top (Simonyan and Zisserman 2015): small images to 512 features."""

import os
import re
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import readable
from accuracy_curves.utils.tensorflow import load_tensorflow

SIDE = 32
FEATURES = 512
BATCH = 128
PREPROCESSING = ("raw", "imagenet")
# Output channels of the 3 x 3 convolutions; each block ends with a 2 x 2 maximum.
BLOCKS = ((64, 64), (128, 128), (256, 256, 256), (512, 512, 512), (512, 512, 512))

Weights = list[npt.NDArray[np.float32]]


def vgg16_embeddings(
    images: npt.NDArray[np.uint8],
    weights: str | os.PathLike[str],
    *,
    preprocessing: str = "raw",
    threads: int = 1,
) -> npt.NDArray[np.float32]:
    """Embed images, (n, 32, 32, 3) red, green, blue, by the convolutional part of VGG-16: (n, 512).

    `weights` are Keras's without the top: the legacy ``.h5`` that Keras publishes, or a
    ``.weights.h5`` of Keras 3. Preprocessing "raw" takes 0-255 RGB, as the released code of ICLR
    2021; "imagenet" takes BGR less the means of ImageNet, as the network was trained. More
    TensorFlow threads than 1 may change the last bits. Images go through in batches, so that the
    memory does not grow with n.
    """
    loaded = read_vgg16_weights(weights)
    load_tensorflow(threads, "VGG-16")
    from keras.applications import vgg16

    network = vgg16.VGG16(weights=None, include_top=False, input_shape=(SIDE, SIDE, 3))
    network.set_weights(loaded)
    result = np.empty((len(images), FEATURES), np.float32)
    for start in range(0, len(images), BATCH):
        batch = images[start : start + BATCH].astype(np.float32)
        if preprocessing == "imagenet":
            batch = vgg16.preprocess_input(batch)
        features = np.asarray(network(batch, training=False))
        result[start : start + BATCH] = features.reshape(-1, FEATURES)
    if not np.isfinite(result).all():
        raise InputError(f"{weights} gives features that are not finite: fetch it again")
    return result


def read_vgg16_weights(path: str | os.PathLike[str]) -> Weights:
    """Read Keras's weights of VGG-16 without the top, and check every layer's shape.

    Legacy ``.h5`` or Keras 3 ``.weights.h5``; 26 arrays: kernel (3, 3, in, out) and bias (out,) of
    each of the 13 convolutions, in their order.
    """
    with readable(path), h5py.File(path, "r") as file:
        found = _keras3_layers(file) if "layers" in file else _legacy_layers(file)
    needed = _shapes()
    for (layer, shapes), (name, arrays) in zip(needed.items(), found, strict=False):
        if [array.shape for array in arrays] != shapes:
            has = " and ".join(str(array.shape) for array in arrays)
            raise InputError(
                f"{path} is not VGG-16: its layer {name} has {has}, where {layer} has "
                f"{' and '.join(map(str, shapes))}"
            )
    if len(found) != len(needed):
        raise InputError(
            f"{path} is not VGG-16 without its top: it has {len(found)} layers with weights, "
            f"not {len(needed)}"
        )
    return [array.astype(np.float32) for _, arrays in found for array in arrays]


def _shapes() -> dict[str, list[tuple[int, ...]]]:
    """Kernel and bias shapes by the layer's name."""
    result: dict[str, list[tuple[int, ...]]] = {}
    channels = 3
    for block, outputs in enumerate(BLOCKS, start=1):
        for number, output in enumerate(outputs, start=1):
            result[f"block{block}_conv{number}"] = [(3, 3, channels, output), (output,)]
            channels = output
    return result


def _legacy_layers(file: Any) -> list[tuple[str, Weights]]:
    """Layers with weights, in the order that Keras 1 and 2 wrote them."""
    if "layer_names" not in file.attrs:
        raise KeyError("it has no layer_names, as Keras weights have")
    result = []
    for name in map(_text, file.attrs["layer_names"]):
        weights = [_text(weight) for weight in file[name].attrs["weight_names"]]
        if weights:
            result.append((name, [np.asarray(file[name][weight]) for weight in weights]))
    return result


def _keras3_layers(file: Any) -> list[tuple[str, Weights]]:
    """Layers with weights: Keras 3 numbers those of one type in their order."""
    numbered = []
    for name, layer in file["layers"].items():
        variables = layer.get("vars", {})
        if len(variables):
            order = int((re.search(r"_(\d+)$", name) or [0, 0])[1])
            arrays = [np.asarray(variables[str(i)]) for i in range(len(variables))]
            numbered.append((re.sub(r"_\d+$", "", name) != "conv2d", order, name, arrays))
    return [(name, arrays) for *_, name, arrays in sorted(numbered, key=lambda layer: layer[:3])]


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name
