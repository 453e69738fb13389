import logging
import tarfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from accuracy_curves.exceptions import InputError, MissingDependencyError
from experiments.datasets import lfw, make_dataset
from experiments.datasets.embeddings.faces import TEMPLATE, aligned_face, landmark_finder
from experiments.datasets.lfw import drawn_pairs
from face_files import needs_dlib, real_faces, write_faces
from openface_files import write_openface

# Keras 3.15 converts tensors in a way that NumPy 2 warns of.
pytestmark = pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")

POINTS = np.array([[30.0, 40.0], [75.0, 44.0], [50.0, 68.0]])


def test_the_three_points_come_to_the_template():
    photo = np.zeros((100, 100, 3), np.uint8)
    yx = np.mgrid[:100, :100]
    for colour, (x, y) in enumerate(POINTS):
        spot = np.exp(-((yx[1] - x) ** 2 + (yx[0] - y) ** 2) / 18)
        photo[..., colour] = np.rint(255 * spot)
    face = aligned_face(photo, POINTS)
    assert face.shape == (96, 96, 3)
    for colour, (x, y) in enumerate(96 * TEMPLATE):
        weights = face[..., colour].astype(float)
        found = [(weights * axis).sum() / weights.sum() for axis in np.mgrid[:96, :96]]
        np.testing.assert_allclose(found, [y, x], atol=0.1)


def test_the_face_at_the_template_stays_as_it_is():
    photo = np.random.default_rng(0).integers(256, size=(96, 96, 3), dtype=np.uint8)
    np.testing.assert_array_equal(aligned_face(photo, 96 * TEMPLATE), photo)
    shifted = aligned_face(photo, 96 * TEMPLATE + [10, 20])
    np.testing.assert_array_equal(shifted[: 96 - 20, : 96 - 10], photo[20:, 10:])
    assert not shifted[96 - 20 :].any()  # Black where the photo ends.
    assert not shifted[:, 96 - 10 :].any()


@pytest.mark.parametrize("name", ["Grace_Hopper", "Eileen_Collins"])
@pytest.mark.parametrize("angle", [0, 12])
def test_a_real_face_comes_to_the_template(name, angle):
    needs_dlib()
    if name not in real_faces():
        pytest.skip("scikit-image, which ships this photo, is not installed")
    photo = np.asarray(Image.fromarray(real_faces()[name]).rotate(angle, Image.BILINEAR))
    find = landmark_finder()
    points = find(photo)
    left, right, nose = points
    assert left[0] < nose[0] < right[0]
    assert nose[1] > max(left[1], right[1])
    # A larger face, so that the detector finds it anew: where does it see eyes and nose now?
    side = 240
    face = aligned_face(photo, points, side)
    around = np.zeros((2 * side, 2 * side, 3), np.uint8)
    around[side // 2 : 3 * side // 2, side // 2 : 3 * side // 2] = face
    again = (find(around) - side // 2) / side
    np.testing.assert_allclose(96 * again, 96 * TEMPLATE, atol=3)


def test_no_face_is_none():
    needs_dlib()
    noise = np.random.default_rng(1).integers(256, size=(120, 120, 3), dtype=np.uint8)
    assert landmark_finder()(noise) is None


def test_without_dlib(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "dlib", None)
    with pytest.raises(MissingDependencyError, match="finding faces needs dlib"):
        landmark_finder()


def write_people(folder, photos):
    """A tree of people, number of photos; the grey of a photo says person and photo."""
    for p, (name, count) in enumerate(sorted(photos.items())):
        (folder / name).mkdir(parents=True)
        for i in range(count):
            grey = np.full((60, 80, 3), 10 * p + i, np.uint8)
            Image.fromarray(grey).save(folder / name / f"{name}_{i + 1:04d}.jpg", quality=100)


def face_unless(*faceless):
    """Find the same points in every photo but those of these greys."""

    def find(photo):
        return None if int(photo[0, 0, 0]) in faceless else POINTS[:, ::-1] / 2 + 5

    return find


def grey(face):
    return int(np.median(face))


PEOPLE = {"Ann": 2, "Bob": 5, "Cat": 1, "Dan": 3, "Eve": 2, "Fay": 4}


def test_two_random_photos_a_person(tmp_path, caplog):
    write_people(tmp_path, PEOPLE)
    drawn = {name: set() for name in PEOPLE}
    with caplog.at_level(logging.INFO):
        for seed in range(60):
            pairs = drawn_pairs(tmp_path, None, seed, face_unless(11, 30, 41))
            for name, pair in pairs.items():
                drawn[name].add(tuple(map(grey, pair)))
    assert drawn["Ann"] == {(0, 1), (1, 0)}  # Either is the label.
    bobs = [10, 12, 13, 14]
    assert drawn["Bob"] == {(i, j) for i in bobs for j in bobs if i != j}
    assert not drawn["Cat"]
    assert drawn["Dan"] == {(31, 32), (32, 31)}
    assert not drawn["Eve"]  # One of her two has no face.
    assert "6 people, 5 with several photos" in caplog.text
    assert "4 people have two that count" in caplog.text


def test_the_same_seed_draws_the_same(tmp_path):
    write_people(tmp_path, PEOPLE)
    chosen = set()
    for seed in range(30):
        one = drawn_pairs(tmp_path, 3, seed, face_unless())
        two = drawn_pairs(tmp_path, 3, seed, face_unless())
        assert list(one) == list(two)
        assert all(np.array_equal(one[name], two[name]) for name in one)
        assert len(one) == 3
        chosen.add(tuple(sorted(one)))
    assert len(chosen) > 5


def test_too_few_people(tmp_path):
    write_people(tmp_path, PEOPLE)
    with pytest.raises(InputError, match=r"has 4 people with two photos .* not 5"):
        drawn_pairs(tmp_path, 5, 0, face_unless(41))


@pytest.mark.parametrize("content", [b"<html>"])
def test_a_damaged_photo(tmp_path, content):
    write_people(tmp_path, {"Ann": 2, "Bob": 2, "Cat": 2})
    (tmp_path / "Bob" / "Bob_0001.jpg").write_bytes(content)
    with pytest.raises(InputError, match=r"Bob_0001\.jpg cannot be read"):
        drawn_pairs(tmp_path, 3, 0, face_unless())


def test_scores_are_distances_to_the_first_photo_of_each_pair(tmp_path, monkeypatch):
    write_people(tmp_path, {f"P{i:02d}": 2 for i in range(24)})
    embedded = np.random.default_rng(2).integers(-2, 3, size=(48, 4)).astype(np.float32)
    monkeypatch.setattr(lfw, "landmark_finder", face_unless)
    monkeypatch.setattr(lfw, "openface_embeddings", lambda faces, *_, **__: embedded[: len(faces)])
    dataset = make_dataset("lfw", photos=tmp_path, weights=tmp_path, n_people=None)
    matrix = dataset.score_matrix(0)
    # Of each pair the first is the label, and a column.
    expected = np.linalg.norm(embedded[1::2, None] - embedded[None, 0::2], axis=2)
    np.testing.assert_allclose(matrix.scores, expected, rtol=1e-6)


def test_from_the_archive_to_the_score_matrix(tmp_path):
    needs_dlib()
    if len(real_faces()) == 1:
        pytest.skip("scikit-image, which ships a second face, is not installed")
    write_faces(tmp_path / "lfw")
    with tarfile.open(tmp_path / "lfw.tgz", "w:gz") as archive:
        archive.add(tmp_path / "lfw", "lfw")
    write_openface(tmp_path / "openface")
    options = {"weights": "openface", "n_people": 4}
    packed = make_dataset("lfw", tmp_path, photos="lfw.tgz", **options).score_matrix(5)
    assert packed.scores.shape == (4, 4)
    assert packed.labels.tolist() == [0, 1, 2, 3]
    assert not packed.higher_is_better
    assert packed.scores.max() <= 2  # Of unit vectors.
    # Even random weights find the same photo, turned and aligned again.
    assert packed.scores.argmin(axis=1).tolist() == [0, 1, 2, 3]
    plain = make_dataset("lfw", tmp_path, photos=Path("lfw"), **options).score_matrix(5)
    np.testing.assert_array_equal(plain.scores, packed.scores)
