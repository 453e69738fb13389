from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.ft2font import FT2Font, LoadFlags

from accuracy_curves.exceptions import InputError
from accuracy_curves.observed.accuracy import average_accuracy
from experiments.datasets import glyphs as glyphs_module
from experiments.datasets import make_dataset, typefaces
from experiments.datasets.glyphs import GALLERY_FACES, MAXIMUM_CLASSES, POINT_FACES, Glyphs
from experiments.datasets.typefaces import distinct_characters, distorted, printed, shrunk


def test_enough_characters_are_distinct():
    distinct = distinct_characters(32)
    assert len(distinct) > MAXIMUM_CLASSES + 100
    assert {"A", "a", "0", "Ω", "Ж", "←"} <= set(distinct)
    # Twins of the Latin A, and a space.
    assert not {"Α", "А", " "} & set(distinct)


@pytest.mark.parametrize("face", ["DejaVuSansMono-Bold", "DejaVuSerif-Italic"])
def test_no_two_classes_have_the_same_image(face):
    characters = list(distinct_characters(32))
    images = shrunk(printed(face, characters, 32))
    assert images.reshape(len(images), -1).any(axis=1).all()
    assert len({image.tobytes() for image in images}) == len(characters)


@pytest.mark.parametrize("face", ["DejaVuSans", "DejaVuSerif-Bold"])
def test_characters_are_printed_where_the_outlines_say(face):
    characters = list("_^[█gÅ")
    font = FT2Font(str(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / f"{face}.ttf"))
    unit = typefaces.EM * 32 / font.units_per_EM
    for character, image in zip(characters, shrunk(printed(face, characters, 32)), strict=True):
        glyph = font.load_char(ord(character), flags=LoadFlags.NO_SCALE)
        left, bottom, right, top = np.multiply(glyph.bbox, unit)
        middle = glyph.horiAdvance * unit / 2
        rows, columns = np.flatnonzero(image.any(axis=1)), np.flatnonzero(image.any(axis=0))
        found = [columns[0], columns[-1] + 1, rows[0], rows[-1] + 1]
        baseline = typefaces.BASELINE * 32
        expected = [16 + left - middle, 16 + right - middle, baseline - top, baseline - bottom]
        np.testing.assert_allclose(found, expected, atol=1.6)
        assert image.max() > 0.9


def test_no_distortion_leaves_the_print():
    prints = printed("DejaVuSerif", ["Q", "§"], 32)
    rng = np.random.default_rng(0)
    np.testing.assert_array_equal(distorted(prints, 0, rng), shrunk(prints))
    np.testing.assert_allclose(distorted(prints, 1e-6, rng), shrunk(prints), atol=1e-4)
    average = prints.reshape(2, 32, 2, 32, 2).sum(axis=(2, 4)) / (4 * 255)
    np.testing.assert_allclose(shrunk(prints), average, atol=1e-6)


def test_classes_and_the_pcas_characters_are_disjoint():
    classes, others = Glyphs(n_classes=300).characters(0)
    assert len(classes) == 300
    assert not set(classes) & set(others)
    assert set(classes) | set(others) == set(distinct_characters(32))
    assert Glyphs(n_classes=300).characters(1)[0] != classes


def test_recognition_is_real_and_gets_harder_with_more_classes():
    matrix = make_dataset("glyphs").score_matrix(0)
    assert matrix.scores.shape == (7500, 1500)
    np.testing.assert_array_equal(matrix.labels, np.repeat(np.arange(1500), 5))
    accuracy = average_accuracy(matrix, [2, 100, 1500])
    assert accuracy[0] > 0.95
    assert 0.6 < accuracy[1] < 0.9
    assert 0.3 < accuracy[2] < 0.6


def test_distortion_makes_it_harder():
    options = {"n_classes": 500, "size": 16}
    clean, weak, strong = (
        average_accuracy(Glyphs(distortion=strength, **options).score_matrix(0), 500)[0]
        for strength in (0, 0.25, 0.75)
    )
    assert clean > weak > strong > 10 / 500


def test_scores_are_those_of_the_prints(monkeypatch):
    monkeypatch.setattr(glyphs_module, "PCA", 1024)
    glyphs = Glyphs(n_classes=5, distortion=0, gallery="nearest")
    classes, _ = glyphs.characters(2)
    flat = {
        face: shrunk(printed(face, classes, 32)).reshape(5, -1)
        for face in GALLERY_FACES + POINT_FACES
    }
    # All components are kept, so the PCA is a rotation and distances are those of the images.
    expected = [
        [
            min(np.linalg.norm(flat[face][i] - flat[other][j]) for other in GALLERY_FACES)
            for j in range(5)
        ]
        for i in range(5)
        for face in POINT_FACES
    ]
    np.testing.assert_allclose(glyphs.score_matrix(2).scores, expected, rtol=1e-4, atol=1e-6)


def test_same_seed_same_bits_and_another_seed_another_draw():
    glyphs = Glyphs(n_classes=300, size=16)
    first = glyphs.score_matrix(5).scores.tobytes()
    assert glyphs.score_matrix(5).scores.tobytes() == first
    assert glyphs.score_matrix(6).scores.tobytes() != first


def test_bad_options():
    with pytest.raises(InputError, match="n_classes is 2001: it must be a whole number from 3 to"):
        make_dataset("glyphs", n_classes=2001)
