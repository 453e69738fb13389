import numpy as np
import pytest
from scipy.signal import correlate

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.extras import load_tensorflow
from cifar_files import write_cifar100
from experiments.datasets import make_dataset
from experiments.datasets.embeddings.vgg16 import vgg16_embeddings
from vgg16_files import write_legacy

# Keras 3.15 converts tensors in a way that NumPy 2 warns of.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

RNG = np.random.default_rng(7)
IMAGES = RNG.integers(256, size=(5, 32, 32, 3), dtype=np.uint8)


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A network of Keras with random weights, and its two kinds of files."""
    load_tensorflow("the test")
    import keras

    folder = tmp_path_factory.mktemp("vgg16")
    keras.utils.set_random_seed(3)
    network = keras.applications.VGG16(weights=None, include_top=False, input_shape=(32, 32, 3))
    for layer in network.layers:
        if layer.weights:
            kernel, bias = layer.get_weights()
            layer.set_weights([kernel, RNG.normal(size=bias.shape)])
    network.save_weights(folder / "vgg.weights.h5")
    layers = [(layer.name, layer.get_weights()) for layer in network.layers if layer.weights]
    write_legacy(folder / "vgg_notop.h5", layers)
    return network, layers, folder


@pytest.mark.parametrize("name", ["vgg.weights.h5", "vgg_notop.h5"])
def test_the_features_are_those_of_keras(saved, name):
    network, _, folder = saved
    found = vgg16_embeddings(IMAGES, folder / name)
    expected = network.predict(IMAGES.astype(np.float32), verbose=0).reshape(5, 512)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * expected.max())
    assert (found.std(axis=0) > 0).any()


def convolved(image, kernel, bias):
    """One layer as its definition says: padded cross-correlation, bias, ReLU."""
    padded = np.pad(image, ((1, 1), (1, 1), (0, 0)))
    maps = [correlate(padded, kernel[..., i], "valid")[..., 0] for i in range(kernel.shape[-1])]
    return np.maximum(np.stack(maps, axis=-1) + bias, 0)


def pooled(image):
    h, w, channels = image.shape
    return image.reshape(h // 2, 2, w // 2, 2, channels).max(axis=(1, 3))


def test_the_whole_network_in_numpy(saved):
    _, layers, folder = saved
    pixels = IMAGES[0, :, :, ::-1] - [103.939, 116.779, 123.68]
    for name, (kernel, bias) in layers:
        if name.endswith("conv1") and name != "block1_conv1":
            pixels = pooled(pixels)
        pixels = convolved(pixels, kernel.astype(np.float64), bias)
    expected = pooled(pixels).ravel()
    found = vgg16_embeddings(IMAGES[:1], folder / "vgg_notop.h5", preprocessing="imagenet")[0]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4 * expected.max())


def test_batches_do_not_matter(saved, monkeypatch):
    folder = saved[2]
    at_once = vgg16_embeddings(IMAGES, folder / "vgg_notop.h5")
    monkeypatch.setattr("experiments.datasets.embeddings.vgg16.BATCH", 2)
    in_batches = vgg16_embeddings(IMAGES, folder / "vgg_notop.h5")
    np.testing.assert_allclose(in_batches, at_once, rtol=1e-4, atol=1e-5 * at_once.max())


@pytest.mark.parametrize("content", [b"<html>not found</html>", None])
def test_a_wrong_file_is_one_sentence(saved, tmp_path, content):
    wrong = tmp_path / "w.h5"
    if content is None:
        write_legacy(wrong, saved[1][:4])
    else:
        wrong.write_bytes(content)
    with pytest.raises(InputError, match=r"w\.h5 cannot be read"):
        vgg16_embeddings(IMAGES, wrong)


@pytest.mark.parametrize("gallery", ["centroid", "nearest"])
def test_cifar100_scores_are_distances_to_the_training_images(saved, tmp_path, gallery):
    written = write_cifar100(tmp_path / "c.tar.gz", n_train=120, n_test=7, whole=True)
    options = {"weights": saved[2] / "vgg_notop.h5", "gallery": gallery}
    matrix = make_dataset("cifar100", tmp_path, archive="c.tar.gz", **options).score_matrix(0)
    assert matrix.scores.shape == (7, 100)
    assert not matrix.higher_is_better
    assert matrix.labels.tolist() == written["test"]["fine_labels"]
    embedded = {}
    for part in ("train", "test"):
        images = written[part]["data"].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
        embedded[part] = vgg16_embeddings(images, options["weights"]).astype(float)
    labels = np.array(written["train"]["fine_labels"])
    for y in range(100):
        own = embedded["train"][labels == y]
        if gallery == "centroid":
            own = own.mean(axis=0, keepdims=True)
        expected = np.linalg.norm(embedded["test"][:, None] - own, axis=2).min(axis=1)
        np.testing.assert_allclose(matrix.scores[:, y], expected, rtol=1e-4)
