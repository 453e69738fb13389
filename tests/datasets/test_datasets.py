import subprocess
import sys

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from accuracy_curves.scores.embeddings import GalleryRule, gallery_distances
from accuracy_curves.scores.formats.scores import save_scores
from accuracy_curves.scores.score_matrix import ScoreMatrix
from experiments.datasets import DATASETS, make_dataset
from experiments.datasets.classifiers import CLASSIFIERS
from ranges import assert_ranges_are_checked


def test_every_kind_is_found():
    assert len(DATASETS) > 10
    for kind, dataset in DATASETS.items():
        assert dataset.kind == kind


@pytest.mark.parametrize(
    "kind",
    [*CLASSIFIERS.values(), *(DATASETS[name] for name in ("simulation", "glyphs", "glyph_images"))],
)
def test_every_range_of_what_needs_no_file_is_checked(kind):
    assert_ranges_are_checked(kind)


def test_import_stays_light():
    code = (
        "import sys, experiments.datasets; "
        "print([m for m in ('sklearn', 'matplotlib', 'tensorflow', 'rpy2') "
        "if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


# Files


@pytest.fixture
def embeddings_file(tmp_path):
    rng = np.random.default_rng(0)
    arrays = {
        "embeddings": rng.normal(size=(24, 5)).astype(np.float32),
        "person": np.repeat(np.array([f"p{i}" for i in range(8)]), 3),
    }
    np.savez(tmp_path / "faces.npz", **arrays)
    return tmp_path / "faces.npz", arrays


def test_scores_file_in_the_data_folder(tmp_path):
    matrix = ScoreMatrix(np.arange(12.0, dtype=np.float32).reshape(3, 4), np.array([0, 1, 3]))
    save_scores(matrix, tmp_path / "mine.npz")
    dataset = make_dataset("scores", data_dir=tmp_path, path="mine.npz")
    assert dataset.files() == (tmp_path / "mine.npz",)
    loaded = dataset.score_matrix(0)
    np.testing.assert_array_equal(loaded.scores, matrix.scores)
    np.testing.assert_array_equal(loaded.labels, matrix.labels)
    assert loaded.higher_is_better


def test_embeddings_file_is_scored_by_its_gallery_rule(embeddings_file):
    path, arrays = embeddings_file
    options = {"gallery": "centroid", "gallery_photos": 2, "metric": "cosine"}
    dataset = make_dataset("embeddings", path=str(path), labels_key="person", **options)
    assert dataset.files() == (path,)
    expected = gallery_distances(
        arrays["embeddings"], arrays["person"], GalleryRule(**options), 4
    ).stored()
    np.testing.assert_array_equal(dataset.score_matrix(4).scores, expected.scores)


def drawings(classes, seed):
    rng = np.random.default_rng(seed)
    return rng.random((classes, 4, 6, 6)) < 0.2


@pytest.mark.parametrize("inverted", [False, True])
def test_omniglot_equals_brute_force_whatever_the_ink(tmp_path, inverted):
    first, second = drawings(3, 0), drawings(2, 1)
    np.savez(tmp_path / "a.npz", images=first)
    np.savez(tmp_path / "b.npz", images=~second if inverted else second)
    dataset = make_dataset(
        "omniglot", data_dir=tmp_path, paths=["a.npz", "b.npz"], scale=3, pca=None, gallery="first"
    )
    assert dataset.files() == (tmp_path / "a.npz", tmp_path / "b.npz")
    matrix = dataset.score_matrix(0)
    images = np.concatenate([first, second])
    small = np.empty((5, 4, 2, 2))
    for row in range(2):
        for column in range(2):
            tile = images[:, :, 3 * row : 3 * row + 3, 3 * column : 3 * column + 3]
            small[:, :, row, column] = tile.sum(axis=(2, 3)) / 9
    small = small.reshape(5, 4, 4)
    expected = np.linalg.norm(small[:, 1:].reshape(15, 1, 4) - small[:, 0], axis=2)
    np.testing.assert_allclose(matrix.scores, expected, atol=1e-6)
    np.testing.assert_array_equal(matrix.labels, np.repeat(np.arange(5), 3))


def test_bad_omniglot_files(tmp_path):
    np.savez(tmp_path / "a.npz", images=drawings(3, 0))
    np.savez(tmp_path / "grey.npz", images=drawings(3, 0).astype(float))
    with pytest.raises(InputError, match="scale is 4: it must divide the images' size, 6 x 6"):
        make_dataset("omniglot", paths=[tmp_path / "a.npz"], scale=4).score_matrix(0)
    with pytest.raises(InputError, match="images must be bool"):
        make_dataset("omniglot", paths=tmp_path / "grey.npz").score_matrix(0)


# Options


@pytest.mark.parametrize(
    ("kind", "options", "sentence"),
    [
        ("faces", {}, "no kind of data set is called 'faces': there are cifar100, embeddings"),
        ("simulation", {"d": 5}, "simulation takes classes, points, dimension.* argument 'd'"),
        ("simulation", {"classes": "cauchy"}, "classes is 'cauchy': it must be one of normal"),
        ("simulation", {"dimension": 0}, "dimension is 0: it must be a whole number of at least 1"),
        ("embeddings", {}, "embeddings takes .* required argument: 'path'"),
        ("embeddings", {"path": 3}, "embeddings cannot be made: .* not '?int"),
        ("scores", {"path": "x", "higher_is_better": "yes"}, "higher_is_better is 'yes'"),
    ],
)
def test_bad_options(kind, options, sentence, tmp_path):
    with pytest.raises(InputError, match=sentence) as error:
        make_dataset(kind, data_dir=tmp_path / "nowhere", **options)
    assert "\n" not in str(error.value)
