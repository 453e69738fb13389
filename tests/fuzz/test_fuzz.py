"""Damaged files: one sentence or a right answer, never a traceback."""

import random

import numpy as np
import pandas as pd
import pytest

from accuracy_curves import curve_of_neighbours, load_scores, load_searches, read_curve, save_scores
from accuracy_curves.exceptions import InputError
from accuracy_curves.utils.files import load_arrays
from conftest import simulated
from experiments.datasets import make_dataset

CASES = 60


def mutated(whole, chance):
    """Flip, drop, repeat or insert bytes, or cut the end: one to four times."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        length = chance.choice([1, 1, 1, 4, 64])
        match chance.randrange(5):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + length]
            case 2:
                data[at:at] = data[at : at + length]
            case 3:
                data[at:at] = chance.randbytes(length)
            case _:
                del data[at:]
    return bytes(data)


def sentence(call, *arguments):
    """Return what a call returns and, where it refuses its input, the one sentence it says."""
    try:
        return call(*arguments), ""
    except InputError as error:
        said = str(error)
    assert said
    assert said.isprintable()
    return None, said


READ = {
    "scores.npz": load_scores,
    "scores.csv": load_scores,
    "embeddings.npz": lambda path: make_dataset("embeddings", path=path).score_matrix(0),
    "long.csv": load_searches,
    "long.tsv.gz": load_searches,
    "long.parquet": load_searches,
    "trials.csv": load_searches,
    "distmat.npz": load_searches,
    "curve.csv": read_curve,
    "neighbours.npz": lambda path: curve_of_neighbours(
        *load_arrays(path, "distances", "indices", "query_ids", "gallery_ids")
    ),
}
CHECKED = ("scores.npz",)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A small file of each kind, in a folder."""
    folder = tmp_path_factory.mktemp("whole")
    rng = np.random.default_rng(0)
    matrix = simulated(6, 3, d=2, variance=0.3, seed=4)
    save_scores(matrix, folder / "scores.npz")
    frame = pd.DataFrame(matrix.scores, columns=[f"c{j}" for j in range(6)])
    frame.insert(0, "label", [f"c{label}" for label in matrix.labels])
    frame.to_csv(folder / "scores.csv", index=False)
    scores, own = rng.normal(size=(12, 4)).round(6), np.arange(12) % 5
    people = np.array([f"person {i % 4}" for i in range(12)])
    np.savez(folder / "embeddings.npz", embeddings=rng.normal(size=(12, 5)), labels=people)
    table = pd.DataFrame(
        {
            "identity": np.tile(list("abcd"), 12),
            "probe_identity": np.repeat(np.array(list("abcde"))[own], 4),
            "probe": np.repeat([f"q{i}" for i in range(12)], 4),
            "score": scores.ravel(),
        }
    )
    table.to_csv(folder / "long.csv", index=False)
    table.to_csv(folder / "long.tsv.gz", index=False, sep="\t")
    table.to_parquet(folder / "long.parquet")
    mates = pd.DataFrame({"score": scores.ravel(), "mate": np.arange(48) % 3 == 0})
    mates.to_csv(folder / "trials.csv", index=False)
    np.savez(folder / "distmat.npz", distmat=scores, query_ids=own, gallery_ids=[0, 1, 2, 2])
    (folder / "curve.csv").write_text("k,accuracy,counts\n2,.99,60\n9,.9,60\n20,.85,60\n50,.8,60\n")
    apart = rng.random((8, 10))
    lists = {"distances": np.sort(apart)[:, :6], "indices": np.argsort(apart)[:, :6]}
    np.savez(folder / "neighbours.npz", query_ids=np.arange(8), gallery_ids=np.arange(10), **lists)
    return folder


@pytest.mark.parametrize("name", READ)
def test_damaged_files(name, whole, tmp_path):
    content, path, refused = (whole / name).read_bytes(), tmp_path / name, 0
    expected, refusal = sentence(READ[name], whole / name)
    assert not refusal
    for case in range(CASES):
        path.write_bytes(mutated(content, random.Random(case)))
        found, refusal = sentence(READ[name], path)
        assert not refusal or str(path) in refusal
        refused += bool(refusal)
        if found is not None and name in CHECKED:  # Members of an npz file have checksums.
            np.testing.assert_array_equal(found.scores, expected.scores, err_msg=str(case))
    assert refused > CASES / 5
