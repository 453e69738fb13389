import itertools

import numpy as np
import pytest

from accuracy_curves.exceptions import InputError
from experiments.datasets.embeddings.gabor import gabor_pyramid

SIDE = 64
FREQUENCIES = (2, 4, 8)
ORIENTATIONS = 8
CENTRES = (np.arange(SIDE) + 0.5) / SIDE


def grating(frequency, orientation, phase=0.0):
    x, y = np.meshgrid(CENTRES, CENTRES)
    along = np.cos(orientation) * x + np.sin(orientation) * y
    return np.cos(2 * np.pi * frequency * along + phase)


def parts(found):
    """Amplitudes by frequency: (orientation, row, column)."""
    start = 0
    for frequency in FREQUENCIES:
        size = ORIENTATIONS * frequency**2
        block = found[start : start + size]
        yield frequency, block.reshape(ORIENTATIONS, frequency, frequency)
        start += size
    assert start == len(found)


def pyramid(*images):
    return gabor_pyramid(np.stack(images), frequencies=FREQUENCIES)


def test_against_whole_wavelets_pixel_by_pixel():
    image = np.random.default_rng(0).integers(256, size=(SIDE, SIDE), dtype=np.uint8)
    normal = (image - image.mean()) / image.std()
    x, y = np.meshgrid(CENTRES, CENTRES)
    for frequency, block in parts(pyramid(image)[0]):
        width = 0.5622 / frequency
        for o, row, column in [(0, 0, 0), (1, frequency - 1, 0), (3, frequency // 2, 1)]:
            angle = np.pi * o / ORIENTATIONS
            dx, dy = x - (column + 0.5) / frequency, y - (row + 0.5) / frequency
            envelope = np.exp(-(dx**2 + dy**2) / (2 * width**2))
            phase = 2 * np.pi * frequency * (np.cos(angle) * dx + np.sin(angle) * dy)
            pair = [envelope * np.cos(phase), envelope * np.sin(phase)]
            pair = [wave - envelope * wave.sum() / envelope.sum() for wave in pair]
            length = np.sqrt(sum((wave**2).sum() for wave in pair))
            expected = np.hypot(*[(wave * normal).sum() for wave in pair]) / length
            np.testing.assert_allclose(block[o, row, column], expected, rtol=2e-3)


@pytest.mark.parametrize("frequency", FREQUENCIES)
@pytest.mark.parametrize("o", range(0, ORIENTATIONS, 2))
def test_a_grating_excites_its_own_frequency_and_orientation(frequency, o):
    angle = np.pi * o / ORIENTATIONS
    found = dict(parts(pyramid(grating(frequency, angle))[0]))
    strength = {f: block.mean(axis=(1, 2)) / (SIDE / f) for f, block in found.items()}
    own = strength[frequency][o]
    apart = itertools.product(FREQUENCIES, range(0, ORIENTATIONS, 2))
    others = [strength[f][p] for f, p in apart if (f, p) != (frequency, o)]
    assert own > 2 * max(others)


def test_amplitudes_do_not_depend_on_the_phase_inside_of_the_image():
    found = pyramid(*[grating(8, 0, phase) for phase in np.linspace(0, np.pi, 7)])
    for one in found:
        inside = dict(parts(one))[8][0, 2:6, 2:6]
        np.testing.assert_allclose(inside, inside.mean(), rtol=0.01)


def test_a_patch_excites_its_own_place():
    x, y = np.meshgrid(CENTRES, CENTRES)
    row, column = 5, 2
    spot = np.exp(-((x - (column + 0.5) / 8) ** 2 + (y - (row + 0.5) / 8) ** 2) / (2 * 0.04**2))
    found = dict(parts(pyramid(spot * grating(8, np.pi / 4))[0]))[8][1]
    assert np.unravel_index(found.argmax(), found.shape) == (row, column)
    assert found[row, column] > 10 * found[1, 6]


def test_contrast_and_brightness_do_not_matter():
    image = np.random.default_rng(1).normal(size=(SIDE, SIDE))
    found = pyramid(image, 100 + 7 * image, np.full((SIDE, SIDE), 0.1), np.zeros((SIDE, SIDE)))
    np.testing.assert_allclose(found[1], found[0], rtol=1e-4, atol=1e-6)
    assert not found[2:].any()


def test_the_default_pyramid_has_10920_amplitudes():
    images = np.random.default_rng(2).integers(256, size=(3, 128, 128), dtype=np.uint8)
    found = gabor_pyramid(images)
    assert found.shape == (3, 8 * (1 + 4 + 16 + 64 + 256 + 1024)) == (3, 10920)
    assert found.dtype == np.float32
    assert (found.std(axis=0) > 0).all()


def test_blocks_do_not_matter(monkeypatch):
    images = np.random.default_rng(3).normal(size=(5, SIDE, SIDE))
    at_once = pyramid(*images)
    monkeypatch.setattr("experiments.datasets.embeddings.gabor.BLOCK", 2)
    np.testing.assert_allclose(pyramid(*images), at_once, rtol=1e-6)


@pytest.mark.parametrize(
    ("images", "frequencies", "sentence"),
    [
        (np.zeros((2, 8, 9)), (1,), r"images must be numbers \(n, side, side\)"),
        (np.zeros((2, 8, 8)), (5,), "a frequency is 5: .* from 1 to 4"),
    ],
)
def test_images_that_cannot_be_used(images, frequencies, sentence):
    with pytest.raises(InputError, match=sentence):
        gabor_pyramid(images, frequencies=frequencies)
