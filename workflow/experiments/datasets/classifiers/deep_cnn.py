"""The deep convolutional network of Achanta and Hastie (2015), with Keras."""

from typing import Any

import numpy as np
import scipy

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.arrays import Float64Array, FloatArray, IntArray
from accuracy_curves.utils.extras import load_tensorflow
from accuracy_curves.utils.seeds import derive_seed
from accuracy_curves.utils.validation import Count, Positive
from experiments.datasets.classifiers.base import Classifier

SIDE = 48
# 48x48-4C3-MP2-6C3-8C3-MP2-32C3-50C3-MP2-200C3-SM; 0 is a pooling.
MAPS = (4, 0, 6, 8, 0, 32, 50, 0, 200)
BLOCK = 500  # images scored at a time
STEPS_A_CALL = 200  # bounds the copies of the images


class DeepCNN(Classifier):
    """Log probabilities of 48x48-4C3-MP2-6C3-8C3-MP2-32C3-50C3-MP2-200C3-SM.

    nC3 is a convolution of n maps with 3 x 3 kernels and no padding, rectified; MP2 a maximum
    over 2 x 2 pixels, the last of an odd number alone, so that 200C3 sees 3 x 3 pixels and leaves
    one; SM a softmax over the classes (Zheng 2017, Section 5.2, footnote 5). The paper says
    nothing of the training: here Adam with a rate that falls linearly to zero.

    Parameters
    ----------
    epochs : int
        Passes over the training images.
    batch : int
        Images a step.
    learning_rate : float
        Adam's first rate, above 0.
    seed : int
        First weights and order of the images.
    """

    name = "deep_cnn"
    marginal = False
    extra = "cleanex"

    epochs: Count = 20
    batch: Count = 32
    learning_rate: Positive = 0.002

    def network(self, n_classes: int) -> Any:
        """Build the untrained `keras.Sequential`, from (n, 48, 48, 1) images to (n, K) logits."""
        keras = load_tensorflow("deep_cnn").keras

        def first(layer: int) -> Any:
            seed = derive_seed(self.seed, "deep_cnn", "weights", layer) % 2**31
            return keras.initializers.HeNormal(seed=seed)

        layers = [keras.Input((SIDE, SIDE, 1))]
        for index, maps in enumerate(MAPS):
            look = {"activation": "relu", "kernel_initializer": first(index)}
            pool = keras.layers.MaxPooling2D(2, padding="same")
            layers.append(keras.layers.Conv2D(maps, 3, **look) if maps else pool)
        last = keras.layers.Dense(n_classes, kernel_initializer=first(len(MAPS)))
        return keras.Sequential([*layers, keras.layers.Flatten(), last])

    def _fit(self, images: FloatArray, labels: IntArray) -> None:
        if images.shape[1:] != (SIDE, SIDE):
            raise InputError(
                f"deep_cnn needs images of {SIDE} x {SIDE} pixels, these have shape "
                f"{images.shape[1:]}: set their size, or scale to 1"
            )
        keras = load_tensorflow("deep_cnn").keras
        keras.backend.clear_session()  # Layers of earlier trainings would keep their memory.
        self._network = self.network(int(labels[-1]) + 1)
        steps = self.epochs * -(-len(images) // self.batch)
        rate = keras.optimizers.schedules.PolynomialDecay(self.learning_rate, steps, 0.0)
        loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self._network.compile(keras.optimizers.Adam(rate), loss)
        rng = np.random.default_rng(derive_seed(self.seed, "deep_cnn", "order"))
        part = self.batch * STEPS_A_CALL
        for _ in range(self.epochs):
            order = rng.permutation(len(images))
            for start in range(0, len(images), part):
                rows = order[start : start + part]
                self._network.fit(
                    _input(images[rows]),
                    labels[rows],
                    batch_size=self.batch,
                    shuffle=False,  # Keras's order would come from a global generator.
                    verbose=0,
                )

    def _scores(self, images: FloatArray) -> Float64Array:
        blocks = [
            self._network.predict_on_batch(_input(images[start : start + BLOCK]))
            for start in range(0, len(images), BLOCK)
        ]
        return scipy.special.log_softmax(np.concatenate(blocks).astype(np.float64), axis=1)


def _input(images: FloatArray) -> Any:
    return images[..., None].astype(np.float32)
