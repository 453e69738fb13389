import os

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.parts import subsample
from cifar_files import write_cifar100
from experiments.datasets import cifar100
from experiments.datasets.cifar100 import read_cifar100


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
    for gallery in ("centroid", "nearest"):
        found = []
        for path in (tmp_path / "1.tar.gz", tmp_path / "2.tar.gz"):
            data = cifar100.Cifar100Vgg16(archive=path, weights=path, gallery=gallery)
            matrix = data.score_matrix(0)
            drawn = [subsample(matrix, 10, seed) for seed in range(5)]
            found.append([average_accuracy(each, np.arange(2, 11)) for each in drawn])
            found[-1].append(average_accuracy(matrix, [100]))
        for first, second in zip(*found, strict=True):
            np.testing.assert_allclose(first, second, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "changed",
    [
        {"train": None},
        {"test": b"<html>"},
        {"train": {"data": np.zeros((4, 3072), np.uint8)}},
    ],
)
def test_an_archive_of_another_format(tmp_path, changed):
    write_cifar100(tmp_path / "c.tar.gz", **changed)
    with pytest.raises(InputError, match=r"c\.tar\.gz cannot be read"):
        read_cifar100(tmp_path / "c.tar.gz")


class Calls:
    """A pickle of this makes a folder when it is read."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def test_a_copy_of_the_archive_runs_nothing(tmp_path):
    batch = {"data": Calls(str(tmp_path / "made")), "fine_labels": [0]}
    write_cifar100(tmp_path / "c.tar.gz", train=batch)
    with pytest.raises(InputError, match=r"c\.tar\.gz cannot be read"):
        read_cifar100(tmp_path / "c.tar.gz")
    assert not (tmp_path / "made").exists()
