import tracemalloc

import numpy as np
import pytest

from accuracy_curves import ScoreMatrix, load_scores, save_scores
from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.distance_matrix import load_matrix
from accuracy_curves.scores.mapped_scores import save_record
from conftest import simulated
from experiments.evaluation.class_draw import class_draw_noise
from experiments.evaluation.subsampling import observe, predict, true_curve


def written(folder, matrix):
    folder.mkdir()
    np.save(folder / "scores.npy", matrix.scores)
    np.save(folder / "labels.npy", matrix.labels)
    (folder / "meta.json").write_text('{"higher_is_better": true}')
    return folder


@pytest.fixture
def recorded(tmp_path):
    """Distances in a folder that says the opposite, and their record."""
    folder = written(tmp_path / "mine", simulated(30, 3))
    save_record(load_scores(folder, False), folder, tmp_path / "one.npz", provenance="here")
    return tmp_path / "one.npz", folder


def test_a_record_stands_for_the_matrix(recorded):
    path, folder = recorded
    matrix = load_matrix(path)
    assert isinstance(matrix.scores, np.memmap)
    assert not matrix.higher_is_better
    save_scores(load_scores(folder, False), path.with_name("two.npz"))
    copy = load_matrix(path.with_name("two.npz"))
    for made in (
        lambda m: true_curve(m, 30, 0),
        lambda m: observe(m, 10, range(2), (1, "here")),
        lambda m: predict(m, 10, 30, range(2), (1, "here"), "gaussian_tail", {}),
    ):
        np.testing.assert_array_equal(made(matrix).accuracy, made(copy).accuracy)
    with np.load(path) as archive:
        assert str(archive["provenance"]) == "here"


def test_a_relative_folder_is_that_of_the_working_directory(recorded, monkeypatch):
    _, folder = recorded
    monkeypatch.chdir(folder.parent)
    save_record(load_scores("mine"), "mine", "two.npz")
    assert load_matrix("two.npz").n_classes == 30
    monkeypatch.chdir(folder)
    with pytest.raises(InputError, match="there is no file or folder mine"):
        load_matrix("../two.npz")


def test_jobs_need_little_memory(tmp_path):
    n_classes, points = 3000, 3
    labels = np.repeat(np.arange(n_classes), points)
    folder = written(tmp_path / "mine", ScoreMatrix(np.eye(3), np.arange(3)))
    np.save(folder / "labels.npy", labels)
    shape = (len(labels), n_classes)
    scores = np.lib.format.open_memmap(folder / "scores.npy", "w+", np.float32, shape)
    rng = np.random.default_rng(0)
    for rows in np.array_split(np.arange(len(labels)), 20):
        scores[rows] = rng.standard_normal((len(rows), n_classes), dtype=np.float32)
    scores[np.arange(len(labels)), labels] += 3
    size = scores.nbytes
    del scores
    k1, k2, names = 300, n_classes, (1, "here")
    tracemalloc.start()
    try:
        save_record(load_scores(folder), folder, tmp_path / "one.npz")
        found = true_curve(load_matrix(tmp_path / "one.npz"), k2, 0)
        observe(load_matrix(tmp_path / "one.npz"), k1, range(2), names)
        predict(load_matrix(tmp_path / "one.npz"), k1, k2, [0], names, "empirical_bayes", {})
        class_draw_noise(load_matrix(tmp_path / "one.npz"), k1, k2, range(2), names)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert found["accuracy"].iloc[0] > 0.9
    assert size > 100e6
    assert peak < size / 4
    assert (tmp_path / "one.npz").stat().st_size < 10_000
