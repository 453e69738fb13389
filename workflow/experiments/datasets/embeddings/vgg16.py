"""VGG-16 without its top (Simonyan and Zisserman 2015): small images to 512 features."""

import os

import numpy as np
import numpy.typing as npt

from accuracy_curves.utils.extras import load_tensorflow
from accuracy_curves.utils.files import readable

SIDE = 32
BATCH = 128
PREPROCESSING = ("raw", "imagenet")


def vgg16_embeddings(
    images: npt.NDArray[np.uint8],
    weights: str | os.PathLike[str],
    *,
    preprocessing: str = "raw",
) -> npt.NDArray[np.float32]:
    """Embed images, (n, 32, 32, 3) red, green, blue, by the convolutional part of VGG-16: (n, 512).

    `weights` are Keras's without the top: the legacy ``.h5`` that Keras publishes, or a
    ``.weights.h5`` of Keras 3. Preprocessing "raw" takes 0-255 RGB, as the released code of ICLR
    2021; "imagenet" takes BGR less the means of ImageNet, as the network was trained. Images go
    through in batches, so that the memory does not grow with n.
    """
    load_tensorflow("VGG-16")
    from keras.applications import vgg16

    network = vgg16.VGG16(weights=None, include_top=False, input_shape=(SIDE, SIDE, 3))
    with readable(weights):
        network.load_weights(weights)
    features = []
    for start in range(0, len(images), BATCH):
        batch = images[start : start + BATCH].astype(np.float32)
        if preprocessing == "imagenet":
            batch = vgg16.preprocess_input(batch)
        features.append(np.asarray(network(batch, training=False)).reshape(len(batch), -1))
    return np.concatenate(features)
