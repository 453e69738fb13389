import hashlib
from pathlib import Path

import numpy as np
import pytest
import yaml

from experiments.datasets import make_dataset
from experiments.datasets.downloads import sources
from experiments.datasets.downloads.fetching import fetch_source
from experiments.datasets.downloads.sources import all_sources, sources_of
from misbehaving import misbehaving_server
from omniglot_files import write_omniglot

RNG = np.random.default_rng(8)


def csv_of_r(scores):
    """As R's write.csv without row names writes a matrix."""
    head = ",".join(f'"V{j + 1}"' for j in range(scores.shape[1]))
    return "\n".join([head, *(",".join(map(repr, row)) for row in scores.tolist())]) + "\n"


@pytest.fixture
def server(tmp_path, monkeypatch):
    """The table of sources, whose addresses are those of a server on this machine."""
    with misbehaving_server() as running:

        def publish(data_set, **content):
            entry = {"title": data_set, "urls": [running.url("file/{file}")], "files": {}}
            for file, text in content.items():
                data = text if isinstance(text, bytes) else text.encode()
                known = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
                entry["files"][file] = known
                running.files[file] = data
            (tmp_path / "table.yaml").write_text(yaml.safe_dump({data_set: entry}))
            monkeypatch.setenv(sources.OTHER_TABLE, str(tmp_path / "table.yaml"))
            all_sources.cache_clear()
            return running

        yield publish
    all_sources.cache_clear()


def test_each_is_made_from_files_of_the_table_under_a_pinned_commit():
    table = yaml.safe_load(Path(sources.__file__).with_name("sources.yaml").read_text())
    for made in sources_of("converted"):
        for name in made.made[1:]:
            source = all_sources()[name]
            assert "sha256" in source.checksums
            commit = table[source.data_set]["version"].split()[1]
            assert all(f"/{commit}" in url for url in source.urls)


def test_a_square_matrix_of_r(server, tmp_path):
    scores = RNG.normal(size=(5, 5)).astype(np.float32)
    running = server("hcp_fingerprints", **{"FL_GSR_cor.csv": csv_of_r(scores)})
    path = fetch_source("converted/hcp_fingerprint_scores.npz", tmp_path / "data")
    matrix = make_dataset("scores", path=path).score_matrix(0)
    np.testing.assert_array_equal(matrix.scores, scores)
    assert matrix.labels.tolist() == list(range(5))
    assert matrix.higher_is_better
    assert sorted(p.name for p in path.parent.rglob("*.*")) == ["FL_GSR_cor.csv", path.name]
    asked = len(running.asked)
    assert fetch_source(f"converted/{path.name}", path.parent) == path
    assert len(running.asked) == asked


def test_log_probabilities_by_class(server, tmp_path):
    """4 classes with 3 points each: row k, column 3 j + i is point i of class j."""
    logs = -RNG.random((4, 12)).round(4)
    rows = "\n".join(" ".join(f"{x:.4f}" for x in row) for row in logs)
    server("telugu_scores", **{"logistic_992191_100.logprobs": rows})
    path = fetch_source("converted/telugu_scores_logistic_100.npz", tmp_path)
    matrix = make_dataset("scores", path=path).score_matrix(0)
    for j in range(4):
        for i in range(3):
            assert matrix.labels[3 * j + i] == j
            for k in range(4):
                assert matrix.scores[3 * j + i, k] == np.float32(logs[k, 3 * j + i])


@pytest.mark.parametrize(
    ("name", "data_set"),
    [("att_openface.npz", "openface_att"), ("lfw_openface_partial.npz", "openface_lfw")],
)
def test_embeddings_of_openface(server, tmp_path, name, data_set):
    faces = RNG.normal(size=(6, 4)).astype(np.float32)
    reps = "\n".join(",".join(f"{x:.9f}" for x in row) for row in faces)
    labels = "".join(f"{1 + i // 2},aligned/s{i // 2}/{i}.png\n" for i in range(6))
    server(data_set, **{"reps.csv": reps, "labels.csv": labels})
    path = fetch_source(f"converted/{name}", tmp_path)
    with np.load(path) as found:
        np.testing.assert_allclose(found["embeddings"], faces, atol=1e-8)
        assert found["person"].tolist() == [1, 1, 2, 2, 3, 3]
    matrix = make_dataset("embeddings", path=path, labels_key="person").score_matrix(0)
    assert matrix.n_classes == 3


def test_the_last_layer_of_a_network(server, tmp_path):
    layer = RNG.normal(size=(8, 3)).astype(np.float32)
    rows = [",".join(map(repr, [i, *row, i % 4])) for i, row in enumerate(layer.tolist())]
    text = "\n".join([",ct0,ct1,ct2,label", *rows]) + "\n"
    server("cifar100_resnet", **{"ID_cifar100_test.csv": text})
    path = fetch_source("converted/cifar100_resnet.npz", tmp_path)
    with np.load(path) as found:
        np.testing.assert_array_equal(found["embeddings"], layer)
        assert found["labels"].tolist() == [0, 1, 2, 3] * 2


@pytest.mark.parametrize(
    ("name", "file"),
    [("bssr1_face_C.npz", "face-C.csv"), ("bssr1_finger_left.npz", "finger-left.csv")],
)
def test_scores_of_people(server, tmp_path, name, file):
    scores = RNG.integers(0, 247, size=(4, 4)).astype(np.float32)
    people = ["0010B5", "00D5B2", "01E939", "02AAAA"]
    rows = [",".join([who, *map(str, row)]) for who, row in zip(people, scores, strict=True)]
    server("bssr1", **{file: "\n".join([",".join(["", *people]), *rows]) + "\n"})
    matrix = make_dataset("scores", path=fetch_source(f"converted/{name}", tmp_path)).score_matrix(
        0
    )
    np.testing.assert_array_equal(matrix.scores, scores)
    assert matrix.higher_is_better


def test_drawings(server, tmp_path):
    write_omniglot(tmp_path / "images_background.zip", {"Greek": 3, "Latin": 2}, drawings=4)
    whole = (tmp_path / "images_background.zip").read_bytes()
    server("omniglot", **{"images_background.zip": whole})
    path = fetch_source("converted/omniglot_background.npz", tmp_path / "data")
    options = {"pca": None, "scale": 3, "gallery": "first"}
    made = make_dataset("omniglot", paths=[path], **options).score_matrix(0)
    zips = [tmp_path / "images_background.zip"]
    direct = make_dataset("omniglot", paths=zips, **options).score_matrix(0)
    np.testing.assert_array_equal(made.scores, direct.scores)
    assert made.n_classes == 5
