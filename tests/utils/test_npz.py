"""Npz files: NumPy's arrays to the bit, or one sentence."""

import io
import zipfile

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import load_arrays

ARRAYS = {
    "scores": np.random.default_rng(5).normal(size=(12, 4)),
    "labels": np.array([f"person {i % 3}" for i in range(9)]),
    "covariance": np.asfortranarray(np.eye(5).astype(">f8")),
    "none": np.empty((0, 7)),
    "one": np.array(True),
}


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_the_arrays_are_those_that_were_saved(tmp_path, save):
    save(tmp_path / "x.npz", **ARRAYS)
    found = load_arrays(tmp_path / "x.npz", *ARRAYS)
    for loaded, array in zip(found, ARRAYS.values(), strict=True):
        np.testing.assert_array_equal(loaded, array)
        assert loaded.dtype == array.dtype
    np.testing.assert_array_equal(*load_arrays(tmp_path / "x.npz", "one"), True)


def packed(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return stream.getvalue()


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def promising(shape):
    stream = io.BytesIO()
    about = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, about)
    return stream.getvalue()


WHOLE = npz(**ARRAYS)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "there is no file"),
        (b"", "is empty"),
        (b"not a zip file", "cannot be read"),
        (npy(np.eye(2)), "is not an .npz file"),
        (b"\x80\x04K\x01.", "cannot be read"),
        (b"PK", "cannot be read"),
        *((WHOLE[:length], "cannot be read") for length in range(4, len(WHOLE), 97)),
        (WHOLE.replace(ARRAYS["scores"].tobytes()[:8], b"12345678"), "cannot be read"),
        (packed(scores=promising((10**9, 10**9))), "memory|cannot be read"),
        (packed(scores=promising((8,))), "cannot be read"),
        (npz(scores=np.array([1, None])), "Python objects"),
        (npz(labels=[1]), "no array 'scores': it has labels"),
    ],
)
def test_what_cannot_be_read_is_one_sentence(tmp_path, content, word):
    path = tmp_path / "x.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=word) as caught:
        load_arrays(path, "scores")
    assert str(path) in str(caught.value)
    assert str(caught.value).isprintable()
