import os
import pathlib
import pickle
import pickletools

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from cifar_files import cifar_batch, python2_pickle, write_cifar100
from experiments.datasets.cifar100 import read_cifar100
from experiments.datasets.readers.pickles import read_pickled_arrays


def test_the_test_file_is_as_python_2_wrote_it():
    opcodes = {o.name for o, *_ in pickletools.genops(python2_pickle({"data": np.zeros(3, "u1")}))}
    assert "SHORT_BINSTRING" in opcodes
    assert not opcodes & {"BINUNICODE", "BINBYTES", "SHORT_BINBYTES", "STACK_GLOBAL"}


def test_images_labels_and_names(tmp_path):
    written = write_cifar100(tmp_path / "c.tar.gz", n_train=20, n_test=10)
    found = read_cifar100(tmp_path / "c.tar.gz")
    assert found.class_names[7] == "class_07"
    for part, images in (("train", found.train), ("test", found.test)):
        data = written[part]["data"]
        assert images.images.shape == (len(data), 32, 32, 3)
        assert images.images.dtype == np.uint8
        assert images.labels.tolist() == written[part]["fine_labels"]
        for i, row, column, colour in [(0, 0, 0, 0), (3, 31, 0, 1), (9, 5, 17, 2)]:
            stored = data[i, colour * 1024 + row * 32 + column]  # As the authors' page says.
            assert images.images[i, row, column, colour] == stored


@pytest.mark.slow  # It imports TensorFlow.
def test_the_same_as_the_reader_of_keras(tmp_path):
    cifar = pytest.importorskip("keras.src.datasets.cifar")
    batch = cifar_batch(5, np.random.default_rng(1))
    (tmp_path / "train").write_bytes(python2_pickle(batch))
    data, labels = cifar.load_batch(str(tmp_path / "train"), label_key="fine_labels")
    found = read_pickled_arrays(tmp_path / "train")
    np.testing.assert_array_equal(found["data"].reshape(data.shape), data)
    assert found["fine_labels"] == labels


@pytest.mark.parametrize("dtype", ["u1", "i2", "<i4", ">i8", "<f4", ">f8"])
@pytest.mark.parametrize("protocol", [2, 3, 4])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_every_kind(tmp_path, dtype, protocol, order):
    array = np.arange(12).astype(dtype).reshape(3, 4, order=order)
    packed = pickle.dumps({"x": array, "name": "n"}, protocol=protocol)
    if protocol == 2:
        packed = python2_pickle({"x": array, "name": "n"})
    (tmp_path / "x").write_bytes(packed)
    found = read_pickled_arrays(tmp_path / "x")
    np.testing.assert_array_equal(found["x"], array)
    assert found["x"].dtype == array.dtype
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
        (tmp_path / "x").write_bytes(pickle.dumps({"data": Evil(*call)}, protocol=protocol))
        with pytest.raises(InputError, match="it asks for"):
            read_pickled_arrays(tmp_path / "x")
    assert not mark.exists()


@pytest.mark.parametrize("call", [(np.ndarray, (10**15,)), (np.dtype, "O"), (np.zeros, 10**15)])
def test_not_even_those_of_numpy(tmp_path, call):
    (tmp_path / "x").write_bytes(python2_pickle({"data": Evil(*call)}))
    with pytest.raises(InputError, match="x cannot be read"):
        read_pickled_arrays(tmp_path / "x")


@pytest.mark.parametrize(
    "content",
    [
        b"<html>",
        pickle.dumps([1, 2]),
        python2_pickle({"data": np.zeros((3, 4))})[:-20],
        python2_pickle({"data": np.array(["text"])}),
        python2_pickle({"data": np.array([{}])}),
        python2_pickle({"data": np.zeros(2, "u1,i4")}),
    ],
)
def test_what_is_no_dictionary_of_numbers(tmp_path, content):
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(InputError, match="x cannot be read") as caught:
        read_pickled_arrays(tmp_path / "x")
    assert str(tmp_path / "x") in str(caught.value)


def without(key: str) -> dict[str, object]:
    batch = cifar_batch(4, np.random.default_rng(0))
    del batch[key]
    return batch


def but(**changed: object) -> dict[str, object]:
    return cifar_batch(4, np.random.default_rng(0)) | changed


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"train": None}, "has no file cifar-100-python/train"),
        ({"test": b"<html>"}, "test cannot be read"),
        ({"train": without("fine_labels")}, "train has no fine_labels"),
        ({"train": but(data=np.zeros((4, 1024), np.uint8))}, r"train: data should be bytes"),
        ({"train": but(data=np.zeros((4, 3072)))}, r"train: data should be bytes"),
        ({"train": but(data=[1, 2])}, r"train: data should be bytes"),
        ({"test": but(fine_labels=[1, 2, 3])}, "test: fine_labels should be 4 whole numbers"),
        ({"test": but(fine_labels=[0.5] * 4)}, "test: fine_labels should be 4 whole numbers"),
        ({"test": but(fine_labels=[0, 1, 2, 100])}, r"test: fine_labels should be in 0 \.\.\. 99"),
        ({"test": but(fine_labels=[0, 1, 2, -1])}, r"test: fine_labels should be in 0 \.\.\. 99"),
        ({"meta": {"fine_label_names": ["a"]}}, "meta: fine_label_names should be 100"),
    ],
)
def test_an_archive_of_another_format(tmp_path, changed, sentence):
    write_cifar100(tmp_path / "c.tar.gz", **changed)
    with pytest.raises(InputError, match=sentence):
        read_cifar100(tmp_path / "c.tar.gz")
