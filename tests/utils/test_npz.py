"""Npz files, whole and damaged: NumPy's arrays to the bit, or one printable sentence."""

import io
import random
import tracemalloc
import zipfile

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.npz import array_names, load_all_arrays, load_arrays
from mutation import how_many, mutated, repacked, sentence
from tried import TRIED

RNG = np.random.default_rng(5)
# What the commands and data sets read: scores, embeddings, images, packed images, groups.
FILES = {
    "scores": {
        "scores": RNG.normal(size=(12, 4)),
        "labels": np.arange(12) % 4,
        "higher_is_better": np.array(True),
    },
    "embeddings": {
        "embeddings": RNG.normal(size=(9, 5)).astype("<f4"),
        "labels": np.array([f"person {i % 3}" for i in range(9)]),
        "covariance": np.asfortranarray(RNG.normal(size=(5, 5)).astype(">f8")),
    },
    "images": {"images": RNG.random((2, 3, 4, 5)) < 0.5},
    "packed": {"images": RNG.integers(256, size=(6, 8), dtype="u1"), "labels": np.arange(6)},
    "groups": {"scores": np.eye(3), "labels": np.arange(3), "groups": np.array(["ä", "b", "ä"])},
    "empty": {"none": np.empty((0, 7)), "one": np.array(3.5)},
}


def npy(array):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, array)
    return stream.getvalue()


def header(shape, descr="<f8", order=False):
    stream = io.BytesIO()
    about = {"descr": descr, "fortran_order": order, "shape": shape}
    np.lib.format.write_array_header_2_0(stream, about)
    return stream.getvalue()


def write(path, members, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            member = zipfile.ZipInfo(name)
            member.compress_type = method
            archive.writestr(member, content)
    return path


def refusal(path, *names):
    loaded, said = sentence(load_arrays, path, *names)
    assert loaded is None
    assert str(path) in said
    return said


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("kind", FILES)
def test_the_arrays_are_those_that_were_saved(tmp_path, save, kind):
    save(tmp_path / "x.npz", **FILES[kind])
    found = load_all_arrays(tmp_path / "x.npz")
    assert list(found) == array_names(tmp_path / "x.npz") == list(FILES[kind])
    for name, array in FILES[kind].items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype
        assert found[name].flags.f_contiguous == array.flags.f_contiguous
    last = list(FILES[kind])[-1]
    np.testing.assert_array_equal(*load_arrays(tmp_path / "x.npz", last), FILES[kind][last])


def as_saved(found, kind, case):
    """What was read of a damaged file is what was saved, for each member has its checksum."""
    for name, array in zip(FILES[kind], found, strict=True):
        np.testing.assert_array_equal(array, FILES[kind][name], err_msg=str(case))


@how_many(1500)
@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("kind", FILES)
def test_mutated_files(tmp_path, cases, save, kind):
    path, seen = tmp_path / "x.npz", TRIED[f"npz files of {kind}, damaged"]
    save(path, **FILES[kind])
    whole = path.read_bytes()
    for case in range(cases):
        path.write_bytes(mutated(whole, random.Random(case)))
        found, said = sentence(load_arrays, path, *FILES[kind])
        if not said:
            as_saved(found, kind, case)
        seen["refused" if said else "unharmed"] += 1
    assert seen["refused"] > cases / 2


@how_many(1500)
@pytest.mark.parametrize("kind", FILES)
def test_mutated_arrays_under_a_right_checksum(tmp_path, cases, kind):
    """The damage came before the file was packed: only headers and sizes can tell."""
    path, seen = tmp_path / "x.npz", TRIED[f"arrays of {kind}, damaged before packing"]
    whole = {f"{name}.npy": npy(array) for name, array in FILES[kind].items()}
    for case in range(cases):
        chance = random.Random(case)
        hurt, content = repacked(path, whole, chance)
        tracemalloc.start()
        found, said = sentence(load_arrays, path, *FILES[kind])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2_000_000, case
        if not said:
            array = found[[f"{name}.npy" for name in FILES[kind]].index(hurt)]
            assert content.endswith(array.tobytes("A")), case
        seen["refused" if said else "read as its bytes say"] += 1
    assert seen["refused"] > cases / 4


@pytest.mark.parametrize(
    "content",
    [
        header((10**9, 10**9)),
        header((10**13,)),
        header((2**62, 4)),
        header((-1,)) + bytes(64),
        header((-2, -4)) + bytes(64),
        header((0, 10**30)),
        header((10**12,), "<U0"),
        header((10**12,), "|V0"),
        header((8,)) + bytes(63),
        header((8,)) + bytes(65),
        header((1,), "<U1000000000000"),
        header((1,), [("a", "<f8", (10**6, 10**6))]),
        b"\x93NUMPY\x09\x00",
        b"\x93NUMPY\x01\x00\xff\xff",
        b"\x93NUMPY\x01\x00\x60\x00" + b"[" * 90 + b"     \n",
        b"\x93NUMPY\x01\x00\x10\x00{'shape': '\\d'}\n",
    ],
)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_header_that_lies_allocates_nothing(tmp_path, content, method):
    path = write(tmp_path / "x.npz", {"x.npy": content}, method)
    tracemalloc.start()
    said = refusal(path, "x")
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()
    assert "is truncated or damaged: write it again" in said


def test_sizes_in_the_directory_that_lie(tmp_path):
    path = write(tmp_path / "x.npz", {"x.npy": header((10**8,)) + bytes(64)})
    whole = path.read_bytes()
    size = len(header((1,))) + 64
    assert whole.count(size.to_bytes(4, "little")) == 4  # Packed and unpacked, in two places.
    lie = (len(header((1,))) + 8 * 10**8).to_bytes(4, "little")
    path.write_bytes(whole.replace(size.to_bytes(4, "little"), lie))
    tracemalloc.start()
    assert "is truncated or damaged" in refusal(path, "x")
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()


def test_members_that_numpy_does_not_write(tmp_path):
    path = tmp_path / "x.npz"
    whole = {"x.npy": npy(np.eye(2))}
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        write(path, whole, method)
        assert "'x' is packed by an unknown method" in refusal(path, "x")
    packed = bytearray(write(path, whole).read_bytes())
    packed[packed.index(b"PK\1\2") + 8] |= 1
    path.write_bytes(packed)
    assert "'x' is under a password" in refusal(path, "x")
    packed[packed.index(b"PK\1\2") + 8] ^= 1
    packed[packed.index(b"PK\1\2") + 10] = 97
    path.write_bytes(packed)
    assert "'x' is packed by an unknown method" in refusal(path, "x")
    write(path, {"x": b"text", "y.npy": b"\x80\x04K\x01.", "z.npy": b""})
    for name in "xyz":
        assert f"holds no NumPy arrays, such as '{name}'" in refusal(path, name)
    np.savez(path, x=np.array([{}]), y=np.array([(1, None)], dtype="i4,O"))
    for name in "xy":
        assert f"the array '{name}' holds Python objects" in refusal(path, name)


def test_names_are_escaped(tmp_path):
    path = tmp_path / "x.npz"
    write(path, {"\x1b[31m\n.npy": b"", "né.npy": b"", ".npy": b"", "": b"", "a" * 60_000: b""})
    said = refusal(path, "scores")
    assert r"it has \x1b[31m\n, n\xe9, '', aaaaaa" in said
    assert len(said) < 400
    assert r"has no array '\x1b]0;'" in refusal(path, "\x1b]0;")
    assert r"such as '\x1b[31m\n'" in refusal(path, "\x1b[31m\n")
    assert "holds no NumPy arrays" in refusal(path, "")
    write(path, {f"{i}.npy": b"" for i in range(1000)})
    assert refusal(path, "scores").endswith("it has 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, and 990 more")


def test_an_array_larger_than_memory(tmp_path, monkeypatch):
    np.savez(tmp_path / "x.npz", x=np.eye(2))

    def allocate(*_, **__):
        raise MemoryError

    monkeypatch.setattr(np.lib.format, "read_array", allocate)
    assert "does not fit in the memory" in refusal(tmp_path / "x.npz", "x")


def test_what_is_no_file(tmp_path):
    assert "there is no file" in refusal(tmp_path, "x")
    assert "there is no file" in refusal(tmp_path / "x.npz", "x")
    assert "cannot read" in refusal(tmp_path / ("x" * 300), "x")
    with pytest.raises(InputError, match=r"/dev/zero: check its name"):
        array_names("/dev/zero")
