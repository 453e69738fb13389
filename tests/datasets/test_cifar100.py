import io
import os
import pathlib
import pickle

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.parts import subsample
from cifar_files import cifar_batch, python2_pickle, write_cifar100
from experiments.datasets import cifar100
from experiments.datasets.cifar100 import read_cifar100
from experiments.datasets.readers import read_pickled_arrays


def test_images_and_labels(tmp_path):
    written = write_cifar100(tmp_path / "c.tar.gz", n_train=120, n_test=10, whole=True)
    found = read_cifar100(tmp_path / "c.tar.gz")
    for part in ("train", "test"):
        data = written[part]["data"]
        assert found[part].shape == (len(data), 32, 32, 3)
        assert found[part].dtype == np.uint8
        assert found[f"{part}_labels"].tolist() == written[part]["fine_labels"]
        for i, row, column, colour in [(0, 0, 0, 0), (3, 31, 0, 1), (9, 5, 17, 2)]:
            stored = data[i, colour * 1024 + row * 32 + column]  # As the authors' page says.
            assert found[part][i, row, column, colour] == stored


def test_the_order_of_the_images_moves_no_draw_and_no_accuracy(tmp_path, monkeypatch):
    # The pixels stand in for the network.
    monkeypatch.setattr(
        cifar100,
        "vgg16_embeddings",
        lambda images, *_, **__: images[:, :3, :3].reshape(len(images), -1).astype(np.float32),
    )
    files = write_cifar100(tmp_path / "1.tar.gz", n_train=300, n_test=200, whole=True)
    rng = np.random.default_rng(3)
    mixed = {}
    for part in ("train", "test"):
        order = rng.permutation(len(files[part]["data"]))
        labels = np.asarray(files[part]["fine_labels"])[order]
        mixed[part] = {"data": files[part]["data"][order], "fine_labels": labels.tolist()}
    write_cifar100(tmp_path / "2.tar.gz", **mixed)
    for gallery in cifar100.GALLERIES:
        found = []
        for path in (tmp_path / "1.tar.gz", tmp_path / "2.tar.gz"):
            data = cifar100.Cifar100Vgg16(archive=path, weights=path, gallery=gallery)
            matrix = data.score_matrix(0)
            drawn = [subsample(matrix, 10, seed) for seed in range(5)]
            found.append([average_accuracy(each, np.arange(2, 11)) for each in drawn])
            found[-1].append(average_accuracy(matrix, [100]))
        for first, second in zip(*found, strict=True):
            np.testing.assert_allclose(first, second, rtol=0, atol=1e-12)


@pytest.mark.slow  # It imports TensorFlow.
def test_the_same_as_the_reader_of_keras(tmp_path):
    cifar = pytest.importorskip("keras.src.datasets.cifar")
    batch = cifar_batch(5, np.random.default_rng(1))
    packed = python2_pickle(batch)
    (tmp_path / "train").write_bytes(packed)
    data, labels = cifar.load_batch(str(tmp_path / "train"), label_key="fine_labels")
    found = read_pickled_arrays(io.BytesIO(packed))
    np.testing.assert_array_equal(found[b"data"].reshape(data.shape), data)
    assert found[b"fine_labels"] == labels


@pytest.mark.parametrize("dtype", ["u1", "i2", "<i4", ">i8", "<f4", ">f8"])
@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_every_kind(dtype, protocol, order):
    array = np.arange(12).astype(dtype).reshape(3, 4, order=order)
    packed = pickle.dumps({"x": array, "name": "n"}, protocol=protocol)
    if protocol == 2:
        packed = python2_pickle({"x": array, "name": "n"})
    read = read_pickled_arrays(io.BytesIO(packed))
    found = {key if isinstance(key, str) else key.decode(): value for key, value in read.items()}
    np.testing.assert_array_equal(found["x"], array)
    assert found["x"].dtype.kind == array.dtype.kind
    assert found["name"] in ("n", b"n")


class Evil:
    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call[0], self.call[1:]


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_no_function_of_a_pickle_is_called(tmp_path, protocol):
    mark = tmp_path / "mark"
    for call in [(os.mkdir, str(mark)), (eval, f"open({str(mark)!r}, 'w')"), (pathlib.Path, "x")]:
        packed = pickle.dumps({"data": Evil(*call)}, protocol=protocol)
        with pytest.raises(pickle.UnpicklingError, match="it asks for"):
            read_pickled_arrays(io.BytesIO(packed))
    assert not mark.exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"train": None},
        {"test": b"<html>"},
        {"train": {"data": np.zeros((4, 3072), np.uint8)}},
        {"test": {"data": Evil(print, "read"), "fine_labels": [1]}},
    ],
)
def test_an_archive_of_another_format(tmp_path, changed):
    write_cifar100(tmp_path / "c.tar.gz", **changed)
    with pytest.raises(InputError, match=r"c\.tar\.gz cannot be read"):
        read_cifar100(tmp_path / "c.tar.gz")
