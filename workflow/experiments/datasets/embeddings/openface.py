"""OpenFace's network nn4.small2 (Amos et al. 2016): aligned faces to 128 dimensions."""

import os
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from accuracy_curves.utils.extras import load_tensorflow
from accuracy_curves.utils.files import readable

SIDE = 96
DIMENSION = 128
BATCH = 64


class Inception(NamedTuple):
    """Channels of one inception block; a branch of the input's own channels has None.

    `three` and `five` are those of the 1 x 1 reduction and of the 3 x 3 or 5 x 5 convolution,
    `pool` and `one` those of the 1 x 1 convolution after the pooling, and of the plain one.
    `stride` is of the 3 x 3 and 5 x 5 convolutions. Pooling is by the euclidean norm of 3 x 3
    squares beside each other (`norm_pool`), or by the maximum of 3 x 3 squares two pixels apart.
    """

    three: tuple[int, int]
    five: tuple[int, int] | None
    norm_pool: bool
    pool: int | None
    one: int | None
    stride: int = 1


BLOCKS = {
    "3a": Inception((96, 128), (16, 32), False, 32, 64),
    "3b": Inception((96, 128), (32, 64), True, 64, 64),
    "3c": Inception((128, 256), (32, 64), False, None, None, stride=2),
    "4a": Inception((96, 192), (32, 64), True, 128, 256),
    "4e": Inception((160, 256), (64, 128), False, None, None, stride=2),
    "5a": Inception((96, 384), None, True, 96, 256),
    "5b": Inception((96, 384), None, False, 96, 256),
}


def openface_embeddings(
    faces: npt.NDArray[np.uint8], weights: str | os.PathLike[str]
) -> npt.NDArray[np.float32]:
    """Embed faces that `aligned_face` aligned, (n, 96, 96, 3), as (n, 128) of euclidean norm 1.

    `weights` is a folder, see `load_openface_weights`.
    """
    load_tensorflow("OpenFace")
    network = openface_network()
    load_openface_weights(network, weights)
    parts = (faces[start : start + BATCH] for start in range(0, len(faces), BATCH))
    batches = (part.astype(np.float32) / 255 for part in parts)
    return np.concatenate([np.asarray(network(batch, training=False)) for batch in batches])


def openface_network() -> Any:
    """Build nn4.small2 as its definition in Torch says, a `keras.Model` with random weights.

    From (n, 96, 96, 3) in [0, 1] to (n, 128) of norm 1; 3,743,280 parameters. Layers have the names
    of the weight files. Normalisation across channels is Torch's: over 5 channels, the factor 1e-4
    divided by 5.
    """
    from keras import Input, Model, layers, ops

    inputs = Input((SIDE, SIDE, 3))
    x = _convolved(inputs, 64, 7, "conv1", "bn1", stride=2)
    x = _normalised_across_channels(_max_pooled(x, padding=1))
    x = _convolved(x, 64, 1, "conv2", "bn2")
    x = _normalised_across_channels(_convolved(x, 192, 3, "conv3", "bn3"))
    x = _max_pooled(x, padding=1)
    for name, block in BLOCKS.items():
        x = _inception(x, f"inception_{name}", block)
    x = layers.Flatten()(layers.AveragePooling2D(3)(x))
    x = layers.Dense(DIMENSION, name="dense")(x)
    return Model(inputs, ops.normalize(x, axis=-1, order=2), name="nn4_small2")


def _inception(x: Any, name: str, block: Inception) -> Any:
    from keras import layers, ops

    branches = []
    for size, channels in ((3, block.three), (5, block.five)):
        if channels is not None:
            at = f"{name}_{size}x{size}"
            reduced = _convolved(x, channels[0], 1, f"{at}_conv1", f"{at}_bn1")
            branches.append(
                _convolved(reduced, channels[1], size, f"{at}_conv2", f"{at}_bn2", block.stride)
            )
    if block.norm_pool:
        mean = layers.AveragePooling2D(3, strides=3)(ops.square(x))
        pool = ops.sqrt(9.0 * mean)
    else:
        pool = _max_pooled(x)
    if block.pool is not None:
        pool = _convolved(pool, block.pool, 1, f"{name}_pool_conv", f"{name}_pool_bn")
    # The pooled branch is smaller: zeros around it, one more below and to the right if odd.
    lacking = branches[0].shape[1] - pool.shape[1]
    around = (lacking // 2, lacking - lacking // 2)
    branches.append(layers.ZeroPadding2D((around, around))(pool))
    if block.one is not None:
        branches.append(_convolved(x, block.one, 1, f"{name}_1x1_conv", f"{name}_1x1_bn"))
    return layers.Concatenate(name=name)(branches)


def _convolved(x: Any, channels: int, size: int, conv: str, bn: str, stride: int = 1) -> Any:
    """Convolution with bias and half a kernel of zeros around, normalised, without negatives."""
    from keras import layers

    if size > 1:
        x = layers.ZeroPadding2D(size // 2)(x)
    x = layers.Conv2D(channels, size, strides=stride, name=conv)(x)
    return layers.ReLU()(layers.BatchNormalization(epsilon=1e-5, name=bn)(x))


def _max_pooled(x: Any, padding: int = 0) -> Any:
    """Maximum of 3 x 3 squares two pixels apart; zeros around do no harm after a ReLU."""
    from keras import layers

    if padding:
        x = layers.ZeroPadding2D(padding)(x)
    return layers.MaxPooling2D(3, strides=2)(x)


def _normalised_across_channels(x: Any) -> Any:
    """Divide by (1 + 1e-4 * mean of the squares of 5 channels) ^ 0.75."""
    from keras import ops

    squares = ops.pad(ops.square(x), ((0, 0), (0, 0), (0, 0), (2, 2)))
    total = sum(squares[..., i : i + x.shape[-1]] for i in range(5))
    return x / (1.0 + 1e-4 / 5 * total) ** 0.75


def load_openface_weights(network: Any, folder: str | os.PathLike[str]) -> None:
    """Load the weights that `iwantooxxoox/Keras-OpenFace` exported from Torch.

    The folder has 224 CSV files: for a layer ``L``, ``L_w.csv`` and ``L_b.csv``, and ``L_m.csv``
    and ``L_v.csv`` (running mean and variance) where it normalises; numbers in Torch's order.
    `InputError` if a file is absent or has not the layer's numbers.
    """
    source = Path(folder)
    for layer in network.layers:
        # Weights, bias, running mean and variance; some layers have none, or the first two.
        numbers = [
            _read_numbers(source / f"{layer.name}_{part}.csv", tuple(variable.shape))
            for part, variable in zip("wbmv", layer.weights, strict=False)
        ]
        layer.set_weights(numbers)


def _read_numbers(file: Path, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Read one CSV file, and turn Torch's order of axes into Keras's."""
    with readable(file):
        numbers = np.loadtxt(file, delimiter=",", dtype=np.float32, ndmin=1)
        # Torch has them the other way round: out, in, height, width.
        if len(shape) == 4:
            height, width, inputs, outputs = shape
            return numbers.reshape(outputs, inputs, height, width).transpose(2, 3, 1, 0)
        return numbers.reshape(shape[::-1]).T
