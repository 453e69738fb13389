"""Damaged and random input: one sentence or a right answer, never a traceback.

A few thousand cases in the fast suite; `make test-slow` tries 36,000 and counts them.
"""

import io
import random
import zipfile

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from accuracy_curves import curve_of_neighbours, load_searches, read_curve
from accuracy_curves.cli.inputs import load_input, read_groups
from accuracy_curves.cli.main import main
from accuracy_curves.observed.accuracy import average_accuracy
from accuracy_curves.scores.score_files import load_scores, save_scores
from accuracy_curves.scores.score_matrix import ScoreMatrix
from accuracy_curves.utils.npz import load_arrays
from cifar_files import python2_pickle
from conftest import ROOT, shared_data, simulated
from experiments.datasets import make_dataset
from experiments.datasets.lfw import _read_photo
from experiments.datasets.readers.pickles import read_pickled_arrays
from mutation import flipped, how_many, mutated, repacked, sentence
from tried import TRIED

TINY = yaml.safe_load((ROOT / "tests/workflow/presets/tiny.yaml").read_text())
ODD = [None, True, -1, 0, 1e308, float("nan"), float("inf"), "", "x", "é\0", [], {}, [[]], 10**30]
ODD += ["../x", "/etc/passwd", "!!python/object:os.system", "${HOME}", "{wildcards.name}"]


@pytest.fixture(scope="module")
def made():
    return simulated(6, 3, d=2, variance=0.3, seed=4)


@pytest.fixture(params=["made", "real"])
def matrix(request, made):
    """A simulated matrix, and a part of a real one."""
    if request.param == "made":
        return made
    real = load_scores(shared_data("telugu_scores_deepslim_20.npz"))
    return ScoreMatrix(real.scores[:40], real.labels[:40], real.higher_is_better)


@how_many(1300)
def test_mutated_npz_files(cases, matrix, tmp_path, request):
    save_scores(matrix, tmp_path / "whole.npz")
    whole = (tmp_path / "whole.npz").read_bytes()
    path, seen = tmp_path / "mutated.npz", TRIED[f"npz files, damaged ({named(request)})"]
    for case in range(cases):
        path.write_bytes(mutated(whole, random.Random(case)))
        loaded, refusal = sentence(load_scores, path)
        if refusal:
            seen["refused"] += 1
            continue
        # The archive's own checksums leave only what does not matter, such as its dates.
        np.testing.assert_array_equal(loaded.scores, matrix.scores, err_msg=str(case))
        np.testing.assert_array_equal(loaded.labels, matrix.labels, err_msg=str(case))
        seen["unharmed"] += 1
    assert seen["refused"] > cases / 2


@how_many(1300)
def test_mutated_csv_files(cases, matrix, tmp_path, request):
    lines = [",".join(["label", *(f"c{j}" for j in range(matrix.n_classes))])]
    for label, row in zip(matrix.labels, matrix.scores, strict=True):
        lines.append(",".join([f"c{label}", *(f"{score:.6g}" for score in row)]))
    whole = ("\n".join(lines) + "\n").encode()
    path, seen = tmp_path / "mutated.csv", TRIED[f"CSV files, damaged ({named(request)})"]
    for case in range(cases):
        path.write_bytes(mutated(whole, random.Random(case)))
        loaded, refusal = sentence(load_scores, path)
        if refusal:
            seen["refused"] += 1
            continue
        as_its_text_says(loaded, path.read_text("utf-8-sig"), case)
        seen["read as its text says"] += 1
    assert seen["refused"] > cases / 5


def as_its_text_says(loaded, text, case):
    """A CSV has no checksum: what was read must be what stands there."""
    rows = [line.split(",") for line in text.split("\n")[1:]]
    rows = [row for row in rows if row != [""]]
    if not any('"' in field or "\r" in field for row in rows for field in row):
        said = np.array([[float(field) for field in row[1:]] for row in rows])
        np.testing.assert_array_equal(loaded.scores, said, err_msg=str(case))


@pytest.fixture(scope="module")
def members():
    """What data sets and commands take, beside scores: arrays by the file's kind."""
    rng = np.random.default_rng(3)
    people = np.array([f"person {i % 4}" for i in range(12)])
    arrays = {
        "embeddings": {"embeddings": rng.normal(size=(12, 5)).astype("f4"), "labels": people},
        "drawings": {"images": rng.random((4, 4, 6, 6)) < 0.3},
        "images": {"images": rng.integers(256, size=(40, 6, 6), dtype="u1")},
        "groups": {
            "scores": rng.normal(size=(12, 4)),
            "groups": np.array(["a", "b", "a", "b"]),
        },
    }
    arrays["images"]["labels"] = np.arange(40) % 4
    arrays["groups"]["labels"] = np.arange(12) % 4

    def packed(array):
        stream = io.BytesIO()
        np.save(stream, array)
        return stream.getvalue()

    return {
        kind: {f"{name}.npy": packed(array) for name, array in named.items()}
        for kind, named in arrays.items()
    }


READ = {
    "embeddings": lambda path: make_dataset("embeddings", path=path).score_matrix(0),
    "drawings": lambda path: make_dataset("omniglot", paths=[path], scale=3, pca=None).score_matrix(
        0
    ),
    "images": lambda path: make_dataset(
        "images", path=path, n_classes=4, test_per_class=2
    ).class_images(0, np.arange(4)),
    "groups": load_input,
}


@how_many(1000)
@pytest.mark.parametrize("kind", READ)
def test_arrays_of_data_sets_and_commands(cases, kind, members, tmp_path):
    path, seen = tmp_path / "x.npz", TRIED[f"{kind} whose arrays are damaged"]
    for case in range(cases):
        repacked(path, members[kind], random.Random(case))
        _, refusal = sentence(READ[kind], path)
        assert not refusal or str(path) in refusal
        seen["refused" if refusal else "read"] += 1
    assert seen["refused"] > cases / 4


@how_many(500)
@pytest.mark.parametrize("how", ["pickle", "groups"])
def test_pickles_and_groups(cases, how, tmp_path):
    path, seen = tmp_path / "x.csv", TRIED[f"files of {how}, damaged"]
    if how == "pickle":
        path.write_bytes(python2_pickle({"data": np.arange(24), "labels": [1, 2], "name": "n"}))
    else:
        path.write_text("class,group\na,1\nb,2\nc,1\n")
    whole = path.read_bytes()
    for case in range(cases):
        chance = random.Random(case)
        path.write_bytes((flipped if case % 2 else mutated)(whole, chance))
        if how == "pickle":
            _, refusal = sentence(read_pickled_arrays, path)
        else:
            _, refusal = sentence(read_groups, path, ["a", "b", "c"])
        seen["refused" if refusal else "read"] += 1
    assert seen["refused"] > cases / 8


FOREIGN = {
    "long.csv": load_searches,
    "long.tsv.gz": load_searches,
    "long.parquet": load_searches,
    "trials.csv": load_searches,
    "curve.csv": read_curve,
    "distmat.npz": load_searches,
    "neighbours.npz": lambda path: curve_of_neighbours(
        *load_arrays(path, "distances", "indices", "query_ids", "gallery_ids")
    ),
    "photo.jpg": _read_photo,
}


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """Files of other tools, small and whole, in a folder."""
    folder = tmp_path_factory.mktemp("foreign")
    rng = np.random.default_rng(0)
    scores, own = rng.normal(size=(12, 4)).round(6), np.arange(12) % 5
    mates = own[:, None] == np.arange(4)
    table = pd.DataFrame(
        {
            "identity": np.tile(list("abcd"), 12),
            "own": np.repeat(np.array(list("abcde"))[own], 4),
            "probe": np.repeat([f"q{i}" for i in range(12)], 4),
            "score": scores.ravel(),
            "mate": mates.ravel(),
        }
    )
    long = table.drop(columns="mate").rename(columns={"own": "probe_identity"})
    long.to_csv(folder / "long.csv", index=False)
    long.to_csv(folder / "long.tsv.gz", index=False, sep="\t")
    long.to_parquet(folder / "long.parquet")
    table[["score", "mate"]].to_csv(folder / "trials.csv", index=False)
    (folder / "curve.csv").write_text("k,accuracy,counts\n2,.99,60\n9,.9,60\n20,.85,60\n50,.8,60\n")
    np.savez(folder / "distmat.npz", distmat=scores, query_ids=own, gallery_ids=[0, 1, 2, 2])
    apart = rng.random((8, 10))
    near = np.argsort(apart)[:, :6]
    np.savez(
        folder / "neighbours.npz",
        distances=np.sort(apart)[:, :6],
        indices=near,
        query_ids=np.arange(8),
        gallery_ids=np.arange(10),
    )
    photo = rng.integers(256, size=(40, 40, 3), dtype="u1")
    Image.fromarray(photo).save(folder / "photo.jpg")
    return folder


@how_many(1000)
@pytest.mark.parametrize("name", FOREIGN)
def test_files_of_other_tools(cases, name, foreign, tmp_path):
    path, seen = tmp_path / name, TRIED[f"{name}, damaged"]
    whole = (foreign / name).read_bytes()
    _, refusal = sentence(FOREIGN[name], foreign / name)
    assert not refusal
    members = {}
    if name.endswith(".npz"):
        with zipfile.ZipFile(foreign / name) as archive:
            members = {each: archive.read(each) for each in archive.namelist()}
    for case in range(cases):
        chance = random.Random(case)
        if members:
            repacked(path, members, chance)
        else:
            path.write_bytes((flipped if case % 2 else mutated)(whole, chance))
        _, refusal = sentence(FOREIGN[name], path)
        seen["refused" if refusal else "read"] += 1
    assert seen["refused"] > cases / 4


@how_many(1000)
def test_mutated_folders(cases, made, tmp_path):
    folder = tmp_path / "scores"
    folder.mkdir()
    np.save(folder / "scores.npy", made.scores)
    np.save(folder / "labels.npy", made.labels)
    (folder / "meta.json").write_text('{"higher_is_better": true}')
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}
    seen = TRIED["folders of arrays, damaged"]
    for case in range(cases):
        chance = random.Random(case)
        name = chance.choice(sorted(whole))
        (folder / name).write_bytes(mutated(whole[name], chance))
        loaded, refusal = sentence(load_scores, folder)
        if refusal:
            seen["refused"] += 1
        else:  # Arrays have no checksum either: a row a label, and the numbers of the file's end.
            assert loaded.scores.shape[0] == len(loaded.labels)
            assert (folder / "scores.npy").read_bytes().count(loaded.scores.tobytes("A"))
            assert np.isfinite(loaded.scores).all()
            seen["read as its bytes say"] += 1
        del loaded
        (folder / name).write_bytes(whole[name])
    assert seen["refused"] > cases / 4


@how_many(500)
def test_random_csv_text(cases, tmp_path):
    path, seen = tmp_path / "random.csv", TRIED["CSV text by hypothesis"]
    odd = st.sampled_from(["", "a", "1", "nan", '"', " 3", "é", "0x1", "1_0", "inf", "1,2", "c"])
    number = st.floats(-9, 9).map(repr) | st.sampled_from(["1", "-2.5", "1e9"])
    point = st.tuples(st.sampled_from("abc"), number, number, number).map(list)
    points = st.lists(point, min_size=1, max_size=5)
    # None: a whole file. Otherwise a cell of a row is replaced by an odd one.
    damage = st.none() | st.tuples(st.integers(0, 4), st.integers(0, 3), odd)
    head = st.sampled_from(
        [*["label,a,b,c"] * 6, "label,a,b", "label,a,a,c", "a,b,c", "", "\ufeff"]
    )

    @settings(max_examples=cases, database=None)
    @given(head, points, damage, st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    def each(first, rows, damage, end):
        if damage is not None:
            rows[damage[0] % len(rows)][damage[1]] = damage[2]
        text = end.join([first, *map(",".join, rows)])
        path.write_bytes(text.encode())
        loaded, refusal = sentence(load_scores, path)
        if not refusal and end == "\n":
            as_its_text_says(loaded, text.removeprefix("\ufeff"), text)
        seen["refused" if refusal else "read as its text says"] += 1

    each()


def named(request):
    return "a simulated matrix" if "made" in request.node.name else "a real matrix"


def places(value, path=()):
    """Paths to every part of a nested configuration."""
    yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*path, key))


@how_many(2000)
def test_odd_command_lines(cases, made, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_scores(made, "scores.npz")
    words = ["predict", "observe", "no.npz", "--classes", "-5", "1e3", "--method", "oracle"]
    words += ["--option", "kde.bandwidth=x", "kde.x=1", "kde", "--seed", "-1", "--out", "--no"]
    words += ["", "\N{SNOWMAN}", "--lower-is-better", "=", "--", ".", "/dev/null", "two"]
    good = ["observe", "scores.npz", "--out", "out", "--seed", "3"]
    expected = average_accuracy(made, np.arange(2, made.n_classes + 1))
    seen = TRIED["command lines"]
    for case in range(cases):
        chance = random.Random(case)
        line = chance.choices(words, k=chance.randint(1, 7))
        if chance.random() < 0.05:
            line = [*good]
            match chance.randrange(4):
                case 0:
                    line.insert(chance.randrange(len(line)), chance.choice(words))
                case 1:
                    line[chance.randrange(len(line))] = chance.choice(words)
                case 2:
                    del line[chance.randrange(len(line))]
                case _:
                    pass
        with pytest.raises(SystemExit) as left:
            main(line)
        said = capsys.readouterr()
        assert left.value.code in (0, 2), line
        assert "Traceback" not in said.out + said.err
        if left.value.code == 2:
            assert said.err.startswith("Error: "), line
            assert said.err.count("\n") == 1, line
            seen["refused"] += 1
            continue
        answers = list(tmp_path.rglob("observed.csv"))
        for path in answers:
            curve = pd.read_csv(path)
            assert np.allclose(curve["accuracy"], expected[: len(curve)]), line
            path.unlink()
        seen["answered" if answers else "help"] += 1
    assert seen["refused"] > cases / 2
