import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.extras import load_tensorflow
from experiments.datasets.embeddings.openface import (
    load_openface_weights,
    openface_embeddings,
    openface_network,
)
from openface_files import write_openface

# Keras 3.15 converts tensors in a way that NumPy 2 warns of.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

RNG = np.random.default_rng(11)
FACES = RNG.integers(256, size=(5, 96, 96, 3), dtype=np.uint8)
FACES[1] //= 8


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("openface")
    return folder, write_openface(folder)


@pytest.fixture(scope="module")
def network():
    load_tensorflow("the test")
    return openface_network()


class Torch:
    """The definition of nn4.small2 in NumPy; arrays are (channels, height, width)."""

    def __init__(self, arrays):
        self.arrays = {name: array.astype(np.float64) for name, array in arrays.items()}

    def conv(self, x, name, stride=1):
        kernel = self.arrays[f"{name}_w"]
        around = kernel.shape[-1] // 2
        x = np.pad(x, ((0, 0), (around, around), (around, around)))
        windows = sliding_window_view(x, kernel.shape[2:], axis=(1, 2))[:, ::stride, ::stride]
        x = np.einsum("ihwab,oiab->ohw", windows, kernel, optimize=True)
        x += self.arrays[f"{name}_b"][:, None, None]
        gamma, beta, mean, variance = (
            self.arrays[f"{name.replace('conv', 'bn')}_{part}"][:, None, None] for part in "wbmv"
        )
        return np.maximum((x - mean) / np.sqrt(variance + 1e-5) * gamma + beta, 0)

    def pooled(self, x, by, stride, around=0):
        x = np.pad(x, ((0, 0), (around, around), (around, around)))
        return by(sliding_window_view(x, (3, 3), axis=(1, 2))[:, ::stride, ::stride])

    def across(self, x):
        total = [sum(x[max(0, c - 2) : c + 3] ** 2) for c in range(len(x))]
        return x / (1 + 1e-4 / 5 * np.stack(total)) ** 0.75

    def inception(self, x, block):
        at = f"inception_{block}"
        stride = 2 if block in ("3c", "4e") else 1
        parts = []
        for size in ("3x3", "5x5"):
            if f"{at}_{size}_conv1_w" in self.arrays:
                reduced = self.conv(x, f"{at}_{size}_conv1")
                parts.append(self.conv(reduced, f"{at}_{size}_conv2", stride))
        if block in ("3b", "4a", "5a"):
            pool = self.pooled(x, lambda w: np.sqrt((w**2).sum(axis=(-2, -1))), 3)
        else:
            pool = self.pooled(x, lambda w: w.max(axis=(-2, -1)), 2)
        if f"{at}_pool_conv_w" in self.arrays:
            pool = self.conv(pool, f"{at}_pool_conv")
        side = parts[0].shape[1]
        padded = np.zeros((len(pool), side, side))
        start = (side - pool.shape[1]) // 2
        padded[:, start : start + pool.shape[1], start : start + pool.shape[1]] = pool
        parts.append(padded)
        if f"{at}_1x1_conv_w" in self.arrays:
            parts.append(self.conv(x, f"{at}_1x1_conv"))
        return np.concatenate(parts)

    def __call__(self, face):
        def maximum(windows):
            return windows.max(axis=(-2, -1))

        x = self.conv(face.transpose(2, 0, 1) / 255.0, "conv1", 2)
        x = self.across(self.pooled(x, maximum, 2, 1))
        x = self.across(self.conv(self.conv(x, "conv2"), "conv3"))
        x = self.pooled(x, maximum, 2, 1)
        for block in ("3a", "3b", "3c", "4a", "4e", "5a", "5b"):
            x = self.inception(x, block)
        x = self.arrays["dense_w"] @ x.mean(axis=(1, 2)) + self.arrays["dense_b"]
        return x / np.linalg.norm(x)


def test_the_embedding_is_that_of_the_definition_in_torch(written):
    folder, arrays = written
    found = openface_embeddings(FACES[:2], folder)
    expected = np.stack([Torch(arrays)(face) for face in FACES[:2]])
    assert np.abs(found[0] - found[1]).max() > 0.01  # The faces differ.
    np.testing.assert_allclose(found, expected, atol=2e-6)


def test_one_inception_block(written, network):
    import keras

    folder, arrays = written
    load_openface_weights(network, folder)
    names = ("inception_3c", "inception_4a")
    between = keras.Model(network.input, [network.get_layer(name).output for name in names])
    before, after = (np.asarray(x)[0] for x in between(FACES[:1] / np.float32(255)))
    expected = Torch(arrays).inception(before.astype(np.float64).transpose(2, 0, 1), "4a")
    np.testing.assert_allclose(after.transpose(2, 0, 1), expected, rtol=1e-4, atol=1e-4)


def test_unit_norm_whatever_the_batch(written, monkeypatch):
    at_once = openface_embeddings(FACES, written[0])
    np.testing.assert_allclose(np.linalg.norm(at_once, axis=1), 1, rtol=1e-6)
    monkeypatch.setattr("experiments.datasets.embeddings.openface.BATCH", 2)
    np.testing.assert_allclose(openface_embeddings(FACES, written[0]), at_once, atol=1e-6)


@pytest.mark.parametrize("content", [None, "1,2,3", "<html>404</html>"])
def test_a_weight_file_that_is_not_there_or_another(written, network, content):
    folder = written[0]
    file = folder / "bn2_v.csv"
    kept = file.read_text()
    file.unlink() if content is None else file.write_text(content)
    try:
        with pytest.raises(InputError, match=r"bn2_v\.csv") as caught:
            load_openface_weights(network, folder)
        assert str(folder) in str(caught.value)
    finally:
        file.write_text(kept)
