import hashlib
import os
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accuracy_curves import InputError, ScoreMatrix, load_scores, save_scores
from conftest import simulated

SCORES = np.array([[3.0, 1.0, -2.5], [0.1, 1e-30, 7.0], [2.0, 5.0, 1 / 3], [1.0, 2.0, 3.0]])
LABELS = np.array([0, 2, 1, 0])


def npz(path, **arrays):
    np.savez(path, **arrays)
    return path


def folder(path, scores=SCORES, labels=LABELS, meta='{"higher_is_better": false}'):
    path.mkdir()
    np.save(path / "scores.npy", scores)
    np.save(path / "labels.npy", labels)
    (path / "meta.json").write_text(meta)
    return path


def text(path, content, encoding="utf-8"):
    path.write_bytes(content.encode(encoding))
    return path


def refused(path, sentence):
    with pytest.raises(InputError, match=sentence) as caught:
        load_scores(path)
    message = str(caught.value)
    assert "\n" not in message
    assert path.name in message


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_saved_matrix_comes_back(tmp_path, higher, dtype):
    matrix = ScoreMatrix(SCORES.astype(dtype), LABELS, higher)
    save_scores(matrix, tmp_path / "new" / "scores.npz")
    back = load_scores(str(tmp_path / "new" / "scores.npz"))
    assert back.scores.dtype == dtype
    np.testing.assert_array_equal(back.scores, matrix.scores)
    np.testing.assert_array_equal(back.labels, LABELS)
    assert back.higher_is_better is higher


def test_saved_bytes_are_the_same_and_not_compressed(tmp_path, monkeypatch):
    matrix = simulated(10, 3)
    save_scores(matrix, tmp_path / "a.npz", provenance="commit 1")
    monkeypatch.setattr("time.time", lambda: 2e9)
    save_scores(matrix, tmp_path / "b.npz", provenance="commit 1")
    digests = {hashlib.sha256(path.read_bytes()).digest() for path in tmp_path.iterdir()}
    assert len(digests) == 1
    with np.load(tmp_path / "a.npz") as archive:
        assert str(archive["provenance"]) == "commit 1"
    with zipfile.ZipFile(tmp_path / "a.npz") as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


def test_save_elsewhere_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"scores.csv must end in .npz"):
        save_scores(simulated(5, 1), tmp_path / "scores.csv")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        save_scores(simulated(5, 1), tmp_path / "file" / "scores.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("stored", "argument", "expected"),
    [
        (None, None, True),
        (None, False, False),
        (False, None, False),
        (True, False, False),
        (np.array([False]), None, False),
        ("no", False, False),
    ],
)
def test_orientation_of_npz(tmp_path, stored, argument, expected):
    arrays = {} if stored is None else {"higher_is_better": stored}
    path = npz(tmp_path / "s.npz", scores=SCORES, labels=LABELS, **arrays)
    assert load_scores(path, argument).higher_is_better is expected


@pytest.mark.parametrize("argument", [None, True, False])
def test_orientation_of_folder_and_csv(tmp_path, argument):
    made = load_scores(folder(tmp_path / "f"), argument)
    assert made.higher_is_better is bool(argument)
    csv = text(tmp_path / "s.csv", "label,a,b,c\na,1,2,3\n")
    assert load_scores(csv, argument).higher_is_better is (argument is not False)


def test_compressed_whole_number_and_upper_case_npz(tmp_path):
    np.savez_compressed(
        tmp_path / "S.npz", scores=np.eye(3, dtype=int), labels=np.arange(3, dtype="u1")
    )
    os.replace(tmp_path / "S.npz", tmp_path / "S.NPZ")
    matrix = load_scores(tmp_path / "S.NPZ")
    np.testing.assert_array_equal(matrix.scores, np.eye(3))
    np.testing.assert_array_equal(matrix.labels, [0, 1, 2])


def test_folder_is_memory_mapped(tmp_path):
    matrix = load_scores(folder(tmp_path / "f"))
    assert isinstance(matrix.scores, np.memmap)
    assert matrix.scores.mode == "r"
    np.testing.assert_array_equal(matrix.scores, SCORES)
    np.testing.assert_array_equal(matrix.labels, LABELS)


def test_csv_class_names_are_texts(tmp_path):
    path = text(
        tmp_path / "s.csv", 'label,10,2,"Smith, J."\n2,1.5,-2,1e-3\n"Smith, J.",0,.5,7\n10,1,2,3\n'
    )
    matrix = load_scores(path)
    np.testing.assert_array_equal(matrix.scores, [[1.5, -2, 1e-3], [0, 0.5, 7], [1, 2, 3]])
    np.testing.assert_array_equal(matrix.labels, [1, 2, 0])
    assert matrix.classes.tolist() == ["10", "2", "Smith, J."]


def test_names_of_the_columns_are_kept(tmp_path):
    names = np.array(["dan", "ann", "cat"])
    for labels in (names[LABELS], LABELS):
        path = npz(tmp_path / "s.npz", scores=SCORES, labels=labels, classes=names)
        matrix = load_scores(path)
        np.testing.assert_array_equal(matrix.labels, LABELS)
        assert matrix.classes.tolist() == names.tolist()
    save_scores(matrix, tmp_path / "t.npz")
    np.testing.assert_array_equal(load_scores(tmp_path / "t.npz").labels, LABELS)


@pytest.mark.parametrize(
    "content",
    [
        "label,a,b,c\r\nb,1,2,3\r\n",
        "\ufefflabel,a,b,c\nb,1,2,3",
        "label , a, b ,c\n\n b ,1, 2 ,3\n\n",
        "label;a;b;c\nb;1;2;3\n",
        "\ufefflabel;a;b;c\r\nb;1,0;2,000;3\r\n",
        "label\ta\tb\tc\nb\t1,0\t2,0\t3,0\n\n",
        "label a b c\nb 1 2   3\n",
    ],
)
def test_csv_as_other_programs_write_it(tmp_path, content):
    for name in ("s.csv", "s.tsv", "s.txt"):
        matrix = load_scores(text(tmp_path / name, content))
        np.testing.assert_array_equal(matrix.scores, [[1, 2, 3]])
        np.testing.assert_array_equal(matrix.labels, [1])


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values=st.lists(st.floats(-1e99, 1e99), min_size=3, max_size=3))
def test_csv_numbers_are_read_to_the_last_bit(tmp_path, values):
    path = text(tmp_path / "s.csv", f"label,a,b,c,d\na,{','.join(map(repr, [*values, 1e100]))}\n")
    np.testing.assert_array_equal(load_scores(path).scores[0, :3], values)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("", "empty"),
        ("label,a,b,c\n", "no rows"),
        ("name,a,b,c\na,1,2,3\n", "label,<class name>"),
        ("-0.5,2,3,7\n-0.4,1,2,3\n", "it is '-0.5,2,3,7'"),
        ("label,a,b, a\na,1,2,3\n", "has two columns 'a': each needs a name of its own"),
        ("label,a,b,c\na,1,2,3\nb,1,,3\n", "line 3: b is empty"),
        ("label,a,b,c\n,1,2,3\n", "the label in row 0 is ''"),
        ("label,a,b,c\na,1,2,nan\n", "line 2: c is 'nan'"),
        ("label,a,b,c\nd,1,2,3\n", "the label in row 0 is 'd'"),
        ("label,1,2,3\n1.0,1,2,3\n", "'1.0'"),
        ("label,é,b,c\né,1,2,3\n".encode("utf-16"), "UTF-8"),
        (np.random.default_rng(0).bytes(5000), "s.csv"),
    ],
)
def test_bad_csv(tmp_path, content, word):
    path = tmp_path / "s.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    refused(path, word)


def test_what_is_not_there(tmp_path):
    refused(tmp_path / "none.npz", "there is no file")
    refused(text(tmp_path / "s.txt", "x"), "by its name")
    np.save(tmp_path / "s.npy", SCORES)
    refused(tmp_path / "s.npy", r"np.savez\('faces.npz', embeddings=np.load\('s.npy'\)")
    refused(tmp_path / ("x" * 300 + ".npz"), "cannot be read")


GOOD = {"scores": SCORES, "labels": LABELS, "higher_is_better": True}


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"scores": None}, "no array 'scores': it has labels"),
        ({"labels": None}, "no array 'labels'"),
        ({"scores": SCORES.astype(object)}, "Python objects"),
        ({"labels": LABELS.astype(str).astype(object)}, r"astype\(str\)"),
        ({"scores": None, "arr_0": SCORES}, "--embeddings-key"),
        ({"scores": None, "embeddings": SCORES}, "score_embeddings"),
        ({"scores": None, "distmat": SCORES}, "convert of .* load_searches in Python"),
        ({"higher_is_better": "False"}, "true or false"),
        ({"higher_is_better": np.array([True, False])}, "true or false"),
    ],
)
def test_bad_arrays(tmp_path, changed, word):
    arrays = {name: array for name, array in (GOOD | changed).items() if array is not None}
    refused(npz(tmp_path / "s.npz", **arrays), word)


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        *(
            (name, None, f"no file or folder .*{name}")
            for name in ("scores.npy", "labels.npy", "meta.json")
        ),
        *((name, b"", f"{name} is empty") for name in ("scores.npy", "labels.npy", "meta.json")),
        *((name, b"not numpy", f"{name} cannot be read") for name in ("scores.npy", "labels.npy")),
        *((name, b"\x93NUMPY\x01\x00", f"{name} cannot") for name in ("scores.npy", "labels.npy")),
        ("meta.json", b"{", "meta.json cannot be read"),
        ("meta.json", b"\xff", "UTF-8"),
        *(("meta.json", meta, "must say") for meta in (b"[]", b"3", b"{}", b'{"higher": true}')),
        ("meta.json", b'{"higher_is_better": 1}', "true or false"),
        ("meta.json", b'{"higher_is_better": "yes"}', "true or false"),
    ],
)
def test_bad_folders(tmp_path, name, content, word):
    path = folder(tmp_path / "f")
    (path / name).unlink()
    if content is not None:
        (path / name).write_bytes(content)
    refused(path, word)


def test_what_stays_is_not_saved(tmp_path):
    matrix = simulated(12, 1)
    for sample in (matrix.grouped(np.arange(12) // 2), matrix.setting_aside([0], [3])):
        with pytest.raises(InputError, match="which rivals stay"):
            save_scores(sample, tmp_path / "scores.npz")
